'use strict';

const assert = require('node:assert/strict');
const { makeSteps, commandsOf, unlikeSteps } = require('../../../lib/change/pure/steps');
const { configStringOf } = require('../../../lib/config/engine-config');
const { levelsOf, showLimits, limitsAfter } = require('../../../lib/change/pure/levels');
const { defaultsFor } = require('../../../lib/config/config-layers');
const { settingsIn } = require('../../../lib/config/effective-config');

const GB = 2 ** 30;
const MB = 2 ** 20;
const BEFORE = { ...defaultsFor(9 * GB), cacheSizeGB: 4 };
const EMPTY = { usedBytes: 0, dirtyBytes: 0, updatesBytes: 0 };
/** @param {object} change @param {object} [levels] @param {object} [before] */
const steps = (change, levels = {}, before = {}) =>
  makeSteps({ ...BEFORE, ...before }, change, { ...EMPTY, ...levels }).map((step) =>
    step.kind === 'set'
      ? step.config
      : 'wait ' +
        `${step.limits.map(({ kind, belowBytes }) => `${kind}<${Math.round(belowBytes / MB)}`).join()}`,
  );

describe('config/engine-config: the string of a change', () => {
  it('whole megabytes, never a fraction', () =>
    assert.equal(configStringOf({ cacheSizeGB: 1.5 }), 'cache_size=1536M'));
  it('an odd number of bytes that somebody had set comes back exactly', () =>
    assert.equal(configStringOf({ cacheSizeGB: 1_000_000_000 / GB }), 'cache_size=1000000000'));
  it('groups inside their category', () =>
    assert.equal(
      configStringOf({ evictionThreadsMin: 4, evictionThreadsMax: 8 }),
      'eviction=(threads_min=4,threads_max=8)',
    ));
  it("syncdelay is not WiredTiger's", () =>
    assert.equal(configStringOf({ syncdelaySeconds: 30 }), ''));
});

