'use strict';

const assert = require('node:assert/strict');
const { NO_FACTS } = require('../../../../lib/server/pure/facts');
const { factsOf } = require('../../../../lib/recording/ftdc/facts');

const GIB = 2 ** 30;
const identity = { host: 'db1:27017', version: '7.0.5', process: 'mongod', engine: 'wiredTiger' };
const docs = {
  hostInfo: { system: { hostname: 'db1', memSizeMB: 16_384, memLimitMB: 8192, numCores: 4 } },
  buildInfo: { version: '7.0.4' },
  getCmdLineOpts: {
    parsed: {
      storage: {
        dbPath: '/data',
        syncPeriodSecs: 30,
        wiredTiger: { engineConfig: { cacheSizeGB: 2, configString: 'eviction_dirty_trigger=40' } },
      },
    },
  },
};
const sample = (/** @type {object} */ counters = {}) => ({
  atMs: 10_000,
  uptimeMs: 4000,
  counters: { 'cache.maxBytes': 2 * GIB, 'eviction.threadsActive': 4, ...counters },
});
/** @param {any} [more] */
const server = (more) => ({
  identity,
  metadata: { docs, parameters: null, engineStrings: [] },
  state: null,
  ...more,
});

describe('recording/ftdc/facts', () => {
  it('tells what a live server would', () => {
    const facts = factsOf(server(), sample());
    assert.deepEqual(
      { ...facts, config: null },
      {
        ...NO_FACTS,
        host: 'db1:27017',
        version: '7.0.5',
        role: 'standalone',
        engine: 'wiredTiger',
        pid: null,
        startedAtMs: 6000,
        memoryBytes: 16 * GIB,
        memLimitBytes: 8 * GIB,
        cores: 4,
        dataBytes: null,
        dbPath: '/data',
        journalCommitMs: 100,
        ticketsAtStart: { read: null, write: null },
      },
    );
  });

  it('syncdelay is that of the parameters where they are recorded, and has its origin', () => {
    const of = (/** @type {any} */ parameters, /** @type {any} */ more = {}) =>
      factsOf(
        server({
          metadata: {
            docs: {
              ...docs,
              getCmdLineOpts: { parsed: { ...docs.getCmdLineOpts.parsed, ...more } },
            },
            parameters,
            engineStrings: [],
          },
        }),
        sample(),
      ).config?.syncdelaySeconds;
    const tell = (/** @type {ReturnType<typeof of>} */ it) => [it?.value, it?.from];
    assert.deepEqual(tell(of(null)), [30, 'startup']);
    assert.deepEqual(tell(of({ syncdelay: 30 })), [30, 'startup']);
    assert.deepEqual(tell(of({ syncdelay: 1 })), [1, 'runtime']);
    assert.deepEqual(tell(of({ syncdelay: 1 }, { setParameter: { syncdelay: '1' } })), [
      1,
      'startup',
    ]);
  });

  it('pools of tickets that a start-up parameter sets; Windows by its name', () => {
    const { ticketsAtStart, osType } = factsOf(
      server({
        metadata: {
          docs: {
            hostInfo: { ...docs.hostInfo, os: { type: 'Windows' } },
            getCmdLineOpts: {
              parsed: { setParameter: { wiredTigerConcurrentReadTransactions: '5' } },
            },
          },
          parameters: null,
          engineStrings: [],
        },
      }),
      sample(),
    );
    assert.deepEqual([ticketsAtStart, osType], [{ read: 5, write: null }, 'Windows']);
  });

  it(
    "the journal's interval: as recorded last, else as mongod was started, which takes no " +
      'parameter for it; else not known',
    () => {
      const facts = (/** @type {any} */ parameters, /** @type {any} */ options) =>
        factsOf(
          server({
            metadata: {
              docs: { getCmdLineOpts: { parsed: options } },
              parameters,
              engineStrings: [],
            },
          }),
          sample(),
        ).journalCommitMs;
      const start = {
        storage: { journal: { commitIntervalMs: 50 } },
        setParameter: { journalCommitInterval: '30' },
      };
      assert.deepEqual(
        [
          facts({ journalCommitInterval: 200 }, start),
          facts(null, start),
          facts({}, { setParameter: { journalCommitInterval: '30' } }),
          facts(null, {}),
          facts(null, null),
        ],
        [200, 50, 100, 100, null],
      );
    },
  );

  it('knows next to nothing without metadata, and invents nothing', () => {
    const { config, ...facts } = factsOf(
      server({
        identity: { host: null, version: null, process: null, engine: null },
        metadata: { docs: {}, parameters: null, engineStrings: [] },
      }),
      { atMs: 1, uptimeMs: null, counters: {} },
    );
    assert.deepEqual(new Set(Object.values(facts)), new Set([null]));
    assert.ok(
      Object.values(config ?? {}).every(({ value, from }) => value === null && from === 'unknown'),
    );
  });

  it('falls back on what the metadata say', () => {
    const { host, version } = factsOf(
      server({ identity: { ...identity, host: null, version: null } }),
      sample(),
    );
    assert.deepEqual([host, version], ['db1', '7.0.4']);
  });

  for (const [
    role,
    state,
    process,
  ] of /** @type {[string | null, number | null, string | null][]} */ ([
    ['standalone', null, 'mongod'],
    ['primary', 1, 'mongod'],
    ['secondary', 2, 'mongod'],
    ['arbiter', 7, 'mongod'],
    ['other', 3, 'mongod'],
    [null, null, null],
    ['mongos', null, 'mongos'],
    ['mongos', null, '/usr/bin/mongos'],
    ['mongos', null, 'C:\\mongos.exe'],
    ['standalone', null, 'C:\\mongod.exe'],
  ])) {
    it(`state ${state} of ${process} is ${role}`, () =>
      assert.equal(
        factsOf(server({ state, identity: { ...identity, process } }), sample()).role,
        role,
      ));
  }

  const from = (/** @type {any} */ facts, /** @type {string} */ setting) => [
    facts.config[setting].value,
    facts.config[setting].from,
  ];

  it(
    'knows the cache and the threads by what the server shows, and of the rest only what ' +
      'nobody can have changed',
    () => {
      const facts = factsOf(server(), sample());
      assert.deepEqual(from(facts, 'cacheSizeGB'), [2, 'startup']);
      assert.deepEqual(from(facts, 'evictionThreadsMax'), [4, 'default']);
      assert.deepEqual(from(facts, 'evictionDirtyTrigger'), [null, 'unknown']);
      assert.deepEqual(from(facts, 'syncdelaySeconds'), [30, 'startup']);
    },
  );

  it('sees a cache that was changed at run time', () =>
    assert.deepEqual(from(factsOf(server(), sample({ 'cache.maxBytes': GIB })), 'cacheSizeGB'), [
      1,
      'runtime',
    ]));

  it('knows all where the parameters are recorded from the start on', () => {
    const facts = (/** @type {string[]} */ engineStrings) =>
      factsOf(server({ metadata: { docs, parameters: {}, engineStrings } }), sample());
    assert.deepEqual(from(facts(['']), 'evictionDirtyTrigger'), [40, 'startup']);
    assert.deepEqual(from(facts(['', 'eviction_dirty_trigger=30']), 'evictionDirtyTrigger'), [
      30,
      'runtime',
    ]);
  });

  it('knows of one string that others may have come before it', () => {
    const facts = factsOf(
      server({ metadata: { docs, parameters: {}, engineStrings: ['eviction_dirty_trigger=30'] } }),
      sample(),
    );
    assert.deepEqual(
      [from(facts, 'evictionDirtyTrigger'), from(facts, 'evictionTrigger')],
      [
        [30, 'runtime'],
        [null, 'unknown'],
      ],
    );
  });

  it('believes thresholds that the server tells live', () => {
    const facts = factsOf(
      server(),
      sample({
        'eviction.dirtyTriggerPercent': 25,
        'eviction.targetPercent': 80,
        'eviction.triggerPercent': 95,
      }),
    );
    assert.deepEqual(from(facts, 'evictionDirtyTrigger'), [25, 'runtime']);
    assert.equal(from(facts, 'evictionTrigger')[0], 95);
  });
});
