'use strict';

const assert = require('node:assert/strict');
const { groupOperations } = require('../../../lib/who/pure/groups');
const { shareOut, sumBy, totalsOf } = require('../../../lib/who/pure/share-out');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { windowOf } = require('../../support/samples');
const { active, logged } = require('../../support/operations');

const NOTHING = { reading: 0, eviction: 0, throttled: 0, majority: 0, queued: 0, cpu: 0 };
const WINDOW = { fromMs: 0, toMs: 10_000 };
/** @param {any[]} log @param {any[][]} [samples] */
const groups = (log, samples = []) => groupOperations({ logged: log, samples, ...WINDOW });
const near = (/** @type {number} */ a, /** @type {number} */ b) =>
  assert.ok(Math.abs(a - b) < 1e-6, `${a} ≠ ${b}`);

describe('groups of operations', () => {
  it('are one for each shape, namespace and application', () => {
    const found = groups([
      logged({ app: 'a' }),
      logged({ app: 'a', plan: 'COLLSCAN', usedDisk: true }),
      logged({ app: 'b' }),
      logged({ task: 'ttl', ns: 'd.x' }),
    ]);
    assert.deepEqual(
      found.map(({ kind, app, task, logged: n, plan, usedDisk }) => [
        kind,
        app,
        task,
        n,
        plan,
        usedDisk,
      ]),
      [
        ['operation', 'a', null, 2, 'COLLSCAN', true],
        ['operation', 'b', null, 1, null, false],
        ['task', null, 'ttl', 1, null, false],
      ],
    );
  });

  it('count what lies in the window', () => {
    const [{ loggedSeconds, readSeconds }] = groups([
      logged({ endMs: 1000, ms: 2000, readMs: 1000 }),
      logged({ endMs: 20_000, ms: 11_000 }),
      logged({ endMs: 30_000, ms: 10 }),
      logged({ endMs: 5000, ms: 0 }),
    ]);
    near(loggedSeconds, 2);
    near(readSeconds, 0.5);
  });

  it('count a command of writes without those of them that are logged, too', () => {
    const wrapper = {
      isWrapper: true,
      endMs: 5000,
      ms: 1000,
      shape: { kind: 'update', text: 'w', fields: null },
    };
    const seconds = (/** @type {any[]} */ list) =>
      groups(list).map(({ shape, loggedSeconds }) => [shape, Number(loggedSeconds.toFixed(3))]);
    assert.deepEqual(seconds([logged({ endMs: 4990, ms: 400 }), logged(wrapper)]), [
      ['find {}', 0.4],
      ['w', 0.6],
    ]);
    assert.deepEqual(seconds([logged({ endMs: 4998, ms: 995 }), logged(wrapper)]), [
      ['find {}', 0.995],
    ]);
    assert.deepEqual(seconds([logged({ endMs: 3000, ms: 400 }), logged(wrapper)]).length, 2);
  });

  it('know the collection of a task from the log, where that names one', () => {
    const sample = [active({ task: 'ttl', ns: '' })];
    const [one, ...others] = groups([logged({ task: 'ttl', ns: 'd.c', ms: 10 })], [sample, sample]);
    assert.deepEqual([one.ns, one.sampledSeconds, others], ['d.c', 10, []]);
    assert.equal(
      groups([logged({ task: 'ttl' }), logged({ task: 'ttl', ns: 'd.d' })], [sample]).length,
      3,
    );
  });

  it('have what samples show', () => {
    const [one] = groups(
      [],
      [
        [active({ isWaiting: true, writeConflicts: 2 })],
        [active({ progressRatio: 0.5 })],
        [active()],
        [],
      ],
    );
    assert.deepEqual(
      [one.sampledSeconds, one.waitingSeconds, one.progressRatio, one.writeConflicts],
      [7.5, 2.5, 0.5, 2],
    );
  });
});

