'use strict';

const assert = require('node:assert/strict');
const { answerOf } = require('../../../lib/who/pure/answer');
const { groupOperations } = require('../../../lib/who/pure/groups');
const { shareOut } = require('../../../lib/who/pure/share-out');
const { explainText, indexToTry } = require('../../../lib/who/pure/index-to-try');
const { renderWho } = require('../../../lib/commands/pure/who-text');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { windowOf } = require('../../support/samples');
const { active, logged } = require('../../support/operations');

const NOTHING = { reading: 0, eviction: 0, throttled: 0, majority: 0, queued: 0, cpu: 0 };
const FIELDS = { equal: ['a'], range: [], sort: [], isWhole: true };
const ALL = { ...FIELDS, equal: [] };
const find = { kind: 'find', text: 'find { a: ? }', fields: FIELDS };
const insert = { kind: 'insert', text: 'insert', fields: null };
const LARGE = { documents: 50_000, idIndexBytes: 500_000, readBytes: 0, indexes: [{ _id: 1 }] };
const FULL = Object.freeze({ 'cache.readBytes': [0, 50e6, 100e6] });
/** Two seconds in which all of it waits for pages. */
const READS = { ...NOTHING, reading: 2 };

/**
 * @param {any[]} log
 * @param {any[][]} samples
 * @param {{ totals?: any, counters?: any, facts?: any, before?: any, seen?: any }} [more]
 */
function answer(
  log,
  samples,
  { totals = READS, counters = FULL, facts = LARGE, before, seen } = {},
) {
  const window = windowOf(counters);
  const groups = groupOperations({
    logged: log,
    samples,
    fromMs: window.from.getTime(),
    toMs: window.to.getTime(),
  });
  return answerOf({
    facts: { ...NO_FACTS, host: 'h:1', version: '6.0.5' },
    window,
    shared: shareOut(groups, totals),
    collections: new Map(facts === null ? [] : [['d.c', facts]]),
    betweenSeconds: 2,
    seen: {
      operations: samples,
      logged: log,
      profiled: 0,
      notes: [],
      before: new Map(before ? [['d.c', before]] : []),
      ended: 'complete',
      ...seen,
    },
  });
}
const endMs = windowOf(FULL).to.getTime();
const slow = (/** @type {any} */ over) =>
  logged({ endMs, ms: 1900, readMs: 1900, shape: find, examined: 50_000, returned: 10, ...over });
const twice = (/** @type {any[]} */ ...operations) => [operations, operations];

