'use strict';

const assert = require('node:assert/strict');
const { redoOf } = require('../../../lib/cluster/pure/redo');

const MEMBERS = ['a', 'b', 'c'];
const run = (/** @type {string} */ processId) => ({ host: 'h', processId, pid: 7, startedAtMs: 1 });
const of = (/** @type {string} */ group, /** @type {string} */ member, more = {}) =>
  /** @type {any} */ ({
    id: `${group}-${member}`,
    run: run(member),
    change: { evictionThreadsMax: 6 },
    outcome: 'applied',
    sent: [],
    undoes: null,
    group: { id: group, member, members: MEMBERS },
    ...more,
  });
const undone = { outcome: 'undone' };
/** An undo that did not come to c. */
const UNDONE = [
  of('g', 'a', undone),
  of('g', 'b', undone),
  of('g', 'c'),
  of('u', 'a', { undoes: 'g-a' }),
  of('u', 'b', { undoes: 'g-b' }),
];
const reached = ['a', 'b'].map((host) => ({ host, isSet: true }));
const answering = (/** @type {Record<string, string>} */ processes) =>
  Object.entries(processes).map(([host, process]) => ({
    stop: { place: { host }, set: {} },
    settings: { run: run(process) },
  }));

describe('cluster/pure/redo: whether members of a change that are not reached keep it', () => {
  for (const [what, processes, isKept] of /** @type {const} */ ([
    ['answers as the process that was changed', { a: 'a', b: 'b', c: 'c' }, true],
    ['answers under another name', { a: 'a', b: 'b', d: 'c' }, true],
    ['was restarted', { a: 'a', b: 'b', c: 'c2' }, false],
    ['does not answer', { a: 'a', b: 'b' }, false],
  ]))
    it(`a redo without a member that ${what}: ${isKept ? 'all are alike' : 'they will differ'}`, () => {
      const { redo, warnings } = redoOf(UNDONE, 'u', {
        reached,
        answering: answering(processes),
        names: [...MEMBERS, 'd'],
      });
      assert.deepEqual([redo, warnings.length], [null, isKept ? 0 : 1]);
      if (!isKept) assert.match(warnings[0], / on a, b alone, not c: the members will differ/);
    });

  it('an undo without a member that was restarted, which the journal has not yet', () => {
    const entries = MEMBERS.map((member) => of('g', member));
    assert.match(
      String(
        redoOf(entries, 'g', { reached, answering: answering({ c: 'c2' }), names: MEMBERS }).redo,
      ),
      /^tune\.apply\(\{ evictionThreadsMax: 6 \}, \{ members: \["a", "b", "c"\] \}\)$/,
    );
  });

  it('members that have left the set, or have another name, are not named as they were', () => {
    const redoAfter = (/** @type {string[]} */ names, /** @type {any[]} */ only) =>
      redoOf(
        MEMBERS.map((member) => of('g', member)),
        'g',
        { reached: only, answering: answering({ a: 'a', d: 'b' }), names },
      ).redo;
    const ofA = reached.slice(0, 1);
    assert.equal(redoAfter(['a', 'd'], [...ofA, { host: 'd', isSet: true }]), null);
    assert.match(
      String(redoAfter(['a', 'd', 'c'], [...ofA, { host: 'd', isSet: true }])),
      /members: \["a", "d", "c"\]/,
    );
  });
});
