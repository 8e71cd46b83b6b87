'use strict';

const assert = require('node:assert/strict');
const {
  majorityOf,
  majorityLagSeconds,
  nearer,
  inOrder,
} = require('../../../lib/server/pure/replica-set');
const {
  flatten,
  textOf,
  differences,
  ABSENT,
  sharedOptions,
  sharedParameters,
} = require('../../../lib/config/member-differences');
const {
  ofGroup,
  neverBegun,
  cutShort,
  undoesOf,
  lostLines,
  closedByOthers,
} = require('../../../lib/change/pure/journal-groups');
const { row, arbiter, set, NEWEST_MS } = require('../../support/members');

const place = (rows, more = {}) => ({ ...set(rows, more), members: rows, notes: [] });

describe('server/pure/replica-set', () => {
  it('a majority is more than half of the votes', () => {
    for (const [votes, majority] of [
      [[1], 1],
      [[1, 1], 2],
      [[1, 1, 1], 2],
      [[1, 1, 0], 2],
      [[1, 1, 1, 1], 3],
    ])
      assert.equal(majorityOf(votes.map((n, i) => row(`m${i}`, { votes: n }))), majority);
    assert.equal(majorityOf([row('a', { votes: null })]), null);
  });
  it('the majority has what so many voting members have, an arbiter has nothing', () => {
    const primary = row('a', { role: 'primary' });
    assert.equal(
      majorityLagSeconds(
        place([primary, row('b', { lagSeconds: 3 }), row('c', { lagSeconds: 9 })]),
      ),
      3,
    );
    assert.equal(
      majorityLagSeconds(place([primary, row('b', { lagSeconds: 3 }), arbiter('c')])),
      3,
    );
    assert.equal(
      majorityLagSeconds(place([primary, row('b', { lagSeconds: 3 }), row('c', { votes: 0 })])),
      3,
    );
    assert.equal(majorityLagSeconds(place([primary, arbiter('c')])), null, 'nobody has it');
    assert.equal(majorityLagSeconds(place([primary, row('b')], { newestMs: null })), null);
    assert.equal(majorityLagSeconds(place([primary, row('b')], { majority: null })), null);
    assert.equal(
      majorityLagSeconds(place([primary, row('b')], { committedMs: NEWEST_MS + 500 })),
      0,
      'clocks are not that exact',
    );
  });
  it('of two tellings each lag is the smaller one, and what is no longer told is not known', () => {
    const first = place(
      [
        row('a', { role: 'primary' }),
        row('b', { lagSeconds: 10 }),
        row('c', { lagSeconds: null }),
        row('d', { lagSeconds: 3 }),
        row('e', { lagSeconds: 7 }),
      ],
      { committedMs: 1 },
    );
    const again = place(
      [
        row('a', { role: 'primary' }),
        row('d', { lagSeconds: null }),
        row('c', { lagSeconds: 4 }),
        row('b', { lagSeconds: 12, role: 'recovering' }),
        row('f'),
      ],
      { committedMs: 2 },
    );
    const { members, committedMs } = nearer(first, again);
    assert.deepEqual(
      [
        committedMs,
        ...members.map(({ host, role, lagSeconds }) => `${host} ${role} ${lagSeconds}`),
      ],
      [
        2,
        'a primary null',
        'b recovering 10',
        'c secondary 4',
        'd secondary null',
        'e secondary 7',
      ],
    );
  });
  it('primaries come last, set by set; arbiters not at all', () => {
    const sets = [
      place([row('a', { role: 'primary' }), row('b'), arbiter('c')]),
      place([row('d'), row('e', { role: 'primary' })]),
      place([row('f', { role: 'standalone' })]),
    ];
    assert.deepEqual(
      inOrder(sets).map(({ host }) => host),
      ['b', 'a', 'd', 'e', 'f'],
    );
  });
});