describe('who makes the others wait', () => {
  /** @type {[string, any, string | null, RegExp][]} */
  const CASES = [
    [
      'a scan',
      answer([slow({ plan: 'COLLSCAN', app: 'web' })], []),
      'scan',
      /A query of application "web" on d\.c reads the whole/,
    ],
    [
      'a scan that only samples show',
      answer([], twice(active({ shape: find, plan: 'COLLSCAN' }))),
      'scan',
      /plan COLLSCAN/,
    ],
    [
      'a scan of a collection that is not known',
      answer([slow({ plan: 'COLLSCAN' })], [], { facts: null }),
      'scan',
      /createIndex/,
    ],
    [
      'poor targeting',
      answer([slow({ plan: 'IXSCAN { b: 1 }' })], []),
      'targeting',
      /5,000 documents for each/,
    ],
    [
      'a read of everything',
      answer([slow({ plan: 'COLLSCAN', returned: 50_000, shape: { ...find, fields: ALL } })], []),
      'full-read',
      /reads all of d\.c/,
    ],
    [
      'a scan that returns most of it',
      answer([slow({ plan: 'COLLSCAN', returned: 40_000, app: 'etl' })], []),
      'full-read',
      /etl reads all/,
    ],
    [
      'a sort that spills',
      answer([slow({ usedDisk: true })], []),
      'spilling-sort',
      /spills to disk/,
    ],
    [
      'TTL',
      answer([], twice(active({ task: 'ttl', ns: '' }))),
      'task',
      /The TTL monitor deletes expired documents\./,
    ],
    [
      'TTL of a collection',
      answer([], twice(active({ task: 'ttl' }))),
      'task',
      /documents of d\.c/,
    ],
    [
      'a build',
      answer([], twice(active({ task: 'index build', progressRatio: 0.4 }))),
      'task',
      /40\.0% done/,
    ],
    [
      'a dump',
      answer([], twice(active({ task: 'mongodump', ns: '' }))),
      'task',
      /mongodump reads everything/,
    ],
    [
      'another task',
      answer([], twice(active({ task: 'compact' }))),
      'task',
      /compact is running on d\.c/,
    ],
    [
      'a task somewhere',
      answer([], twice(active({ task: 'validate', ns: '' }))),
      'task',
      /validate is running\./,
    ],
    [
      'writes beside others',
      answer(
        [],
        twice(active({ shape: insert }), active({ shape: insert }), active({ ns: 'd.e' })),
        { totals: { ...NOTHING, eviction: 3 } },
      ),
      'writes',
      /Writes to d\.c \(insert\) take most/,
    ],
    [
      'writes that wait for less than half, where what is unseen is less still',
      answer(
        [],
        [
          ...Array(3).fill([active({ shape: insert })]),
          [active({ shape: { ...insert }, ns: 'd.e' })],
          ...Array(6).fill([]),
        ],
        { totals: { ...NOTHING, eviction: 1.4 } },
      ),
      'writes',
      /Writes to d\.c \(insert\) take most/,
    ],
    [
      'a full reader by what its collection reads',
      answer(
        [],
        [[active({ shape: find, plan: 'COLLSCAN' })], ...Array(9).fill([active({ ns: 'd.e' })])],
        { before: { ...LARGE, readBytes: 0 }, facts: { ...LARGE, readBytes: 90e6 } },
      ),
      'scan',
      /50,000 documents in the collection/,
    ],
    [
      'conflicts, for which the engine counts no time',
      answer([], twice(active({ shape: insert, writeConflicts: 3 })), {
        totals: NOTHING,
        counters: { 'conflicts.writes': [0, 300, 600] },
      }),
      'write-conflicts',
      /300 write conflicts a second/,
    ],
  ];
  for (const [title, found, code, text] of CASES)
    it(title, () => {
      assert.equal(found.culprit?.code, code);
      const screen = renderWho(found, (one) => one);
      assert.match(screen.replace(/\s+/g, ' '), text);
      assert.ok(screen.split('\n').length <= 24, screen);
    });

  it('nobody, where little is lost, it is spread, or it is all the load there is', () => {
    const none = (/** @type {any} */ found) => assert.equal(found.culprit, null);
    none(answer([slow({ plan: 'COLLSCAN' })], [], { totals: { ...NOTHING, reading: 0.2 } }));
    none(answer([slow({ plan: 'IXSCAN { a: 1 }', examined: 10 })], []));
    none(answer([], twice(active({ shape: insert })), { totals: { ...NOTHING, eviction: 2 } }));
    none(answer([], twice(active({ task: 'replication' }))));
    none(
      answer([slow({ plan: 'COLLSCAN', examined: 10 })], [], {
        facts: { ...LARGE, documents: 10 },
      }),
    );
    none(answer([], [], { totals: NOTHING, counters: { 'conflicts.writes': [0, 300, 600] } }));
    none(
      answer([], twice(active({ shape: insert }), active({ shape: insert, ns: 'd.e' })), {
        totals: NOTHING,
        counters: { 'conflicts.writes': [0, 300, 600] },
      }),
    );
    none(answer([], [], { counters: { 'cache.readBytes': [1] } }));
    none(answer([], twice(active({ plan: 'COLLSCAN' })), { facts: null, before: LARGE }));
  });

  it('says what is not seen, and from what it judges', () => {
    const blind = answer([], [], {
      seen: { operations: null, logged: null, notes: ['inprog is missing.'] },
    });
    assert.deepEqual([blind.explainedRatio, blind.unseen.share], [0, 1]);
    const screen = renderWho(blind, (one) => one);
    assert.match(screen, /not attributed to an operation: 100\.0% of the wait time \(2 s\)/);
    assert.match(screen, /note {2}inprog is missing/);
    const calm = renderWho(answer([], [], { totals: NOTHING }), (one) => one);
    assert.match(calm, /hardly wait \(0 threads on average\)/);
    assert.doesNotMatch(calm, /not seen/);
  });

  it('has its rows, the culprit first, and how each was seen', () => {
    const found = answer(
      [
        slow({ plan: 'COLLSCAN', app: 'web', readBytes: 100 }),
        slow({ ns: 'd.e', examined: 1, readMs: 1000 }),
      ],
      twice(active({ ns: 'd.f' }), active({ shape: find, app: 'web' })),
      { totals: { ...NOTHING, reading: 5 } },
    );
    assert.deepEqual(
      found.rows.map(({ ns, seen, readBytes, examined }) => [ns, seen, readBytes, examined]),
      [
        ['d.c', 'both', 100, 50_000],
        ['d.f', 'sampled', null, null],
        ['d.e', 'logged', 0, 1],
      ],
    );
    assert.deepEqual(
      found.applications.map(({ name }) => name),
      ['web'],
    );
  });

  it('shows as many rows as fit, and counts the others', () => {
    const many = Array.from({ length: 70 }, (_, i) => active({ ns: `d.c${i}` }));
    const found = answer([], twice(...many));
    assert.deepEqual([found.rows.length, found.hiddenRows], [50, 20]);
    assert.match(
      renderWho(found, (one) => one),
      /and 6\d rows more: tune\.last\.rows/,
    );
  });
});

