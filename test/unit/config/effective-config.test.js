'use strict';

const assert = require('node:assert/strict');
const { makeConfig, settingsIn } = require('../../../lib/config/effective-config');
const { effective } = require('../../../lib/config/thresholds');
const { SETTING_NAMES } = require('../../../lib/config/setting-table');

/**
 * @import { Known } from '../../../lib/config/effective-config'
 * @import { SettingName } from '../../../lib/base/types'
 */

const GB = 2 ** 30;
const STARTED = { opened: null, cacheSizeGB: null, configString: null, syncPeriodSecs: null };
const set = (/** @type {string} */ config) => ({ kind: /** @type {const} */ ('set'), config });
const GAP = { kind: /** @type {const} */ ('gap') };

/** @param {Partial<Known>} known */
const make = (known) =>
  makeConfig({ startup: STARTED, runTime: [], memoryBytes: 9 * GB, live: {}, ...known });
/**
 * Value and origin of one setting.
 * @param {Partial<Known>} known
 * @param {SettingName} setting
 */
const one = (known, setting) => {
  const { value, from, sinceRestart } = make(known).config[setting];
  return [value, from, sinceRestart];
};

describe('config/effective-config: layers', () => {
  it('a size in percent of the memory is set at start, and 80% at most (8.0.20+, 8.2+)', () => {
    const started = (/** @type {number} */ cacheSizePct) => ({ ...STARTED, cacheSizePct });
    assert.deepEqual(one({ startup: started(40), memoryBytes: 10 * GB }, 'cacheSizeGB'), [
      4,
      'startup',
      false,
    ]);
    assert.equal(one({ startup: started(90), memoryBytes: 10 * GB }, 'cacheSizeGB')[0], 8);
    assert.equal(one({ startup: started(1), memoryBytes: 10 * GB }, 'cacheSizeGB')[0], 0.25);
    assert.deepEqual(
      one(
        { startup: started(40), memoryBytes: null, live: { 'cache.maxBytes': 3 * GB } },
        'cacheSizeGB',
      ),
      [3, 'startup', false],
    );
    assert.equal(
      one({ startup: { ...started(40), opened: 'create,cache_size=3072M' } }, 'cacheSizeGB')[0],
      3,
    );
    assert.equal(make({ startup: started(40) }).config.cacheSizeGB.default, 4);
    assert.deepEqual(
      one(
        { startup: started(40), runTime: [set('cache_size=1G')], live: { 'cache.maxBytes': GB } },
        'cacheSizeGB',
      ),
      [1, 'runtime', true],
    );
  });
  it('thresholds by parameters of mongod, over which configString counts (its options idl)', () => {
    const startup = {
      ...STARTED,
      cacheSizeGB: 4,
      thresholds: { evictionDirtyTarget: GB / 4, evictionDirtyTrigger: GB },
    };
    assert.deepEqual(one({ startup }, 'evictionDirtyTrigger'), [25, 'startup', false]);
    assert.deepEqual(one({ startup }, 'evictionUpdatesTrigger')[0], 12.5);
    assert.equal(
      one(
        { startup: { ...startup, configString: 'eviction_dirty_trigger=30' } },
        'evictionDirtyTrigger',
      )[0],
      30,
    );
  });
  it(
    'defaults: the cache is half of the memory beyond 1 GiB; mongod runs 4 threads; updates ' +
      'are half of dirty',
    () => {
      const { config, drift, mended } = make({});
      assert.deepEqual(
        Object.fromEntries(SETTING_NAMES.map((setting) => [setting, config[setting].value])),
        {
          cacheSizeGB: 4,
          evictionThreadsMin: 4,
          evictionThreadsMax: 4,
          evictionTarget: 80,
          evictionTrigger: 95,
          evictionDirtyTarget: 5,
          evictionDirtyTrigger: 20,
          evictionUpdatesTarget: 2.5,
          evictionUpdatesTrigger: 10,
          evictionCheckpointTarget: 5,
          syncdelaySeconds: 60,
        },
      );
      assert.ok(
        SETTING_NAMES.every(
          (setting) =>
            config[setting].from === 'default' &&
            !config[setting].sinceRestart &&
            config[setting].value === config[setting].default,
        ),
      );
      assert.deepEqual([drift, mended], [[], []]);
    },
  );

  it('who set it at run time', () => {
    const by = (/** @type {any[]} */ runTime, live = {}) =>
      make({ runTime, live }).config.evictionThreadsMax.by;
    const call = (/** @type {string | null} */ id, threads = 6) => ({
      ...set(`eviction=(threads_max=${threads})`),
      id,
    });
    assert.deepEqual(
      [
        by([]),
        by([call('a')]),
        by([call(null)]),
        by([call('a'), call(null)]),
        by([call(null), call('a')]),
        by([set('eviction=(threads_max=6)')]),
      ],
      [undefined, 'tune', 'others', 'others', 'tune', null],
    );
    assert.deepEqual([by([call('a'), GAP]), by([call('a'), call('a', 4)])], [undefined, undefined]);
    assert.equal(by([call('a')], { 'eviction.threadsActive': 8 }), null);
    assert.equal('by' in make({ runTime: [call('a'), GAP] }).config.evictionThreadsMax, false);
  });

  it('the default cache is at least 256 MiB, whole megabytes, and unknown without the memory', () => {
    assert.equal(make({ memoryBytes: GB }).config.cacheSizeGB.value, 0.25);
    assert.equal(make({ memoryBytes: 24105 * 2 ** 20 }).config.cacheSizeGB.value, 11540 / 1024);
    assert.deepEqual(make({ memoryBytes: null }).config.cacheSizeGB, {
      value: null,
      from: 'default',
      default: null,
      sinceRestart: false,
      set: null,
    });
  });

  it('start-up options come over the defaults', () => {
    const startup = {
      ...STARTED,
      cacheSizeGB: 2,
      configString: 'eviction=(threads_max=8),eviction_dirty_target=3',
      syncPeriodSecs: 30,
    };
    assert.deepEqual(one({ startup }, 'cacheSizeGB'), [2, 'startup', false]);
    assert.deepEqual(one({ startup }, 'evictionThreadsMax'), [8, 'startup', false]);
    assert.deepEqual(one({ startup }, 'evictionThreadsMin'), [4, 'default', false]);
    assert.deepEqual(one({ startup }, 'evictionDirtyTarget'), [3, 'startup', false]);
    assert.deepEqual(one({ startup }, 'syncdelaySeconds'), [30, 'startup', false]);
    assert.equal(make({ startup }).config.evictionThreadsMax.default, 4);
  });

  it('an option that repeats the default was given all the same', () =>
    assert.deepEqual(
      one({ startup: { ...STARTED, configString: 'eviction_target=80' } }, 'evictionTarget'),
      [80, 'startup', false],
    ));

  it('cache_size in the configString wins over cacheSizeGB', () =>
    assert.deepEqual(
      one(
        { startup: { ...STARTED, cacheSizeGB: 2, configString: 'cache_size=3G' } },
        'cacheSizeGB',
      ),
      [3, 'startup', false],
    ));

  it('the string in the log tells what start-up parameters of mongod made of it', () => {
    const opened =
      'create,cache_size=4096M,session_max=33000,eviction=(threads_min=4,' +
      'threads_max=4),eviction_dirty_target=512MB,config_base=false';
    assert.deepEqual(one({ startup: { ...STARTED, opened } }, 'evictionDirtyTarget'), [
      12.5,
      'startup',
      false,
    ]);
    assert.deepEqual(one({ startup: { ...STARTED, opened } }, 'cacheSizeGB'), [
      4,
      'default',
      false,
    ]);
    assert.deepEqual(one({ startup: { ...STARTED, opened } }, 'evictionThreadsMin'), [
      4,
      'default',
      false,
    ]);
  });

  it('where mongod saw other memory than hostInfo tells, the size it has is the default', () => {
    const opened = 'create,cache_size=1024M,eviction=(threads_min=4,threads_max=4)';
    assert.deepEqual(
      make({ startup: { ...STARTED, opened }, live: { 'cache.maxBytes': GB } }).config.cacheSizeGB,
      { value: 1, from: 'default', default: 1, sinceRestart: false, set: 1 },
    );
    assert.deepEqual(make({ live: { 'cache.maxBytes': GB } }).config.cacheSizeGB, {
      value: 1,
      from: 'default',
      default: 1,
      sinceRestart: false,
      set: 1,
    });
    assert.deepEqual(make({ live: { 'cache.maxBytes': GB } }).drift, []);
  });

  it('what is set at run time comes last, in order, and is lost at restart', () => {
    const runTime = [
      set('eviction=(threads_max=8)'),
      set('eviction_dirty_trigger=30'),
      set('eviction=(threads_max=6)'),
    ];
    assert.deepEqual(one({ runTime }, 'evictionThreadsMax'), [6, 'runtime', true]);
    assert.deepEqual(one({ runTime }, 'evictionDirtyTrigger'), [30, 'runtime', true]);
    assert.deepEqual(one({ runTime }, 'evictionDirtyTarget'), [5, 'default', false]);
  });

  it('set back to what it was at start, nothing is lost at restart', () => {
    assert.deepEqual(
      one({ runTime: [set('eviction_target=70'), set('eviction_target=80')] }, 'evictionTarget'),
      [80, 'default', false],
    );
    assert.deepEqual(
      one(
        {
          startup: { ...STARTED, configString: 'eviction_target=75' },
          runTime: [set('eviction_target=70'), set('eviction_target=75')],
        },
        'evictionTarget',
      ),
      [75, 'startup', false],
    );
  });

  it('after a gap only what was set later is known', () => {
    const runTime = [set('eviction_target=70'), GAP, set('eviction_dirty_target=3')];
    assert.deepEqual(one({ runTime }, 'evictionTarget'), [null, 'unknown', false]);
    assert.deepEqual(one({ runTime }, 'evictionDirtyTarget'), [3, 'runtime', true]);
    assert.deepEqual(one({ runTime }, 'evictionUpdatesTarget'), [null, 'unknown', false]);
    assert.deepEqual(one({ runTime }, 'syncdelaySeconds'), [60, 'default', false]);
    assert.equal(make({ runTime }).config.evictionTarget.default, 80);
  });

  it('unknown start-up options leave everything unknown that was not set since', () => {
    const known = { startup: null, runTime: [set('eviction_target=70')] };
    assert.deepEqual(one(known, 'evictionTarget'), [70, 'runtime', true]);
    assert.deepEqual(one(known, 'evictionTrigger'), [null, 'unknown', false]);
    assert.deepEqual(one(known, 'syncdelaySeconds'), [null, 'unknown', false]);
    assert.equal(make(known).startValues, null);
  });

  it('startValues are what a restart would bring', () => {
    const { startValues } = make({
      startup: { ...STARTED, cacheSizeGB: 2 },
      runTime: [set('cache_size=3G,eviction_target=70')],
    });
    assert.deepEqual(
      [startValues?.cacheSizeGB, startValues?.evictionTarget, startValues?.evictionUpdatesTarget],
      [2, 80, 0],
    );
  });
});

