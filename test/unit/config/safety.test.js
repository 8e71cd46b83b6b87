'use strict';

const assert = require('node:assert/strict');
const { checkSafety } = require('../../../lib/config/safety');
const { conflictsOf, newConflicts, notRestorable } = require('../../../lib/config/thresholds');
const { warningsFor } = require('../../../lib/config/warnings');
const { defaultsFor } = require('../../../lib/config/config-layers');

const GB = 2 ** 30;
const BEFORE = { ...defaultsFor(9 * GB), cacheSizeGB: 4 };
/** @param {object} change @param {object} [more] */
const safety = (change, more = {}) => {
  try {
    checkSafety({ before: BEFORE, change, memoryBytes: 10 * GB, force: false, ...more });
    return 'ok';
  } catch (error) {
    return error.code;
  }
};
/** @param {object} change @param {object} [more] */
const warn = (change, more = {}) =>
  warningsFor({
    asked: change,
    change,
    before: BEFORE,
    live: {},
    memoryBytes: 10 * GB,
    cores: 8,
    ...more,
  }).join('\n');

describe('config/warnings: a target or a trigger whose other one nobody knows', () => {
  const unknown = { before: { ...BEFORE, evictionDirtyTarget: null } };
  it('says that their order is not checked', () =>
    assert.match(
      warn({ evictionDirtyTrigger: 10 }, unknown),
      /evictionDirtyTarget is not known, so its order with evictionDirtyTrigger is not checked/,
    ));
  it('not of both together, nor of another pair', () => {
    for (const change of [
      { evictionDirtyTrigger: 10, evictionDirtyTarget: 5 },
      { evictionTrigger: 96 },
      { evictionDirtyTarget: 5 },
    ])
      assert.doesNotMatch(warn(change, unknown), /is not checked/);
  });
});

describe('config/thresholds: what an undo cannot set again', () => {
  it('what is not known, and what contradicts what stays', () => {
    for (const [before, change, blocked] of /** @type {[object, object, string[]][]} */ ([
      [
        { evictionDirtyTarget: 30 },
        { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 },
        ['evictionDirtyTarget'],
      ],
      [{ evictionDirtyTarget: 3 }, { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 }, []],
      [
        { evictionDirtyTarget: 3e8 },
        { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 },
        ['evictionDirtyTarget'],
      ],
      [{ evictionTrigger: 60 }, { evictionTarget: 70, evictionTrigger: 95 }, ['evictionTrigger']],
      [{ evictionThreadsMin: 4 }, { evictionThreadsMin: 1, evictionThreadsMax: 4 }, []],
      [
        { evictionThreadsMin: 5 },
        { evictionThreadsMin: 1, evictionThreadsMax: 4 },
        ['evictionThreadsMin'],
      ],
      [{}, { evictionDirtyTrigger: 20 }, []],
      [{}, { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 }, []],
    ]))
      assert.deepEqual(notRestorable(before, change).blocked, blocked, JSON.stringify(change));
    assert.deepEqual(notRestorable({}, { evictionDirtyTrigger: 20 }).unknown, [
      'evictionDirtyTrigger',
    ]);
  });
});

