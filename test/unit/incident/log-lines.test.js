'use strict';

const assert = require('node:assert/strict');
const { idOf, timeOf, parseLine } = require('../../../lib/incident/read-log');
const { LOG_EVENTS } = require('../../../lib/incident/pure/log-events');
const { SlowLines } = require('../../../lib/incident/pure/slow-lines');
const { AcceptedConnections } = require('../../../lib/incident/pure/log-story');
const { codeOf } = require('../../../lib/incident/pure/event-codes');

// Lines of MongoDB 6.0.5, as it wrote them.
const line = (/** @type {number} */ id, /** @type {object} */ attr, ctx = 'conn2') =>
  `{"t":{"$date":"2026-11-25T09:29:54.896+00:00"},"s":"I",  "c":"COMMAND",  "id":${id},   ` +
  `"ctx":"${ctx}","msg":"x","attr":${JSON.stringify(attr)}}`;
const PARAMETER = line(23435, {
  parameterName: 'wiredTigerEngineRuntimeConfig',
  newValue: '"eviction_dirty_trigger=5"',
  oldValue: '""',
});

describe('lines of a log of mongod', () => {
  for (const [what, text, id] of /** @type {[string, string, number][]} */ ([
    ['a whole one', PARAMETER, 23435],
    ['one that is cut off behind its id', PARAMETER.slice(0, 100), 23435],
    ['one of 4.2', '2019-01-01T00:00:00.000+0000 I  NETWORK  [listener] connection accepted', -1],
    ['an empty object', '{}', -1],
    ['JSON of something else', '{"a":"b","id":23435}', -1],
    ['a date that never ends', `{"t":{"$date":"${'2'.repeat(100)}"},"id":1`, -1],
    ['an id far behind', `{"t":{"$date":"2026-11-25T09:29:54Z"},${' '.repeat(200)}"id":1`, -1],
  ]))
    it(`${what}: id ${id}`, () => {
      const bytes = Buffer.from(text);
      assert.equal(idOf(bytes, 0, bytes.length), id);
    });
  it('has its time in any zone', () => {
    const at = (/** @type {string} */ date) => timeOf(Buffer.from(`{"t":{"$date":"${date}"}`), 0);
    assert.equal(at('2026-11-25T09:29:54.896+00:00'), Date.UTC(2026, 10, 25, 9, 29, 54, 896));
    assert.equal(at('2026-11-25T11:29:54.896+02:00'), Date.UTC(2026, 10, 25, 9, 29, 54, 896));
    assert.equal(at('2026-11-25T09:29:54.896Z'), Date.UTC(2026, 10, 25, 9, 29, 54, 896));
    assert.ok(Number.isNaN(timeOf(Buffer.from('{"t":{"$date":"'), 0)));
  });
  it('is parsed, or is null', () => {
    assert.equal(parseLine(PARAMETER)?.attr.parameterName, 'wiredTigerEngineRuntimeConfig');
    assert.deepEqual(parseLine(PARAMETER.replace(/"attr".*/, '"attr":5}'))?.attr, {});
    for (const text of [
      PARAMETER.slice(0, -1),
      '{"t":5,"id":1}',
      PARAMETER.replace('23435', '"x"'),
    ])
      assert.equal(parseLine(text), null);
  });
});

