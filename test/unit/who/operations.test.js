'use strict';

const assert = require('node:assert/strict');
const { readLine, readProfile } = require('../../../lib/who/pure/slow-log');
const { operationsIn } = require('../../../lib/who/pure/current-op');

const at = '2026-01-02T00:00:01.000+00:00';
const AT_MS = Date.parse(at);
/** @param {any} attr @param {any} [more] */
const line = (attr, more) =>
  JSON.stringify({
    t: { $date: at },
    s: 'I',
    c: 'COMMAND',
    id: 51803,
    ctx: 'conn1',
    msg: 'Slow query',
    attr: { type: 'command', ns: 'd.c', durationMillis: 200, ...attr },
    ...more,
  });
const find = { find: 'c', filter: { a: 1 } };

describe('a line of the log', () => {
  it('is an operation, with what it waited for', () => {
    const operation = readLine(
      line({
        command: find,
        appName: 'shop',
        planSummary: 'COLLSCAN',
        docsExamined: 20_000,
        nreturned: 40,
        storage: {
          data: { bytesRead: 1000, timeReadingMicros: 50_000 },
          timeWaitingMicros: { cache: 20_000 },
        },
        waitForWriteConcernDurationMillis: 7,
        queues: { execution: { admissions: 2, totalTimeQueuedMicros: 30_000 } }, // 8.0+
      }),
    );
    assert.deepEqual(operation, {
      shape: {
        kind: 'find',
        text: 'find { a: ? }',
        fields: { equal: ['a'], range: [], sort: [], isWhole: true },
      },
      ns: 'd.c',
      app: 'shop',
      task: null,
      thread: 'conn1',
      isWrapper: false,
      endMs: AT_MS,
      ms: 200,
      readMs: 50,
      cacheMs: 20,
      majorityMs: 7,
      queuedMs: 30,
      isAccounted: true,
      readBytes: 1000,
      examined: 20_000,
      returned: 40,
      plan: 'COLLSCAN',
      usedDisk: false,
      writeConflicts: 0,
    });
  });

  it('may be the wrapper of writes, or a task of the server', () => {
    const wrapper = readLine(line({ ns: 'd.$cmd', command: { update: 'c', updates: [] } }));
    assert.deepEqual([wrapper?.ns, wrapper?.isWrapper, wrapper?.isAccounted], ['d.c', true, false]);
    const build = readLine(
      line({ command: { createIndexes: 'c' } }, { ctx: 'IndexBuildsCoordinatorMongod-0' }),
    );
    assert.equal(build?.task, 'index build');
    assert.equal(readLine(line({ command: find, appName: 'mongodump' }))?.task, 'mongodump');
    assert.equal(readLine(line({ command: { compact: 'c' } }))?.task, 'compact');
    const ttl = readLine(
      line(
        { namespace: 'd.c', index: 'at_1', numDeleted: 5, durationMillis: 848 },
        { id: 5479200, ctx: 'TTLMonitor' },
      ),
    );
    assert.deepEqual([ttl?.task, ttl?.ns, ttl?.returned, ttl?.ms], ['ttl', 'd.c', 5, 848]);
    assert.equal(
      readLine(line({}, { id: 5479200, ctx: 'TTLMonitor' }))?.ns,
      '',
      'of a release that does not name it',
    );
  });

  for (const [title, text] of /** @type {[string, any][]} */ ([
    ['about something else', '{"t":{"$date":"x"},"id":1}'],
    ['cut off', line({ command: find }).slice(0, -10)],
    ['of hostile length', line({ command: { find: 'c', filter: { a: 'x'.repeat(70_000) } } })],
    ['without a time', line({ command: find }, { t: { $date: 'soon' } })],
    ['without attributes', line({}, { attr: [1] })],
    ['without a duration', line({ durationMillis: 'long' })],
    ['without a namespace', line({ ns: 7 })],
    ['of another number', '{"x":"\\"id\\":51803","id":51803123}'],
    ['of MongoDB 4.2', '2020-01-01T00:00:00.000+0000 I  COMMAND  [conn1] command d.c "id":51803'],
    ['of one that waits for a builder', line({ command: { createIndexes: 'c' } })],
    ['no text', null],
  ]))
    it(`is nothing where it is ${title}`, () => assert.equal(readLine(text), null));

  it('without a context, with figures that cannot be', () => {
    const operation = readLine(
      line(
        { command: null, docsExamined: -1, storage: { data: { timeReadingMicros: 1e12 } } },
        { ctx: 7 },
      ),
    );
    assert.deepEqual(
      [operation?.thread, operation?.examined, operation?.readMs, operation?.shape.text],
      ['', null, 200, '(not shown)'],
    );
  });
});