describe('config/safety', () => {
  for (const [change, code] of /** @type {[object, string][]} */ ([
    [{ cacheSizeGB: 0.25 }, 'ok'],
    [{ cacheSizeGB: 0.2490234375 }, 'TUNE-30003'],
    [{ cacheSizeGB: 8 }, 'ok'],
    [{ cacheSizeGB: 8.001 }, 'TUNE-30003'],
    [{ evictionThreadsMin: 4 }, 'ok'],
    [{ evictionThreadsMin: 5 }, 'TUNE-30002'],
    [{ evictionThreadsMax: 3 }, 'TUNE-30002'],
    [{ evictionThreadsMin: 9, evictionThreadsMax: 9 }, 'ok'],
    [{ evictionTarget: 94 }, 'ok'],
    [{ evictionTarget: 95 }, 'TUNE-30002'],
    [{ evictionTrigger: 80 }, 'TUNE-30002'],
    [{ evictionTrigger: 81 }, 'ok'],
    [{ evictionDirtyTarget: 19 }, 'ok'],
    [{ evictionDirtyTarget: 20 }, 'TUNE-30002'],
    [{ evictionDirtyTrigger: 5 }, 'TUNE-30002'],
    [{ evictionDirtyTrigger: 6 }, 'ok'],
    [{ evictionUpdatesTarget: 10 }, 'TUNE-30002'],
    [{ evictionUpdatesTarget: 9 }, 'ok'],
    [{ evictionUpdatesTrigger: 2 }, 'TUNE-30002'],
    [{ evictionUpdatesTrigger: 3 }, 'ok'],
    [{ evictionDirtyTarget: 30, evictionDirtyTrigger: 40 }, 'ok'],
    [{ evictionDirtyTarget: 5 * GB }, 'TUNE-30002'],
  ])) {
    it(`${JSON.stringify(change)} → ${code}`, () => assert.equal(safety(change), code));
  }

  it('force goes beyond sizes, never beyond an order that a start does not survive', () => {
    assert.deepEqual(
      [{ cacheSizeGB: 0.1 }, { cacheSizeGB: 9 }, { evictionTarget: 95 }].map((change) =>
        safety(change, { force: true }),
      ),
      ['ok', 'ok', 'TUNE-30002'],
    );
  });
  it('where the memory is not known a larger cache needs force, unless the server had it before', () => {
    const unknown = { memoryBytes: null };
    const { cacheSizeGB } = BEFORE;
    assert.deepEqual(
      [
        safety({ cacheSizeGB: 9000 }, unknown),
        safety({ cacheSizeGB: cacheSizeGB + 0.1 }, unknown),
        safety({ cacheSizeGB }, unknown),
        safety({ cacheSizeGB: cacheSizeGB - 0.1 }, unknown),
        safety({ cacheSizeGB: 1 }, { ...unknown, before: {} }),
        safety({ evictionTarget: 70 }, unknown),
        safety({ cacheSizeGB: 9000 }, { ...unknown, force: true }),
        safety({ cacheSizeGB: 9000 }, { ...unknown, wasActive: true }),
      ],
      ['TUNE-30003', 'TUNE-30003', 'ok', 'ok', 'TUNE-30003', 'ok', 'ok', 'ok'],
    );
  });
  it('bytes that are fewer of the cache than the smallest percentage', () => {
    const MB = 2 ** 20;
    const small = { ...BEFORE, cacheSizeGB: 0.25 };
    const both = { evictionTarget: MB, evictionTrigger: 2 * MB };
    const large = { ...BEFORE, cacheSizeGB: 1, evictionDirtyTrigger: 400 * MB };
    assert.deepEqual(
      [
        safety(both, { before: small }),
        safety({ evictionTarget: 26 * MB, evictionTrigger: 27 * MB }, { before: small }),
        safety({ evictionTarget: 25 * MB, evictionTrigger: 27 * MB }, { before: small }),
        safety({ evictionDirtyTarget: 2 * MB }, { before: small }),
        safety({ evictionDirtyTarget: 3 * MB }, { before: small }),
        safety({ evictionCheckpointTarget: MB }),
        safety({ cacheSizeGB: 2 }, { before: { ...small, evictionDirtyTarget: 3 * MB } }),
        safety({ evictionThreadsMax: 6 }, { before: { ...small, evictionDirtyTarget: MB } }),
        safety(both, { before: { ...small, cacheSizeGB: null } }),
        safety(both, { before: small, force: true }),
        safety(both, { before: small, wasActive: true }),
        safety({ cacheSizeGB: 0.25 }, { before: large, force: true }),
        safety({ cacheSizeGB: 0.25 }, { before: large, force: true, wasActive: true }),
      ],
      [
        'TUNE-30003',
        'ok',
        'TUNE-30003',
        'TUNE-30003',
        'ok',
        'ok',
        'TUNE-30003',
        'ok',
        'ok',
        'ok',
        'ok',
        'TUNE-30002',
        'TUNE-30002',
      ],
    );
    assert.throws(
      () => checkSafety({ before: small, change: both, memoryBytes: null, force: false }),
      /evictionTarget 1 MiB is 0\.391% of a cache of 256 MiB; WiredTiger accepts no percentage below 10/,
    );
  });
  it('bytes of dirty data, half of which is less than 1% of the cache for updates', () => {
    const MB = 2 ** 20;
    const small = { ...BEFORE, cacheSizeGB: 0.25, evictionDirtyTarget: 1 };
    const few = { evictionDirtyTrigger: 4 * MB };
    assert.deepEqual(
      [
        safety(few, { before: small }),
        safety({ evictionDirtyTrigger: 6 * MB }, { before: small }),
        safety({ evictionDirtyTrigger: 2 }, { before: small }),
        safety({ ...few, evictionUpdatesTrigger: 5 }, { before: small }),
        safety({ cacheSizeGB: 1 }, { before: { ...small, evictionDirtyTrigger: 12 * MB } }),
        safety({ evictionThreadsMax: 6 }, { before: { ...small, ...few } }),
        safety(few, { before: { ...small, evictionUpdatesTrigger: null } }),
        safety(few, { before: small, force: true }),
        safety(few, { before: small, wasActive: true }),
      ],
      ['TUNE-30003', 'ok', 'ok', 'ok', 'TUNE-30003', 'ok', 'TUNE-30003', 'ok', 'ok'],
    );
    assert.throws(
      () => checkSafety({ before: small, change: few, memoryBytes: null, force: false }),
      /evictionUpdatesTrigger, half of evictionDirtyTrigger 4 MiB, is 0\.781% of a cache of 256 MiB; below 1% larger/,
    );
    const unknown = { ...small, evictionUpdatesTrigger: null };
    assert.throws(
      () => checkSafety({ before: unknown, change: few, memoryBytes: null, force: false }),
      /evictionUpdatesTrigger, not known and by default half of evictionDirtyTrigger 4 MiB, is/,
    );
  });
  it('less than 1% already, which the change makes more', () => {
    const MB = 2 ** 20;
    const few = { evictionDirtyTarget: 1, evictionDirtyTrigger: 15 * MB };
    const before = { ...BEFORE, ...few, cacheSizeGB: 1 };
    assert.deepEqual(
      [
        safety({ cacheSizeGB: 0.8 }, { before }),
        safety({ evictionDirtyTrigger: 17 * MB }, { before }),
        safety({ cacheSizeGB: 1.2 }, { before }),
      ],
      ['ok', 'ok', 'TUNE-30003'],
    );
  });
  it('bytes of updates that are less than 1% of the cache, though 0 percent is another value', () => {
    const MB = 2 ** 20;
    const small = { ...BEFORE, cacheSizeGB: 0.25 };
    const set = { ...small, evictionUpdatesTarget: 3 * MB, evictionUpdatesTrigger: 4 * MB };
    assert.deepEqual(
      [
        safety(
          { evictionUpdatesTarget: 2 * MB, evictionUpdatesTrigger: 5 * MB },
          { before: small },
        ),
        safety({ evictionUpdatesTarget: 2 * MB, evictionUpdatesTrigger: 9 }, { before: small }),
        safety(
          { evictionUpdatesTarget: 3 * MB, evictionUpdatesTrigger: 5 * MB },
          { before: small },
        ),
        safety({ evictionUpdatesTarget: 0, evictionUpdatesTrigger: 0 }, { before: small }),
        safety({ cacheSizeGB: 2 }, { before: set }),
        safety({ cacheSizeGB: 0.26 }, { before: set }),
        safety({ cacheSizeGB: 2 }, { before: set, force: true }),
      ],
      ['TUNE-30003', 'TUNE-30003', 'ok', 'ok', 'TUNE-30003', 'ok', 'ok'],
    );
  });
  it('what any call sets besides is checked too', () => {
    const more = { before: { ...BEFORE, cacheSizeGB: 3 } };
    const comesBack = (/** @type {object} */ values, /** @type {object} */ also = {}) =>
      safety({ evictionThreadsMax: 6 }, { ...more, comesBack: values, ...also });
    assert.deepEqual(
      [
        comesBack({ cacheSizeGB: 8 }),
        comesBack({ cacheSizeGB: 8.5 }),
        comesBack({ cacheSizeGB: 8.5 }, { force: true }),
        comesBack({ cacheSizeGB: 8.5 }, { memoryBytes: null }),
        comesBack({ evictionDirtyTarget: 2 ** 24, evictionDirtyTrigger: 2 ** 25 }),
      ],
      ['ok', 'TUNE-30003', 'ok', 'TUNE-30003', 'TUNE-30003'],
    );
    assert.throws(
      () =>
        checkSafety({
          before: more.before,
          change: { evictionThreadsMax: 6 },
          comesBack: { cacheSizeGB: 9 },
          memoryBytes: 10 * GB,
          force: false,
        }),
      /Any call sets the recorded cacheSizeGB 9 again\. A cache of 9 GiB is more than 80%/,
    );
  });
  it('a cache smaller than a threshold in bytes that was set earlier', () => {
    const before = { ...BEFORE, evictionDirtyTarget: GB, evictionDirtyTrigger: 1.2 * GB };
    assert.equal(safety({ cacheSizeGB: 2 }, { before }), 'ok');
    assert.equal(safety({ cacheSizeGB: 1.19 }, { before }), 'TUNE-30002');
    assert.throws(
      () =>
        checkSafety({
          before: { ...BEFORE, evictionCheckpointTarget: 2 * GB },
          change: { cacheSizeGB: 1 },
          memoryBytes: null,
          force: false,
        }),
      (error) =>
        error.code === 'TUNE-30002' &&
        /evictionCheckpointTarget is 2 GiB, more than a cache of 1 GiB/.test(error.message),
    );
    assert.equal(
      safety(
        { cacheSizeGB: 1 },
        { before: { ...BEFORE, evictionCheckpointTarget: 2 * GB }, force: true },
      ),
      'TUNE-30002',
      'WiredTiger rejects it after the cache was made smaller',
    );
  });
  it('tells the value, the limit and the knobs', () => {
    assert.throws(
      () =>
        checkSafety({
          before: BEFORE,
          change: { cacheSizeGB: 9 },
          memoryBytes: 10 * GB,
          force: false,
        }),
      (error) =>
        error.value === 9 && error.allowed.max === 8 && /80% of the 10 GiB/.test(error.message),
    );
    assert.throws(
      () =>
        checkSafety({
          before: BEFORE,
          change: { evictionDirtyTarget: 25 },
          memoryBytes: null,
          force: false,
        }),
      (error) =>
        /evictionDirtyTarget 25% is not below evictionDirtyTrigger 20%/.test(error.message) &&
        error.settings.includes('evictionDirtyTrigger'),
    );
  });
});