describe('what a line means', () => {
  for (const [id, attr, code, values] of /** @type {[number, any, string | null, object?][]} */ ([
    [
      4615611,
      { pid: 22012, port: 1, host: 'vm' },
      'process-started',
      { pid: 22012, version: null },
    ],
    [23016, {}, 'process-ready', {}],
    [22271, { lockFile: 'x' }, 'process-unclean-start', {}],
    [4795906, { durationMillis: 4999 }, 'process-recovered', { durationMs: 4999 }],
    [4795906, { durationMillis: 5000 }, 'recovery-long', { durationMs: 5000 }],
    [4795906, {}, 'process-recovered', { durationMs: null }],
    [23138, { exitCode: 0 }, 'process-exited', { exitCode: 0 }],
    [23377, { signal: 15 }, 'process-signal', { signal: 15, byPid: null, byUid: null }],
    [4695400, {}, 'process-shutdown-command', {}],
    [20557, { error: 'x' }, 'process-start-failed', { error: 'x' }],
    [23089, { msgid: 50853 }, 'process-fatal', { assertion: 50853, message: null }],
    [
      6384300,
      { message: 'Got signal: 6\n' },
      'process-fatal',
      { assertion: null, message: 'Got signal: 6' },
    ],
    [
      22435,
      {
        error: 28,
        message: { msg: '__posix:621:/d/index-8-23.wt: pwrite', error_str: 'No space' },
      },
      'disk-full',
      { file: 'index-8-23.wt' },
    ],
    [22435, { error: 28, message: 'plain' }, 'disk-full', { file: null }],
    [22435, { error: 5, message: {} }, 'disk-error', { errorCode: 5, error: 'I/O error' }],
    [
      22435,
      { error: 13, message: { error_str: 'denied' } },
      'disk-error',
      { errorCode: 13, error: 'denied' },
    ],
    [22435, { error: -31804 }, null],
    [22435, {}, null],
    [21450, { term: 2 }, 'election-won', { term: 2 }],
    [
      4615652,
      { electionTimeoutPeriodMillis: 3000 },
      'election-started',
      { reason: 'no-primary', timeoutMs: 3000 },
    ],
    [
      21358,
      { newState: 'PRIMARY', oldState: 'SECONDARY' },
      'state-changed',
      { from: 'SECONDARY', to: 'PRIMARY' },
    ],
    [
      21215,
      { hostAndPort: 'a:1', newState: 'DOWN' },
      'member-state',
      { member: 'a:1', state: 'DOWN' },
    ],
    [
      21216,
      { hostAndPort: 'a:1', heartbeatMessage: 'no' },
      'member-down',
      { member: 'a:1', reason: 'no' },
    ],
    [21216, { hostAndPort: 'a:1' }, 'member-down', { member: 'a:1', reason: null }],
    [
      21216,
      {
        hostAndPort: 'a:1',
        heartbeatMessage:
          'Request 123 timed out, deadline was 2026-11-25T14:12:55.927+00:00, op was RemoteCommand',
      },
      'member-down',
      { member: 'a:1', reason: 'Request 123 timed out' },
    ],
    [21402, { term: 3 }, 'stepped-down', { reason: 'a new term has begun' }],
    [21809, {}, 'stepped-down', { reason: 'it cannot see a majority of the set' }],
    [21579, {}, 'step-down-command', {}],
    [
      23435,
      { parameterName: 'p', oldValue: '"a"', newValue: 5 },
      'parameter-set',
      { parameter: 'p', from: 'a', to: null },
    ],
    [
      23435,
      { parameterName: 'p', oldValue: '', newValue: `"${'v'.repeat(201)}"` },
      'parameter-set',
      { parameter: 'p', from: null, to: `${'v'.repeat(200)}…` },
    ],
    [48742, { to: { level: 0, slowms: 40 } }, 'profiler-set', { level: 0, slowMs: 40 }],
    [
      20438,
      { namespace: 'shop.o', firstIndex: { name: 's_1' }, buildUUID: { uuid: { $uuid: 'u' } } },
      'index-build',
      { ns: 'shop.o', index: 's_1', durationMs: null, failed: false, build: 'u' },
    ],
    [20438, { namespace: 'config.x' }, null],
    [
      20663,
      { buildUUID: null, namespace: 'shop.o' },
      'index-build-end',
      { build: 'shop.o', failed: false },
    ],
    [
      20649,
      { buildUUID: { uuid: { $uuid: 'u' } } },
      'index-build-end',
      { build: 'u', failed: true },
    ],
    [20461, { lock: true }, 'fsync-locked', { durationMs: null }],
    [20461, { lock: false }, null],
    [20466, { lockCount: 0 }, 'fsync-unlocked', {}],
    [20466, { lockCount: 1 }, null],
    [
      51800,
      { client: 'conn1', doc: { application: { name: 'mongodump' } } },
      'dump-client',
      { application: 'mongodump', durationMs: null, client: 'conn1' },
    ],
    [51800, { client: 'conn1', doc: { application: { name: 'shop' } } }, null],
    [51800, { client: 'conn1' }, null],
    [22944, {}, 'connection-ended', {}],
    [23378, { pid: 1, uid: 0 }, 'process-signal-sender', { byPid: 1, byUid: 0 }],
    [
      51802,
      { durationMillis: 5809, terminationCause: 'aborted' },
      'transaction-long',
      { durationMs: 5809, ended: 'aborted' },
    ],
    [
      51802,
      { durationMillis: 5000, terminationCause: 'committed' },
      'transaction-long',
      { durationMs: 5000, ended: 'committed' },
    ],
    [51802, { durationMillis: 4999 }, null],
    [51802, {}, null],
    [
      5479200,
      { namespace: 'shop.o', index: 'old_1', numDeleted: 60000, durationMillis: 7089 },
      'ttl-deleted',
      { ns: 'shop.o', index: 'old_1', deleted: 60000, durationMs: 7089 },
    ],
    [
      5324200,
      { cmdObj: { collMod: 'o', index: { keyPattern: { a: 1, b: 1 }, expireAfterSeconds: 60 } } },
      'ttl-set',
      { ns: 'o', index: 'a_b', afterSeconds: 60 },
    ],
    [
      5324200,
      { cmdObj: { collMod: 'o', index: { name: 'old_1', expireAfterSeconds: 60 } } },
      'ttl-set',
      { ns: 'o', index: 'old_1', afterSeconds: 60 },
    ],
    [5324200, { cmdObj: { collMod: 'o', validator: {} } }, null],
    [5324200, {}, null],
    [20499, { timeStats: { 'at end': '1500' } }, 'server-status-slow', { durationMs: 1500 }],
    [23166, {}, 'log-rotated', {}],
  ]))
    it(`${id} ${JSON.stringify(attr).slice(0, 60)}: ${code}`, () => {
      const meaning = LOG_EVENTS[id](attr);
      assert.deepEqual(meaning, code === null ? null : { code, values });
      const about = meaning && codeOf(meaning.code);
      if (about) assert.match(about.say(meaning.values), /^[A-Za-z].*\.$/);
    });
});