describe('a document of the profiler', () => {
  it('is an operation as one of the log', () => {
    const operation = readProfile({
      ts: new Date(AT_MS),
      op: 'update',
      ns: 'd.c',
      command: { q: { a: 1 }, u: { $set: { b: 1 } } },
      millis: 3,
      client: '127.0.0.1',
      storage: {},
      nMatched: 1,
      nModified: 1,
    });
    assert.deepEqual(
      [operation?.shape.text, operation?.ms, operation?.returned, operation?.isAccounted],
      ['update one { q: { a: ? }, u: { $set: { b: ? } } }', 3, 1, true],
    );
    assert.equal(readProfile({ ts: new Date(AT_MS), ns: 'd.c', millis: 1 })?.thread, '');
    assert.equal(readProfile({ millis: 1 }), null);
    assert.equal(readProfile(null), null);
  });
});

describe('operations in the server', () => {
  const base = { active: true, op: 'query', ns: 'd.c', opid: 1, desc: 'conn1', command: find };

  it('are those that do something', () => {
    const [one, ...others] = operationsIn([
      {
        ...base,
        appName: 'a',
        planSummary: 'COLLSCAN',
        waitingForLock: true,
        progress: { done: 1, total: 4 },
      },
      { ...base, command: { hello: 1 } },
      { ...base, command: { aggregate: 1, pipeline: [{ $currentOp: {} }] } },
      { ...base, op: 'getmore', cursor: { awaitData: true } },
      { ...base, op: 'getmore', ns: 'local.oplog.rs' },
      { ...base, command: { createIndexes: 'c' }, op: 'command' },
      { op: 'none', desc: 'Checkpointer', command: {}, locks: {} },
      { op: 'none', desc: 'TTLMonitor', command: {}, locks: {} },
      { op: 'command', ns: '', command: {} },
    ]);
    assert.deepEqual(one, {
      shape: one.shape,
      ns: 'd.c',
      app: 'a',
      task: null,
      opid: '1',
      plan: 'COLLSCAN',
      isWaiting: true,
      progressRatio: 0.25,
      writeConflicts: 0,
    });
    assert.deepEqual(others, []);
  });

  it('wait while they are in a queue for tickets', () => {
    const seen = operationsIn([
      { ...base, currentQueue: { name: 'execution', timeQueuedMicros: 5000 } }, // 8.0+
      { ...base, currentQueue: null },
      base,
    ]);
    assert.deepEqual(
      seen.map(({ isWaiting }) => isWaiting),
      [true, false, false],
    );
  });

  it('and tasks of the server that hold locks', () => {
    const [ttl, build, more, write] = operationsIn([
      { op: 'none', desc: 'TTLMonitor', command: {}, locks: { Global: 'w' } },
      {
        ...base,
        op: 'command',
        desc: 'IndexBuildsCoordinatorMongod-0',
        command: { createIndexes: 'c' },
      },
      { ...base, op: 'getmore', command: { getMore: 1 }, cursor: { originatingCommand: find } },
      { ...base, op: 'update', ns: 'd.$cmd', command: { update: 'c' }, desc: 7, writeConflicts: 3 },
    ]);
    assert.deepEqual([ttl.task, ttl.ns], ['ttl', '']);
    assert.equal(build.task, 'index build');
    assert.equal(more.shape.text, 'find { a: ? }');
    assert.deepEqual([write.ns, write.writeConflicts], ['d.c', 3]);
    assert.deepEqual(operationsIn([{ op: 'none', locks: undefined }, { opid: 1 }]), []);
  });
});