describe('config/thresholds', () => {
  it('the defaults have none', () => assert.deepEqual(conflictsOf(BEFORE), []));
  it('what is not known contradicts nothing', () =>
    assert.deepEqual(
      conflictsOf({ evictionThreadsMin: 9, evictionTarget: 99, evictionDirtyTarget: 9 * GB }),
      [],
    ));
  it('what somebody had set wrong is not blamed on a change beside it', () => {
    const before = { ...BEFORE, evictionTarget: 90, evictionTrigger: 85 };
    assert.deepEqual(newConflicts(before, { evictionThreadsMax: 8 }), []);
    assert.equal(newConflicts(before, { evictionTarget: 88 }).length, 1);
  });
  it('in effect counts: a dirty target above the target acts as the target', () =>
    assert.deepEqual(
      conflictsOf({ ...BEFORE, evictionDirtyTarget: 90, evictionDirtyTrigger: 85 }),
      [],
    ));
});

describe('config/warnings', () => {
  it('a plain change has none', () => assert.equal(warn({ evictionThreadsMax: 8 }), ''));
  it('shrinking: what is evicted, and that the process keeps its memory', () => {
    assert.match(
      warn({ cacheSizeGB: 1 }, { live: { 'cache.maxBytes': 4 * GB, 'cache.usedBytes': 3 * GB } }),
      /At least 2 GiB of the 3 GiB in the cache is evicted on the way\.\nResident memory shrinks late/,
    );
    assert.match(
      warn({ cacheSizeGB: 1 }, { live: { 'cache.maxBytes': 4 * GB, 'cache.usedBytes': 0.5 * GB } }),
      /^Resident memory shrinks late/,
    );
    assert.equal(warn({ cacheSizeGB: 5 }, { live: { 'cache.maxBytes': 4 * GB } }), '');
  });
  it('a share of the memory beyond the default', () => {
    assert.equal(warn({ cacheSizeGB: 5 }), '');
    assert.match(warn({ cacheSizeGB: 6 }), /60\.0% of RAM: connections/);
    assert.match(warn({ cacheSizeGB: 9 }), /90\.0% of RAM, more than is safe/);
    assert.match(warn({ cacheSizeGB: 6 }, { memoryBytes: null }), /RAM of the host is not known/);
  });
  it('threads beyond the cores, when they are added', () => {
    assert.match(
      warn({ evictionThreadsMax: 9 }),
      /9 eviction threads compete with application threads for 8 CPUs/,
    );
    assert.equal(warn({ evictionThreadsMax: 9 }, { cores: null }), '');
    assert.equal(
      warn({ evictionThreadsMax: 4 }, { cores: 2, before: { ...BEFORE, evictionThreadsMax: 1 } }),
      '',
    );
    assert.match(
      warn({ evictionThreadsMax: 5 }, { cores: 2, before: { ...BEFORE, evictionThreadsMax: 1 } }),
      /5 eviction threads compete with application threads for 2 CPUs/,
    );
    assert.equal(
      warn({ evictionThreadsMax: 9 }, { before: { ...BEFORE, evictionThreadsMax: 12 } }),
      '',
    );
  });
  it('threads of a release that takes them', () => {
    assert.equal(warn({ evictionThreadsMax: 64 }, { cores: 99 }), '');
  });
  it('thresholds that the server takes and that hurt, with the reason', () => {
    assert.match(
      warn({ evictionTrigger: 100 }),
      /With evictionTrigger 100% application threads evict only when the cache is full, and then all wait for cache space at once\. Give less than 99; the default is 95\./,
    );
    assert.match(
      warn({ evictionTarget: 10 }),
      /With evictionTarget 10% pages are evicted from a cache with free space, and must be read from disk again\./,
    );
    assert.deepEqual(
      [
        { evictionTrigger: 99 },
        { evictionTrigger: 98 },
        { evictionTarget: 49 },
        { evictionTarget: 50 },
      ].map((change) => warn(change) !== ''),
      [true, false, true, false],
    );
    assert.match(warn({ evictionTarget: GB }), /With evictionTarget 25%/);
    assert.equal(
      warn(
        { evictionThreadsMax: 5 },
        { before: { ...BEFORE, evictionTrigger: 100, evictionTarget: 10 } },
      ),
      '',
    );
  });
  it('a small cache that was forced', () =>
    assert.match(
      warn({ cacheSizeGB: 0.125 }),
      /A cache of 128 MiB is below the minimum of 256 MiB that mongod requires/,
    ));
  it('a running checkpoint', () => {
    assert.match(
      warn({ evictionTarget: 70 }, { live: { 'checkpoint.running': 3 } }),
      /A checkpoint is running: the call waits/,
    );
    assert.equal(warn({ evictionTarget: 70 }, { live: { 'checkpoint.running': 0 } }), '');
  });
  it('updates thresholds that move along', () =>
    assert.match(
      warn({ evictionDirtyTrigger: 40 }),
      /evictionUpdatesTrigger changes with it, from 10% to 20%/,
    ));
  it('figures as a person reads them', () => {
    const before = { ...BEFORE, cacheSizeGB: 1.0048828125, evictionDirtyTrigger: 333 * 2 ** 20 };
    assert.match(
      warn({ evictionDirtyTrigger: 20 }, { before }),
      /evictionUpdatesTrigger changes with it, from 16\.18\d% to 10%/,
    );
    assert.match(
      warn({ evictionDirtyTarget: 998 * 2 ** 20 }, { before }),
      /evictionDirtyTarget 96\.98\d has the effect of 80: it cannot be above evictionTarget/,
    );
    assert.match(
      warn({}, { asked: { cacheSizeGB: 1.0048828125 }, before, change: {} }),
      /^cacheSizeGB is already 1\.005: not sent\.$/,
    );
    assert.match(
      warn({ evictionDirtyTrigger: GB }, { before: { ...BEFORE, cacheSizeGB: null } }),
      /evictionUpdatesTrigger changes with it, from 10% to \?%/,
    );
  });
  it('not those that were set themselves', () =>
    assert.equal(warn({ evictionDirtyTrigger: 40, evictionUpdatesTrigger: 15 }), ''));
  it('values that WiredTiger mends', () =>
    assert.match(
      warn({ evictionDirtyTrigger: 99 }),
      /evictionDirtyTrigger 99 has the effect of 95: it cannot be above evictionTrigger\./,
    ));
  it('0 is what it is meant to be', () => assert.equal(warn({ evictionUpdatesTarget: 0 }), ''));
  it('what is not known before', () =>
    assert.match(
      warn({ evictionTarget: 70 }, { before: {} }),
      /tune\.undo\(\) cannot restore it: evictionTarget/,
    ));
  it('what is so already, and what is rounded', () => {
    assert.equal(
      warn({}, { asked: { evictionTarget: 80, syncdelaySeconds: undefined }, change: {} }),
      'evictionTarget is already 80: not sent.',
    );
    assert.match(
      warn({}, { asked: { cacheSizeGB: 0.3 }, change: { cacheSizeGB: 307 / 1024 } }),
      /whole MiB: cacheSizeGB 0\.3 becomes 307 MiB/,
    );
    assert.match(
      warn({}, { asked: { cacheSizeGB: 11.3 }, change: { cacheSizeGB: 11_571 / 1024 } }),
      /whole MiB: cacheSizeGB 11\.3 becomes 11,571 MiB/,
    );
  });
  it('syncdelay of 8.0 and later is read while the server runs (checkpointer.cpp)', () => {
    const asked = { asked: { syncdelaySeconds: 30 }, change: {} };
    for (const version of ['8.0.0', '9.0.2'])
      assert.match(
        warn({}, { ...asked, version }),
        /tune does not set syncdelay.*setParameter: 1, syncdelay: 30 \}/,
      );
    for (const version of ['6.0.27', '7.0.5'])
      assert.match(warn({}, { ...asked, version }), /syncdelay cannot be set live/);
  });
  it("mongod's own limit beside a dirty trigger, from 8.2 on (wiredtiger_cache_pressure_monitor.cpp)", () => {
    const at = (/** @type {number} */ trigger, /** @type {string} */ version) =>
      warn(
        { evictionDirtyTrigger: trigger },
        {
          version,
          live: { 'cache.maxBytes': 2 ** 30 },
          before: { ...BEFORE, evictionTrigger: 95 },
        },
      );
    assert.match(at(40, '8.2.0'), /limit of 20% dirty.*higher trigger they may come early/);
    assert.match(at(10, '9.0.2'), /limit of 20% dirty.*lower trigger they never come/);
    assert.match(at(2 ** 29, '8.2.0'), /they may come early/);
    assert.doesNotMatch(at(20, '8.2.0'), /aborts/);
    assert.doesNotMatch(at(40, '8.0.30'), /aborts/);
  });
  it('syncdelay is for the next start', () =>
    assert.match(
      warn({}, { asked: { syncdelaySeconds: 30 }, change: {} }),
      /syncdelay cannot be set live/,
    ));
});