describe('the index to try', () => {
  const index = (/** @type {any} */ fields, /** @type {any} */ more = {}) =>
    indexToTry('d.c', { ...FIELDS, ...fields }, { ...LARGE, ...more });

  it('has equality, sort, then ranges, four at most', () => {
    assert.deepEqual(index({ range: ['r'], sort: [['s', -1]] })?.keys, { a: 1, s: -1, r: 1 });
    assert.deepEqual(
      Object.keys(index({ equal: ['a', 'b', 'c', 'd', 'e'] })?.keys ?? {}).length,
      4,
    );
    assert.equal(
      index({})?.command,
      'db.getSiblingDB("d").getCollection("c").createIndex({ a: 1 })',
    );
    assert.equal(index({})?.bytes, 500_000);
    assert.equal(index({}, { documents: null })?.bytes, null);
    assert.equal(index({}, { idIndexBytes: null })?.bytes, null);
  });

  it('is none where the fields show none, or there is one', () => {
    assert.equal(index({ equal: [] }), null);
    assert.equal(index({ equal: ['_id'] }), null);
    assert.equal(index({ equal: [], range: ['_id'] }), null);
    assert.equal(indexToTry('d.c', null, LARGE), null);
    assert.equal(index({}, { indexes: [{ a: 1, b: 1 }] }), null);
    assert.notEqual(index({}, { indexes: [{ b: 1, a: 1 }] }), null);
    assert.notEqual(index({}, { indexes: null }), null);
  });

  it('comes with the command that shows the plan, without a value', () => {
    assert.equal(
      explainText('d.c', { equal: ['a', 'b-c'], range: ['r'], sort: [['s', 1]], isWhole: false }),
      'db.getSiblingDB("d").getCollection("c").find({ a: <value>, "b-c": <value>, r: { $gte: <value> }, ' +
        '… }).sort({ s: 1 }).explain("executionStats")',
    );
    assert.match(String(explainText('d.c', ALL)), /find\(\{\}\)/);
    assert.equal(explainText('d', ALL), null);
    assert.equal(explainText('d.c', null), null);
  });
});