describe('wait time', () => {
  it('is what the log says, and the rest by samples beyond the log', () => {
    const shared = shareOut(
      groups(
        [logged({ ms: 4000, readMs: 2000, endMs: 5000, isAccounted: true })],
        Array(10).fill([active({ app: 'b' })]),
      ),
      { ...NOTHING, reading: 6, eviction: 2 },
    );
    const [b, a] = shared.rows;
    near(b.lost.reading, 4);
    near(b.lost.eviction, 2);
    near(a.lost.reading, 2);
    near(shared.unseenSeconds, 0);
    near(b.share, 6 / 8);
  });

  it('never exceeds what was seen: the rest is not seen', () => {
    const shared = shareOut(groups([], [[active()], [], [], [], []]), {
      ...NOTHING,
      reading: 9,
      cpu: 3,
    });
    near(shared.rows[0].lost.reading, 2);
    near(shared.unseen.reading, 7);
    near(shared.unseen.cpu, 3);
  });

  it('never exceeds what the engine counted, where it counts', () => {
    const list = groups([logged({ ms: 4000, readMs: 4000, endMs: 5000 })]);
    near(shareOut(list, { ...NOTHING, reading: 2 }).rows[0].lost.reading, 2);
    near(shareOut(list, { ...NOTHING, reading: null }).rows[0].lost.reading, 4);
  });

  it('for tickets goes to those that run, for the majority and flow control to writes', () => {
    const shared = shareOut(
      groups(
        [],
        Array(10).fill([
          active({ app: 'holds' }),
          active({ app: 'waits', isWaiting: true }),
          active({ app: 'writes', shape: { kind: 'insert', text: 'insert', fields: null } }),
        ]),
      ),
      { ...NOTHING, queued: 100, majority: 5, throttled: 2 },
    );
    const of = (/** @type {string} */ app) => shared.rows.find((row) => row.app === app)?.lost;
    near(Number(of('holds')?.queued), 50);
    near(Number(of('waits')?.queued), 0);
    near(Number(of('writes')?.majority), 5);
    near(Number(of('writes')?.throttled), 2);
  });

  it('for tickets goes to nobody who queued for them all the time', () => {
    const shared = shareOut(
      groups([
        logged({ app: 'holds', endMs: 9000, ms: 5000 }),
        logged({ app: 'waits', endMs: 9000, ms: 5000, queuedMs: 5000 }),
      ]),
      { ...NOTHING, queued: 5, reading: 4 },
    );
    const of = (/** @type {string} */ app) => shared.rows.find((row) => row.app === app)?.lost;
    assert.deepEqual([of('holds')?.queued, of('waits')?.queued], [5, 0]);
  });

  it('of nothing seen is nothing, and no share', () => {
    const shared = shareOut(groups([logged({})]), {
      ...NOTHING,
      throttled: null,
      majority: null,
      queued: null,
      cpu: null,
    });
    assert.deepEqual([shared.lostSeconds, shared.rows[0].share], [0, 0]);
    near(shareOut([], { ...NOTHING, queued: 3 }).unseen.queued, 3);
  });

  it('is added up by namespace and application', () => {
    const { rows } = shareOut(
      groups([], Array(10).fill([active({ app: 'a' }), active({ app: 'a', ns: 'd.e' }), active()])),
      { ...NOTHING, reading: 3 },
    );
    assert.deepEqual(
      sumBy(rows, 'ns').map(({ name, lostSeconds }) => [name, Number(lostSeconds.toFixed(3))]),
      [
        ['d.c', 2],
        ['d.e', 1],
      ],
    );
    assert.deepEqual(
      sumBy(rows, 'app').map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual(sumBy(rows, 'task'), []);
  });
});

describe('what the engine counts of waits', () => {
  it('is in seconds of threads', () => {
    const totals = totalsOf(
      windowOf({
        'eviction.appReadMicros': [0, 1e6, 3e6],
        'eviction.appMicros': [0, 0, 1e6],
        'eviction.waitMicros': [0, 0, 2e6],
        'flowControl.waitMicros': [0, 0, 4e6],
        'majority.waitMs': [0, 0, 5000],
        'queue.readers': [1, 1, 1],
        'process.userMicros': [0, 0.2e6, 0.4e6],
      }),
      { ...NO_FACTS, cores: 2 },
    );
    assert.deepEqual(totals, {
      reading: 3,
      eviction: 2,
      throttled: 4,
      majority: 5,
      queued: 2,
      cpu: 0,
    });
  });

  it('and CPU where that is the limit; null: not reported', () => {
    const totals = totalsOf(windowOf({ 'process.userMicros': [0, 2e6, 4e6] }), {
      ...NO_FACTS,
      cores: 2,
    });
    assert.deepEqual(totals, {
      reading: null,
      eviction: null,
      throttled: null,
      majority: null,
      queued: null,
      cpu: 4,
    });
  });
});