describe('config/member-differences', () => {
  it('flattens what is nested, and leaves lists and empty objects', () =>
    assert.deepEqual(flatten({ a: { b: 1, c: { d: [1] } }, e: {}, f: null }), {
      'a.b': 1,
      'a.c.d': [1],
      e: {},
      f: null,
    }));
  it('reads the same for the same value', () => {
    assert.equal(
      textOf({ b: 1, a: [1, { d: 1, c: 2 }] }),
      textOf({ a: [1, { c: 2, d: 1 }], b: 1 }),
    );
    assert.deepEqual(
      [textOf(undefined), textOf('x'), textOf(1), textOf(null), textOf(false)],
      [ABSENT, 'x', '1', 'null', 'false'],
    );
  });
  it('names what differs, the most frequent value first', () => {
    const reported = [
      ['a', { x: 1, y: 2 }],
      ['b', { x: 2, y: 2 }],
      ['c', { x: 2, y: 2, z: 3 }],
    ].map(([host, values]) => /** @type {any} */ ({ host, values }));
    assert.deepEqual(differences(reported), [
      {
        name: 'x',
        values: [
          { text: '2', hosts: ['b', 'c'] },
          { text: '1', hosts: ['a'] },
        ],
      },
      {
        name: 'z',
        values: [
          { text: ABSENT, hosts: ['a', 'b'] },
          { text: '3', hosts: ['c'] },
        ],
      },
    ]);
    assert.deepEqual(
      differences(reported, { common: true }).map(({ name }) => name),
      ['x'],
    );
  });
  it("leaves out what is each member's own, and secrets", () => {
    assert.deepEqual(
      sharedOptions({
        config: '/x',
        net: {
          port: 1,
          bindIp: 'x',
          tls: { mode: 'requireTLS', CAFile: '/ca' },
          maxIncomingConnections: 5,
        },
        storage: { dbPath: '/d', directoryPerDB: true },
        systemLog: { path: '/l', logAppend: true },
        security: { keyFile: '/k', authorization: 'enabled' },
      }),
      {
        'net.tls.mode': 'requireTLS',
        'net.maxIncomingConnections': 5,
        'storage.directoryPerDB': true,
        'systemLog.logAppend': true,
        'security.authorization': 'enabled',
      },
    );
    assert.deepEqual(
      sharedParameters({
        wiredTigerEngineRuntimeConfig: 'x',
        ttlMonitorSleepSecs: 60,
        ldapQueryPassword: 'x',
        tlsCATrustsFile: 'x',
      }),
      { ttlMonitorSleepSecs: 60 },
    );
  });
});

describe('change/pure/journal-groups', () => {
  const entry = (member, id = 'g') =>
    /** @type {any} */ ({ group: { id, member, members: ['b', 'c', 'a'] } });
  it('finds a change of several members, and those it never came to', () => {
    const entries = [entry('b'), /** @type {any} */ ({}), entry('c', 'other')];
    assert.deepEqual(ofGroup(entries, 'g'), [entries[0]]);
    assert.deepEqual(neverBegun(entries, 'g'), ['c', 'a']);
    assert.deepEqual(neverBegun(entries, 'nobody'), []);
    const done = entries.map((entry) => ({ ...entry, groupDone: true }));
    assert.deepEqual(neverBegun(done, 'g'), []);
  });
  it('finds one that ended between two members, while something of it is in effect', () => {
    const of = (member, outcome, id) => ({ ...entry(member, id), outcome });
    const [b, c] = [of('b', 'applied'), of('c', 'applied')];
    assert.deepEqual(
      cutShort([/** @type {any} */ ({}), b, c, of('b', 'undone', 'h'), of('c', 'unknown', 'i')]),
      [c],
    );
    assert.deepEqual(cutShort([b, c, of('a', 'applied')]), []);
  });
  it('finds one that every member was begun with, and that some have not', () => {
    const of = (member, outcome, more = {}) => ({ ...entry(member), outcome, ...more });
    for (const other of ['refused', 'interrupted', 'undone', 'partly-undone', 'unknown']) {
      const all = [of('b', 'applied'), of('c', 'applied'), of('a', other)];
      assert.deepEqual(cutShort(all), [all[1]], other);
    }
    assert.deepEqual(cutShort([of('b', 'undone'), of('c', 'undone'), of('a', 'refused')]), []);
    assert.deepEqual(
      cutShort([of('b', 'applied', { action: 'undo' })]),
      [],
      'what it takes back tells it',
    );
  });
  it('finds what was begun to take one back', () => {
    const undoing = (undoes, outcome) =>
      /** @type {any} */ ({ id: `of ${undoes}`, undoes, outcome });
    const all = [
      { ...entry('b'), id: '1', undoes: null },
      { ...entry('c'), id: '2', undoes: null },
      undoing('1', 'unknown'),
      undoing('2', 'refused'),
      undoing('3', 'applied'),
    ];
    assert.deepEqual(undoesOf(all, 'g'), [all[2]]);
  });
  it('of an entry that lost a line all lines are written again', () => {
    const lines = /** @type {any[]} */ ([
      { kind: 'intent', id: '1' },
      { kind: 'outcome', id: '1' },
      { kind: 'intent', id: '2' },
      { kind: 'outcome', id: '2' },
    ]);
    assert.deepEqual(lostLines(lines, lines), []);
    assert.deepEqual(lostLines(lines, lines.slice(1)), lines.slice(0, 2));
    assert.deepEqual(lostLines(lines, []), lines);
  });

  it('what another shell closed of a change, whatever its own shell says afterwards', () => {
    const lines = /** @type {any[]} */ ([
      { kind: 'intent', id: '1' },
      { kind: 'outcome', id: '1', outcome: 'unknown' },
      { kind: 'outcome', id: '1', outcome: 'applied' },
    ]);
    assert.deepEqual([...closedByOthers(lines, [lines[0], lines[2]])], ['1']);
    assert.deepEqual([...closedByOthers(lines, lines)], []);
  });
});