describe('config/effective-config: against what the server tells', () => {
  it('the same says nothing', () =>
    assert.deepEqual(
      make({ live: { 'cache.maxBytes': 4 * GB, 'eviction.threadsActive': 4 } }).drift,
      [],
    ));

  it('another cache size than recorded is drift, and what is read back counts', () => {
    const known = { startup: { ...STARTED, cacheSizeGB: 2 }, live: { 'cache.maxBytes': 3 * GB } };
    assert.deepEqual(one(known, 'cacheSizeGB'), [3, 'runtime', true]);
    assert.deepEqual(
      make(known).drift.map(({ setting, recorded, value }) => [setting, recorded, value]),
      [['cacheSizeGB', 2, 3]],
    );
    assert.match(
      make(known).drift[0].say,
      /cacheSizeGB is 3, but 2 was recorded: an external change/,
    );
  });

  it("after a gap the cache size is read back without drift; equal to the start it is the start's", () => {
    assert.deepEqual(
      [
        one({ runTime: [GAP], live: { 'cache.maxBytes': 3 * GB } }, 'cacheSizeGB'),
        make({ runTime: [GAP], live: { 'cache.maxBytes': 3 * GB } }).drift,
      ],
      [[3, 'runtime', true], []],
    );
    assert.deepEqual(
      one(
        {
          startup: { ...STARTED, cacheSizeGB: 3 },
          runTime: [GAP],
          live: { 'cache.maxBytes': 3 * GB },
        },
        'cacheSizeGB',
      ),
      [3, 'startup', false],
    );
  });

  for (const [
    name,
    runTime,
    active,
    min,
    max,
    drift,
  ] of /** @type {[string, string, number, number, number, number][]} */ ([
    ['within their limits threads move', 'eviction=(threads_min=2,threads_max=8)', 2, 2, 8, 0],
    ['within their limits threads move', 'eviction=(threads_min=2,threads_max=8)', 8, 2, 8, 0],
    ['more than the maximum', 'eviction=(threads_min=2,threads_max=8)', 9, 2, 9, 1],
    ['fewer than the minimum', 'eviction=(threads_min=2,threads_max=8)', 1, 1, 8, 1],
    ['minimum and maximum alike', 'eviction=(threads_min=4,threads_max=4)', 6, 6, 6, 2],
    ['minimum and maximum alike', 'eviction=(threads_min=4,threads_max=4)', 3, 3, 3, 2],
  ])) {
    it(`threads: ${name}, ${active} active`, () => {
      const made = make({ runTime: [set(runTime)], live: { 'eviction.threadsActive': active } });
      assert.deepEqual(
        [
          made.config.evictionThreadsMin.value,
          made.config.evictionThreadsMax.value,
          made.drift.length,
        ],
        [min, max, drift],
      );
    });
  }

  it('threads under a key in quotes are compared once, and what is recorded stays recorded', () => {
    const runTime = [
      set('eviction=(threads_min=4,threads_max=4)'),
      set('eviction=("threads_max"=8)'),
    ];
    for (const active of [4, 6, 8]) {
      const { config, drift } = make({ runTime, live: { 'eviction.threadsActive': active } });
      assert.deepEqual(
        drift.map(({ setting, recorded, value }) => [setting, recorded, value]),
        [['evictionThreadsMax', 4, 8]],
      );
      assert.equal(config.evictionThreadsMin.value, 4);
    }
  });

  it('threads whose limits are not known are not guessed', () =>
    assert.deepEqual(
      one({ runTime: [GAP], live: { 'eviction.threadsActive': 4 } }, 'evictionThreadsMax'),
      [null, 'unknown', false],
    ));

  it('a server that tells its thresholds is believed (9.0)', () => {
    const known = {
      live: {
        'eviction.dirtyTriggerPercent': 35,
        'eviction.targetPercent': 80,
        'eviction.updatesTargetPercent': 2.5,
      },
    };
    assert.deepEqual(one(known, 'evictionDirtyTrigger'), [35, 'runtime', true]);
    assert.deepEqual(
      make(known).drift.map(({ setting }) => setting),
      ['evictionDirtyTrigger'],
    );
    assert.deepEqual(one(known, 'evictionTarget'), [80, 'default', false]);
  });

  // After src/evict/evict_conn.c: with precise checkpoints, and a dirty trigger of 9% beside 5%.
  for (const [trigger, updates] of [
    [20, 10],
    [9, 9],
  ])
    it(`updates thresholds of precise checkpoints are no external change: ${updates}%`, () => {
      const known = {
        runTime: [set(`eviction_dirty_trigger=${trigger}`)],
        live: {
          'eviction.dirtyTargetPercent': 5,
          'eviction.dirtyTriggerPercent': trigger,
          'eviction.updatesTargetPercent': 5,
          'eviction.updatesTriggerPercent': updates,
        },
      };
      assert.deepEqual(make(known).drift, []);
      assert.deepEqual(one(known, 'evictionUpdatesTarget'), [5, 'default', false]);
      assert.equal(one(known, 'evictionUpdatesTrigger')[0], updates);
      assert.equal(make(known).config.evictionUpdatesTarget.default, 5);
    });

  it('nor are those that follow a dirty threshold which another session set', () => {
    const live = { 'eviction.dirtyTriggerPercent': 30, 'eviction.updatesTriggerPercent': 15 };
    assert.deepEqual(
      make({ live }).drift.map(({ setting }) => setting),
      ['evictionDirtyTrigger'],
    );
    assert.deepEqual(one({ live }, 'evictionUpdatesTrigger'), [15, 'default', false]);
    assert.equal(make({ live }).config.evictionUpdatesTrigger.set, 0);
  });

  it('an updates threshold that is neither is an external change', () =>
    assert.equal(make({ live: { 'eviction.updatesTargetPercent': 4 } }).drift.length, 1));

  it('and shows what the record lacks, of which it is not known how it was set', () => {
    const live = { 'eviction.dirtyTargetPercent': 5, 'eviction.updatesTargetPercent': 2.5 };
    for (const known of [
      { runTime: [GAP], live },
      { startup: null, live },
    ]) {
      const { config, drift } = make(known);
      assert.deepEqual(drift, []);
      for (const [setting, value] of /** @type {[SettingName, number][]} */ ([
        ['evictionDirtyTarget', 5],
        ['evictionUpdatesTarget', 2.5],
      ])) {
        assert.deepEqual(one(known, setting), [value, 'unknown', false]);
        assert.equal(config[setting].set, null);
      }
    }
  });

  it('a rounded percentage is not what another session set', () => {
    const { config, drift } = make({ live: { 'eviction.dirtyTriggerPercent': 12.21 } });
    assert.deepEqual(
      [config.evictionDirtyTrigger.value, config.evictionDirtyTrigger.set, drift[0].recorded],
      [12.21, null, 20],
    );
  });

  it('rounding to two decimals is no drift', () => {
    const runTime = [set('eviction_dirty_target=100M')];
    assert.deepEqual(make({ runTime, live: { 'eviction.dirtyTargetPercent': 2.44 } }).drift, []);
    assert.equal(make({ runTime, live: { 'eviction.dirtyTargetPercent': 2.46 } }).drift.length, 1);
  });
});