describe('change/pure/steps', () => {
  it('one group a call, in the order of the table', () => {
    assert.deepEqual(
      steps({
        evictionThreadsMax: 8,
        cacheSizeGB: 5,
        evictionDirtyTarget: 6,
        evictionDirtyTrigger: 30,
        evictionTarget: 82,
        syncdelaySeconds: 30,
      }),
      [
        'cache_size=5120M',
        'eviction_target=82',
        'eviction_dirty_target=6,eviction_dirty_trigger=30',
        'eviction=(threads_max=8)',
      ],
    );
  });
  it('a threshold goes before a cache that cannot hold it, also beside a wrong order', () =>
    assert.deepEqual(
      steps(
        { cacheSizeGB: 1, evictionDirtyTarget: 5, evictionDirtyTrigger: GB / 2 },
        {},
        { evictionDirtyTarget: 60, evictionDirtyTrigger: 2 * GB },
      ),
      ['eviction_dirty_target=5,eviction_dirty_trigger=536870912', 'cache_size=1024M'],
    ));
  it('are the documents that go to the server', () =>
    assert.deepEqual(
      commandsOf(makeSteps(BEFORE, { evictionDirtyTrigger: 10 }, { ...EMPTY, dirtyBytes: GB })),
      [{ setParameter: 1, wiredTigerEngineRuntimeConfig: 'eviction_dirty_trigger=10' }],
    ));
  it('nothing to do', () => assert.deepEqual(steps({ syncdelaySeconds: 30 }), []));

  it('a trigger lowered below the level waits; the target goes first', () => {
    // 5% of 4 GB are 205 MB, its 95% 195 MB; updates follow at 2.5%.
    assert.deepEqual(
      steps({ evictionDirtyTarget: 2, evictionDirtyTrigger: 5 }, { dirtyBytes: GB }),
      [
        'eviction_dirty_target=2',
        'wait dirty<195,updates<97',
        'eviction_dirty_target=2,eviction_dirty_trigger=5',
      ],
    );
  });
  it('without a lower target it only waits', () =>
    assert.deepEqual(steps({ evictionDirtyTrigger: 10 }, { dirtyBytes: GB }), [
      'wait dirty<389,updates<195',
      'eviction_dirty_trigger=10',
    ]));
  it('a target that rises goes with the trigger', () =>
    assert.deepEqual(
      steps({ evictionDirtyTarget: 6, evictionDirtyTrigger: 10 }, { dirtyBytes: GB }),
      ['wait dirty<389,updates<195', 'eviction_dirty_target=6,eviction_dirty_trigger=10'],
    ));
  it('just under the new trigger needs no wait; just at it does', () => {
    const limit = Math.floor(0.1 * 4 * GB * 0.95);
    assert.equal(steps({ evictionDirtyTrigger: 10 }, { dirtyBytes: limit - 1 }).length, 1);
    assert.equal(steps({ evictionDirtyTrigger: 10 }, { dirtyBytes: limit }).length, 2);
  });
  it('a raised trigger never waits', () =>
    assert.deepEqual(steps({ evictionDirtyTrigger: 30 }, { dirtyBytes: 3 * GB }), [
      'eviction_dirty_trigger=30',
    ]));
  it('updates that follow the dirty trigger are waited for, too', () =>
    assert.equal(steps({ evictionDirtyTrigger: 10 }, { updatesBytes: 300 * MB }).length, 2));
  it('an updates trigger of its own', () =>
    assert.deepEqual(
      steps({ evictionUpdatesTarget: 1, evictionUpdatesTrigger: 4 }, { updatesBytes: GB }),
      [
        'eviction_updates_target=1',
        'wait updates<156',
        'eviction_updates_target=1,eviction_updates_trigger=4',
      ],
    ));
  it('the trigger of the whole cache', () =>
    assert.deepEqual(steps({ evictionTarget: 60, evictionTrigger: 70 }, { usedBytes: 3.2 * GB }), [
      'eviction_target=60',
      'wait used<2724',
      'eviction_target=60,eviction_trigger=70',
    ]));
  it('an unknown level is not waited for', () =>
    assert.deepEqual(
      steps(
        { evictionDirtyTrigger: 10 },
        { dirtyBytes: null, updatesBytes: null, usedBytes: null },
      ),
      ['eviction_dirty_trigger=10'],
    ));
  it('force does everything at once', () =>
    assert.equal(
      makeSteps(
        BEFORE,
        { evictionDirtyTarget: 2, evictionDirtyTrigger: 5 },
        { ...EMPTY, dirtyBytes: GB },
        { wait: false },
      ).length,
      1,
    ));

  it('a cache shrinks at once when what it holds fits', () => {
    assert.deepEqual(steps({ cacheSizeGB: 1 }, { usedBytes: 0.9 * GB, dirtyBytes: 100 * MB }), [
      'cache_size=1024M',
    ]);
  });
  it('after a wait when it does not, be it dirty or clean', () => {
    const wait = 'wait used<231,dirty<49,updates<24';
    assert.deepEqual(steps({ cacheSizeGB: 0.25 }, { dirtyBytes: 500 * MB }), [
      wait,
      'cache_size=256M',
    ]);
    assert.deepEqual(steps({ cacheSizeGB: 0.25 }, { usedBytes: 300 * MB }), [
      wait,
      'cache_size=256M',
    ]);
  });
  it('a wait knows what it is for', () => {
    const change = { evictionDirtyTarget: 2, evictionDirtyTrigger: 5 };
    const wait = makeSteps(
      BEFORE,
      { ...change, evictionThreadsMax: 8 },
      { ...EMPTY, dirtyBytes: GB },
    )[1];
    assert.deepEqual(wait.kind === 'wait' && [wait.group, wait.change], ['dirty', change]);
  });

  it('thresholds in bytes are lowered before the cache that they would not fit into', () => {
    assert.deepEqual(
      steps(
        { cacheSizeGB: 1, evictionDirtyTarget: 50 * MB, evictionDirtyTrigger: 200 * MB },
        {},
        { evictionDirtyTarget: 2 * GB, evictionDirtyTrigger: 3 * GB },
      ),
      [`eviction_dirty_target=${50 * MB},eviction_dirty_trigger=${200 * MB}`, 'cache_size=1024M'],
    );
  });
  it('and raised after it', () =>
    assert.deepEqual(
      steps({ cacheSizeGB: 8, evictionDirtyTarget: 5 * GB, evictionDirtyTrigger: 6 * GB })[0],
      'cache_size=8192M',
    ));
  it('updates go before a trigger that would be clamped onto their target', () => {
    assert.deepEqual(
      steps(
        { evictionTarget: 50, evictionTrigger: 60, evictionUpdatesTarget: 20 },
        {},
        { evictionUpdatesTarget: 70, evictionUpdatesTrigger: 90 },
      ),
      ['eviction_updates_target=20', 'eviction_target=50,eviction_trigger=60'],
    );
  });
  it("without a good order the table's stays", () =>
    assert.deepEqual(
      steps({ cacheSizeGB: 1 }, {}, { evictionDirtyTarget: 2 * GB, evictionDirtyTrigger: 3 * GB }),
      ['cache_size=1024M'],
    ));
});

