'use strict';

const assert = require('node:assert/strict');
const { makeConf } = require('../../../lib/config/mongod-conf');
const { makeConfig } = require('../../../lib/config/effective-config');

const STARTUP = { opened: null, cacheSizeGB: null, configString: null, syncPeriodSecs: null };
/** @param {{ startup?: object, runTime?: string[], change?: object, gap?: boolean, version?: string }} [parts] */
function make({ startup, runTime = [], change, gap = false, version } = {}) {
  const start = { ...STARTUP, ...startup };
  const events = [
    ...(gap ? [{ kind: /** @type {const} */ ('gap') }] : []),
    ...runTime.map((config) => ({ kind: /** @type {const} */ ('set'), config })),
  ];
  const { config } = makeConfig({
    startup: start,
    runTime: events,
    memoryBytes: 9 * 2 ** 30,
    live: {},
  });
  return makeConf({ startup: start, runTime, config, change, version });
}
/** @param {Parameters<typeof make>[0]} [parts] */
const engine = (parts) => make(parts).conf.storage.wiredTiger?.engineConfig;

describe('config/mongod-conf', () => {
  it('nothing set is an empty fragment', () =>
    assert.deepEqual(make(), { conf: { storage: {} }, notes: [], conflict: null }));
  it('what was changed at run time', () =>
    assert.deepEqual(
      engine({ runTime: ['cache_size=2G', 'eviction=(threads_max=8),eviction_dirty_target=3'] }),
      { cacheSizeGB: 2, configString: 'eviction=(threads_max=8),eviction_dirty_target=3' },
    ));
  it('with a change that is planned', () =>
    assert.deepEqual(
      engine({ runTime: ['eviction_target=70'], change: { evictionTarget: 75, cacheSizeGB: 3 } }),
      { cacheSizeGB: 3, configString: 'eviction_target=75' },
    ));
  it('syncdelay has a place of its own', () =>
    assert.deepEqual(make({ change: { syncdelaySeconds: 30 } }).conf, {
      storage: { syncPeriodSecs: 30 },
    }));

  describe('a size in percent', () => {
    const startup = { cacheSizePct: 40 };
    it('stays where nothing else is wanted', () =>
      assert.deepEqual(make({ startup }), {
        conf: { storage: { wiredTiger: { engineConfig: { cacheSizePct: 40 } } } },
        notes: [],
        conflict: null,
      }));
    it('gives way to a size, since mongod does not start with both', () => {
      for (const parts of [{ change: { cacheSizeGB: 2 } }, { runTime: ['cache_size=2G'] }]) {
        const { conf, notes } = make({ startup, ...parts });
        assert.deepEqual(conf.storage.wiredTiger?.engineConfig, { cacheSizeGB: 2 });
        assert.match(notes.join(), /Remove cacheSizePct: 40/);
      }
    });
  });
  it('a dirty trigger is given to mongod too, from 8.2 on', () => {
    const change = { evictionDirtyTarget: 10, evictionDirtyTrigger: 40, cacheSizeGB: 2 };
    const { conf, notes } = make({ change, version: '8.2.3' });
    assert.deepEqual(conf.setParameter, { wiredTigerEvictionDirtyMaxGB: 0.8 });
    assert.match(notes.join(), /cache-pressure aborts/);
    assert.deepEqual(
      make({ change: { evictionDirtyTrigger: 2 ** 30 }, version: '9.0.2' }).conf.setParameter,
      { wiredTigerEvictionDirtyMaxGB: 1 },
    );
    assert.deepEqual(
      make({ change: { evictionDirtyTrigger: 1, cacheSizeGB: 0.25 }, version: '9.0.2' }).conf
        .setParameter,
      { wiredTigerEvictionDirtyMaxGB: 0.01 },
    );
    for (const given of [
      { change, version: '8.0.30' },
      { change },
      { change: { evictionDirtyTrigger: 20 }, version: '8.2.3' },
      { change: { evictionTarget: 70 }, version: '8.2.3' },
    ])
      assert.equal(make(given).conf.setParameter, undefined);
  });

  it('keeps what the start has, so that the fragment can replace it', () => {
    const startup = {
      cacheSizeGB: 1,
      configString: 'eviction=(threads_max=6),statistics=(fast),error_prefix="a b",create',
      syncPeriodSecs: 45,
    };
    assert.deepEqual(make({ startup, change: { evictionThreadsMin: 5 } }).conf, {
      storage: {
        syncPeriodSecs: 45,
        wiredTiger: {
          engineConfig: {
            cacheSizeGB: 1,
            configString:
              'eviction=(threads_max=6,threads_min=5),statistics=(fast),error_prefix="a ' +
              'b",create=true',
          },
        },
      },
    });
  });
  it('a cache_size in the old string goes to cacheSizeGB, and wins over it, as it did', () =>
    assert.deepEqual(engine({ startup: { cacheSizeGB: 1, configString: 'cache_size=3G' } }), {
      cacheSizeGB: 3,
    }));
  it('keys that are no settings of tune are kept as they were last set', () =>
    assert.deepEqual(
      engine({
        startup: { configString: 'file_manager=(close_idle_time=600)' },
        runTime: ['file_manager=(close_idle_time=7,close_scan_interval=3)'],
      }),
      { configString: 'file_manager=(close_idle_time=7,close_scan_interval=3)' },
    ));
  it('but not what was only tried', () => {
    const { conf, notes } = make({
      runTime: [
        'checkpoint=(wait=9),debug_mode=(cursor_copy=true),verbose=[api],checkpoint=(log_size=1)',
      ],
    });
    assert.deepEqual(conf.storage.wiredTiger?.engineConfig, { configString: 'verbose=[api]' });
    assert.deepEqual(notes, [
      'Omitted because they apply at run time only: checkpoint.wait, ' +
        'debug_mode.cursor_copy, checkpoint.log_size.',
    ]);
  });

  for (const [cacheSizeGB, expected] of /** @type {[number, object][]} */ ([
    [0.25, { cacheSizeGB: 0.25 }],
    [0.125, { configString: 'cache_size=128M' }],
    [10_000, { cacheSizeGB: 10_000 }],
    [10_001, { configString: 'cache_size=10241024M' }],
  ])) {
    it(`a cache of ${cacheSizeGB} GB`, () => {
      assert.deepEqual(engine({ change: { cacheSizeGB } }), expected);
      assert.equal(
        make({ change: { cacheSizeGB } }).notes.length,
        'cacheSizeGB' in expected ? 0 : 1,
      );
    });
  }
  it('what the server shows is not what was set', () => {
    const { config } = makeConfig({
      startup: STARTUP,
      runTime: [{ kind: 'gap' }],
      memoryBytes: 9 * 2 ** 30,
      live: { 'eviction.updatesTargetPercent': 2.5, 'eviction.dirtyTargetPercent': 5 },
    });
    const { conf, notes } = makeConf({ startup: STARTUP, config });
    assert.deepEqual(conf, { storage: {} });
    assert.match(notes.join(), /^Omitted because not known: .*evictionUpdatesTarget/);
  });
  it('what is not known is said', () =>
    assert.match(
      make({ gap: true, runTime: ['eviction_target=70'], change: { evictionTrigger: 96 } })
        .notes[0],
      /^Omitted because not known: cacheSizeGB, evictionThreadsMin, evictionThreadsMax, evictionDirtyTarget/,
    ));
  it('what the start has is not omitted', () => {
    const startup = { cacheSizeGB: 1, configString: 'eviction_target=70' };
    const { conf, notes } = make({ startup, gap: true });
    assert.match(String(conf.storage.wiredTiger?.engineConfig.configString), /eviction_target=70/);
    assert.match(
      notes[0],
      /^Omitted because not known: evictionThreadsMin, evictionThreadsMax, evictionTrigger/,
    );
    assert.match(
      notes[1],
      /^Active value not known, so as at the start: cacheSizeGB, evictionTarget\.$/,
    );
  });
  it('without any knowledge of the server it is the change alone', () =>
    assert.deepEqual(
      makeConf({ startup: null, config: null, change: { cacheSizeGB: 2, evictionTarget: 70 } }),
      {
        conf: {
          storage: {
            wiredTiger: { engineConfig: { cacheSizeGB: 2, configString: 'eviction_target=70' } },
          },
        },
        notes: [],
        conflict: null,
      },
    ));

  describe('mongod does not start', () => {
    for (const [what, parts, expected] of /** @type {[string, any, string[]][]} */ ([
      [
        'beside a wrong order of another session',
        { runTime: ['eviction_dirty_trigger=3'], change: { evictionThreadsMax: 6 } },
        ['evictionDirtyTarget', 'evictionDirtyTrigger'],
      ],
      [
        'where the other setting is forgotten, and its default counts',
        { gap: true, change: { evictionDirtyTarget: 25 } },
        ['evictionDirtyTarget', 'evictionDirtyTrigger'],
      ],
      [
        'with more threads than the default allows, which are forgotten',
        { gap: true, runTime: ['eviction=(threads_min=8)'] },
        ['evictionThreadsMin', 'evictionThreadsMax'],
      ],
      [
        'with a threshold that a smaller cache cannot hold',
        {
          startup: { cacheSizeGB: 1 },
          runTime: ['eviction_dirty_trigger=600M'],
          change: { cacheSizeGB: 0.5 },
        },
        ['evictionDirtyTrigger', 'cacheSizeGB'],
      ],
      [
        'where the parameters of mongod, which stay, contradict',
        {
          startup: { cacheSizeGB: 1, thresholds: { evictionDirtyTrigger: 2 ** 27 } },
          gap: true,
          runTime: ['eviction_dirty_target=15'],
        },
        ['evictionDirtyTarget', 'evictionDirtyTrigger'],
      ],
    ]))
      it(what, () => assert.deepEqual(make(parts).conflict?.settings, expected));

    it('not where the start has the other setting', () => {
      const startup = { configString: 'eviction_dirty_trigger=40' };
      assert.equal(make({ startup, change: { evictionDirtyTarget: 25 } }).conflict, null);
      assert.equal(
        make({ startup, gap: true, change: { evictionDirtyTarget: 25 } }).conflict,
        null,
      );
    });
  });
});