describe('slow operations of a log', () => {
  const slow = (ns = 'shop.orders', ms = 120, plan = '"planSummary":"COLLSCAN",') =>
    `{"attr":{"type":"command","ns":"${ns}","command":{"find":"orders","filter":{"a":"\\"ns\\":\\"evil.x\\""}},${plan}"durationMillis":${ms}}}`;
  it('are counted by shape, a burst is far above usual', () => {
    const lines = new SlowLines();
    for (let i = 0; i < 100; i++) lines.add(slow(), 1_000_000 + i * 10_000);
    for (let i = 0; i < 200; i++) lines.add(slow('shop.orders', 900), 1_500_000 + i * 50);
    lines.add(slow('shop.other', 50, ''), 1_500_100);
    const [burst, ...more] = lines.bursts(1_000_000, 2_000_000);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [burst.code, burst.values.ns, burst.values.plan],
      ['slow-burst', 'shop.orders', 'COLLSCAN'],
    );
    assert.ok(Number(burst.values.operations) >= 200 && burst.values.maxMs === 900);
    assert.equal(burst.values.command, 'find');
  });
  it('a burst begins in the second in which there are many', () => {
    const lines = new SlowLines();
    lines.add(slow(), 100_500);
    for (let i = 0; i < 60; i++) lines.add(slow(), 107_200 + i * 10);
    assert.equal(lines.bursts(0, 900_000)[0].fromMs, 107_000);
  });
  it('steps that follow each other are one burst', () => {
    const lines = new SlowLines();
    for (let i = 0; i < 40; i++) lines.add(slow(), 100_000 + i * 500);
    const [burst, ...more] = lines.bursts(0, 900_000);
    assert.deepEqual([burst.fromMs, burst.toMs, more], [100_000, 119_500, []]);
  });
  it('two bursts far apart are two', () => {
    const lines = new SlowLines();
    for (let i = 0; i < 40; i++) lines.add(slow(), (i < 20 ? 100_000 : 500_000) + i);
    assert.equal(lines.bursts(0, 900_000).length, 2);
  });
  it('few of them are no burst, and a line without any of it counts', () => {
    const lines = new SlowLines();
    lines.add('{"attr":{}}', 5);
    assert.deepEqual([lines.buckets.size, lines.bursts(0, 10_000)], [1, []]);
  });
  it('shapes made by hand are bounded', () => {
    const lines = new SlowLines();
    for (let i = 0; i < 2000; i++) lines.add(slow(`a.c${i}`), 100_000);
    assert.ok(lines.shapes.size <= 500);
    const [burst] = lines.bursts(0, 900_000);
    assert.deepEqual([burst.values.operations, burst.values.ns], [2000, 'many collections']);
  });
});

describe('connections of a log', () => {
  const accepted = (/** @type {number} */ count) => `{"attr":{"connectionCount":${count}}}`;
  it('a storm is many new ones in a second', () => {
    const connections = new AcceptedConnections();
    for (let i = 0; i < 60; i++) connections.add(accepted(10), i * 10_000);
    for (let i = 0; i < 100; i++) connections.add(accepted(11 + i), 300_500);
    const [storm, ...more] = connections.bursts(0, 600_000);
    assert.deepEqual(more, []);
    assert.deepEqual(storm.values, { connections: 110, usual: 9, perSec: 101 });
  });
  it('a pool that opens is none', () => {
    const connections = new AcceptedConnections();
    for (let i = 0; i < 20; i++) connections.add(accepted(i), 5000);
    assert.deepEqual(connections.bursts(0, 600_000), []);
  });
});