describe('config/effective-config: what WiredTiger mends in silence', () => {
  const mend = (/** @type {string} */ text) => make({ runTime: [set(text)] });
  it('a dirty target above the target', () => {
    const { config, mended } = mend(
      'eviction_target=50,eviction_dirty_target=60,eviction_dirty_trigger=70',
    );
    assert.deepEqual([config.evictionDirtyTarget.value, config.evictionDirtyTarget.set], [50, 60]);
    assert.match(
      mended[0],
      /evictionDirtyTarget 60 has the effect of 50: it cannot be above evictionTarget/,
    );
  });
  it('a dirty trigger above the trigger', () =>
    assert.equal(mend('eviction_dirty_trigger=99').config.evictionDirtyTrigger.value, 95));
  it('an updates trigger above the trigger', () =>
    assert.equal(mend('eviction_updates_trigger=99').config.evictionUpdatesTrigger.value, 95));
  it('updates of 0 follow dirty', () => {
    const { config } = mend('eviction_dirty_target=10,eviction_dirty_trigger=40');
    assert.deepEqual(
      [
        config.evictionUpdatesTarget.value,
        config.evictionUpdatesTrigger.value,
        config.evictionUpdatesTarget.from,
      ],
      [5, 20, 'default'],
    );
  });
  it('a checkpoint target below the dirty target, unless it is 0', () => {
    assert.equal(mend('eviction_checkpoint_target=2').config.evictionCheckpointTarget.value, 5);
    assert.equal(mend('eviction_checkpoint_target=5').config.evictionCheckpointTarget.value, 5);
    assert.equal(mend('eviction_checkpoint_target=6').config.evictionCheckpointTarget.value, 6);
    assert.equal(mend('eviction_checkpoint_target=0').config.evictionCheckpointTarget.value, 0);
  });
  it('bytes become percent of the cache', () =>
    assert.equal(mend('eviction_dirty_target=1G').config.evictionDirtyTarget.value, 25));
  it('bytes of a cache of unknown size stay unknown', () =>
    assert.equal(effective({ evictionDirtyTarget: 2 ** 30 }).percent.evictionDirtyTarget, null));
  it('the default checkpoint target of 1 is not worth a word', () =>
    assert.deepEqual(make({}).mended, []));
});

describe('config/effective-config: the settings in a string', () => {
  it('in their units', () =>
    assert.deepEqual(
      settingsIn(
        'cache_size=1536M,eviction=(threads_max=8),eviction_dirty_target=200MB,statistics=(fast)',
      ),
      { cacheSizeGB: 1.5, evictionThreadsMax: 8, evictionDirtyTarget: 200 * 2 ** 20 },
    ));
  it('none', () =>
    assert.deepEqual(
      [settingsIn(''), settingsIn('cache_size=abc'), settingsIn('foo=1')],
      [{}, {}, {}],
    ));
});
