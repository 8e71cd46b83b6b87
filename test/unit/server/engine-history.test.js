'use strict';

const assert = require('node:assert/strict');
const {
  readEngineHistory,
  readLastString,
  readRefusal,
} = require('../../../lib/server/engine-history');

const AT = '2026-11-21T08:41:55.973+00:00';
/** @param {number} id @param {string} ctx @param {object} [attr] */
const line = (id, ctx, attr = {}) =>
  JSON.stringify({ t: { $date: AT }, s: 'I', c: 'STORAGE', id, ctx, msg: 'm', attr });
const set = (/** @type {string} */ config, ctx = 'conn2') => line(22376, ctx, { config });
/** As 6.0 writes it. @param {string} msg */
const refusal = (msg, ctx = 'conn2', session = 'WT_CONNECTION.reconfigure') =>
  line(22435, ctx, {
    error: 22,
    message: { ts_sec: 1, session_name: session, msg, error_code: 22 },
  });
/** As 4.4 and 5.0 write it. @param {string} msg */
const oldRefusal = (msg, ctx = 'conn2') =>
  line(22435, ctx, {
    error: 22,
    message: `[1795250516:292498][8049:0x7f6c1c3486c0], WT_CONNECTION.reconfigure: ${msg}`,
  });

/** @param {Record<string, any>} answers what each command gets; an Error is thrown */
const port = (answers) =>
  /** @type {any} */ ({
    adminCommand: async (/** @type {object} */ command) => {
      const answer = answers[Object.keys(command)[0]] ?? {};
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
const denied = () =>
  Object.assign(new Error('not authorized'), { name: 'MongoServerError', code: 13 });
/** @param {string[]} log @param {number} [total] */
const fromLog = (log, total = log.length) =>
  readEngineHistory(port({ getLog: { log, totalLinesWritten: total } }));

describe('server/engine-history', () => {
  it('reads start-up options, the last string, and the log', async () => {
    const history = await readEngineHistory(
      port({
        getCmdLineOpts: {
          parsed: {
            config: '/etc/mongod.conf',
            storage: {
              syncPeriodSecs: 30,
              wiredTiger: {
                engineConfig: { cacheSizeGB: 0.25, configString: 'eviction=(threads_max=6)' },
              },
            },
          },
        },
        getParameter: {
          wiredTigerEngineRuntimeConfig: 'eviction_target=70',
          syncdelay: { low: 5, high: 0, unsigned: false },
          journalCommitInterval: 30,
        },
        getLog: {
          log: [
            line(22315, 'initandlisten', { config: 'create,cache_size=256M' }),
            set('eviction_target=70'),
          ],
          totalLinesWritten: 2,
        },
      }),
    );
    assert.deepEqual(history, {
      engineConfig: {
        cacheSizeGB: 0.25,
        cacheSizePct: null,
        configString: 'eviction=(threads_max=6)',
        thresholds: {},
        sessionMax: null,
      },
      syncPeriodSecs: 30,
      configFile: '/etc/mongod.conf',
      dbPath: '/data/db',
      ticketsAtStart: { read: null, write: null },
      lastString: 'eviction_target=70',
      syncdelay: 5,
      journalCommitMs: 30,
      opened: 'create,cache_size=256M',
      sets: [{ atMs: Date.parse(AT), config: 'eviction_target=70', ok: true, reason: null }],
      logFromMs: Date.parse(AT),
      logWhole: true,
      notes: [],
      refused: [],
    });
  });
  it('a server started without options', async () => {
    const { engineConfig, syncPeriodSecs, configFile } = await readEngineHistory(
      port({ getCmdLineOpts: { parsed: {} } }),
    );
    assert.deepEqual(
      [engineConfig, syncPeriodSecs, configFile],
      [
        {
          cacheSizeGB: null,
          cacheSizePct: null,
          configString: null,
          thresholds: {},
          sessionMax: null,
        },
        null,
        null,
      ],
    );
  });

  for (const [name, make] of /** @type {[string, typeof refusal][]} */ ([
    ['6.0', refusal],
    ['4.4', oldRefusal],
  ])) {
    it(`a refused set is known by the error behind it, as ${name} writes it`, async () => {
      const { sets } = await fromLog([
        set('eviction=(threads_max=21)'),
        make("config_check:143:Value too large for key 'threads_max' the maximum is 20"),
        make("config_check:123:Invalid value for key 'eviction': expected a category"),
        set('cache_size=1G'),
      ]);
      assert.deepEqual(
        sets.map(({ ok, reason }) => [ok, reason]),
        [
          [false, "Value too large for key 'threads_max' the maximum is 20"],
          [true, null],
        ],
      );
    });
  }
  it('the plain text of old releases may end in the error again, and name file and line', async () => {
    const { sets } = await fromLog([
      set('foo=1'),
      oldRefusal("config_check_search, 65: unknown configuration key: 'foo': Invalid argument"),
    ]);
    assert.equal(sets[0].reason, "unknown configuration key: 'foo'");
  });
  it('errors of another thread or another call do not count', async () => {
    const { sets } = await fromLog([
      set('cache_size=1G'),
      refusal('x', 'conn9'),
      refusal('y', 'conn2', 'WT_SESSION.checkpoint'),
    ]);
    assert.equal(sets[0].ok, true);
  });
  it('a log that has lost its first lines is not whole', async () =>
    assert.deepEqual(
      [(await fromLog([set('a=1')], 2)).logWhole, (await fromLog([], 0)).logWhole],
      [false, false],
    ));
  it('lines that are cut short or tell no configuration are passed over', async () => {
    const { sets, logFromMs } = await fromLog([
      line(1, 'main'),
      '{"t":{"$date":"2026-11-21T08:41:55.973+00:00"},"id":22376,"ctx":"conn2","attr":{"config":"eviction',
      line(22376, 'conn2', {}),
      line(4615611, 'main'),
    ]);
    assert.deepEqual([sets, logFromMs], [[], Date.parse(AT)]);
  });

  it('what may not be read becomes a note and stays unknown', async () => {
    const history = await readEngineHistory(
      port({ getCmdLineOpts: denied(), getParameter: denied(), getLog: denied() }),
    );
    assert.deepEqual(
      [
        history.engineConfig,
        history.lastString,
        history.syncdelay,
        history.opened,
        history.logFromMs,
        history.logWhole,
      ],
      [null, null, null, null, null, false],
    );
    assert.deepEqual(
      history.notes.map((note) => /privilege (\w+)/.exec(note)?.[1]),
      ['getCmdLineOpts', 'getLog', 'getParameter'],
    );
    assert.deepEqual(history.refused, ['getCmdLineOpts', 'getLog', 'getParameter']);
  });
  it('a lost connection is thrown', async () => {
    const lost = Object.assign(new Error('gone'), { name: 'MongoNetworkError' });
    await assert.rejects(readEngineHistory(port({ getLog: lost })), { code: 'TUNE-20006' });
    await assert.rejects(readLastString(port({ getParameter: lost })), { code: 'TUNE-20006' });
    await assert.rejects(readRefusal(port({ getLog: lost }), 'foo=1'), { code: 'TUNE-20006' });
  });
  it('the last string and the last refusal by themselves', async () => {
    assert.equal(
      await readLastString(port({ getParameter: { wiredTigerEngineRuntimeConfig: 'a=1' } })),
      'a=1',
    );
    assert.equal(await readLastString(port({ getParameter: denied() })), null);
    assert.equal(
      await readRefusal(
        port({
          getLog: {
            log: [
              set('foo=1'),
              refusal("config_check_search:65:unknown configuration key: 'foo'"),
              set('bar=1'),
              refusal("config_check_search:65:unknown configuration key: 'bar'"),
            ],
          },
        }),
        'foo=1',
      ),
      "unknown configuration key: 'foo'",
    );
    assert.equal(await readRefusal(port({ getLog: { log: [set('foo=1')] } }), 'foo=1'), null);
    assert.equal(await readRefusal(port({ getLog: denied() }), 'foo=1'), null);
  });
});