describe('change/pure/levels', () => {
  it('leaf pages are what WiredTiger compares, where the server tells them', () => {
    assert.deepEqual(
      levelsOf({
        'cache.usedBytes': 9,
        'cache.dirtyBytes': 5,
        'cache.dirtyLeafBytes': 3,
        'cache.updatesBytes': 1,
      }),
      { usedBytes: 9, dirtyBytes: 3, updatesBytes: 1 },
    );
    assert.equal(levelsOf({ 'cache.dirtyBytes': 5 }).dirtyBytes, 5);
    assert.deepEqual(levelsOf({}), { usedBytes: null, dirtyBytes: null, updatesBytes: null });
  });
  it('says them', () =>
    assert.equal(
      showLimits(limitsAfter(BEFORE, { evictionTarget: 60, evictionTrigger: 70 }), {
        usedBytes: 3 * GB,
        dirtyBytes: 0,
        updatesBytes: 0,
      }),
      '3 GiB in the cache, to be under 2.66 GiB',
    ));
  it('a trigger that is not known counts as if it were as high as the cache is large', () => {
    const unknown = { ...BEFORE, evictionDirtyTrigger: null, evictionTrigger: null };
    const gb = Number(BEFORE.cacheSizeGB);
    assert.deepEqual(limitsAfter(unknown, { evictionDirtyTrigger: 10 }), [
      {
        kind: 'dirty',
        trigger: 'evictionDirtyTrigger',
        belowBytes: Math.floor(0.1 * gb * GB * 0.95),
      },
      ...limitsAfter(unknown, { evictionDirtyTrigger: 10 }).slice(1),
    ]);
    // In a smaller cache as if it were the default.
    assert.deepEqual(
      limitsAfter(unknown, { cacheSizeGB: gb / 2 }).find(({ kind }) => kind === 'used')?.belowBytes,
      Math.floor(((0.95 * gb) / 2) * GB * 0.95),
    );
    assert.deepEqual(limitsAfter(unknown, { cacheSizeGB: 2 * gb }), []);
    assert.deepEqual(limitsAfter(unknown, { evictionDirtyTarget: 3 }), []);
    const updates = { ...BEFORE, evictionUpdatesTrigger: null };
    assert.deepEqual(
      limitsAfter(updates, { evictionUpdatesTrigger: 12 }).map(({ kind }) => kind),
      ['updates'],
    );
  });
  it('a cache of unknown size has no limits in bytes', () =>
    assert.deepEqual(
      limitsAfter({ ...BEFORE, cacheSizeGB: null }, { evictionDirtyTrigger: 10 }),
      [],
    ));
});

const SAME = 'eviction_target=75';
const set = (/** @type {string} */ config, /** @type {string | null} */ id = null) =>
  /** @type {const} */ ({ kind: 'set', config, id, atMs: 1 });
const step = () =>
  /** @type {any} */ ({ kind: 'set', group: 'used', change: { evictionTarget: 75 }, config: SAME });

/** @param {any[]} timeline */
const sent = (...timeline) => sentWith({ timeline });
/** @param {any} known */
function sentWith(known) {
  const [made] = unlikeSteps([step()], known);
  return /** @type {any} */ (made).config;
}

describe('change/pure/steps: strings that no other shell takes for its own', () => {
  const between = set('eviction_dirty_trigger=30');
  it('what others sent gets a blank, as many as it takes', () => {
    assert.equal(sent(set(SAME), between), `${SAME} `);
    assert.equal(sent(set(SAME), set(`${SAME} `), between), `${SAME}  `);
    assert.equal(sent(set(SAME), { kind: 'gap' }), `${SAME} `);
    assert.equal(sent(set(SAME)), `${SAME} `);
    assert.equal(sent(between), SAME);
  });
  it('what others set meanwhile, or a journal alone remembers, counts as well', () => {
    const external = [{ values: { config: SAME } }];
    assert.equal(sentWith({ timeline: [], external }), `${SAME} `);
    const entry = { was: null, sent: [], external: [], known: null };
    const call = { command: 'x=1', was: SAME };
    for (const more of [
      { was: SAME },
      { sent: [call] },
      { external: [SAME] },
      { known: [{ config: SAME, id: null }] },
    ])
      assert.equal(sentWith({ timeline: [], entries: [{ ...entry, ...more }] }), `${SAME} `);
  });
  it('so does what a log has forgotten, which gets a number of blanks in any case', () => {
    assert.equal(sentWith({ timeline: [], blanks: 3 }), `${SAME}   `);
    assert.equal(sentWith({ timeline: [set(`${SAME}   `)], blanks: 3 }), `${SAME}    `);
  });
  it('what this journal sent is its own', () => {
    assert.equal(sent(set(SAME, 'own'), between), SAME);
    const own = { was: SAME, sent: [{ command: SAME, was: '' }], external: [], known: null };
    assert.equal(sentWith({ timeline: [], entries: [own] }), SAME);
  });
  it('it means the same', () => assert.deepEqual(settingsIn(`${SAME}  `), { evictionTarget: 75 }));
  it('a wait stays as it is', () => {
    const wait = /** @type {any} */ ({ kind: 'wait', limits: [] });
    assert.deepEqual(unlikeSteps([wait], { timeline: [] }), [wait]);
  });
});
