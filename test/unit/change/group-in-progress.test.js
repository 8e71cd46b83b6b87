'use strict';

const assert = require('node:assert/strict');
const { ownWriter } = require('../../../lib/change/writer');
const { entriesOf } = require('../../../lib/change/pure/journal');
const {
  groupAtWork,
  refuseGroupAtWork,
  refuseMembersAtWork,
} = require('../../../lib/change/group-in-progress');

/** A process that runs, and is not this one. */
const OTHER = Object.freeze({
  writerPid: process.ppid,
  writer: { ...ownWriter(), startedTicks: null },
});
const OWN = Object.freeze({ writerPid: process.pid, writer: ownWriter() });
const members = ['b', 'c', 'a'];
const begun = (/** @type {string} */ id, more = {}) => ({
  kind: 'intent',
  id,
  action: 'apply',
  undoes: null,
  at: new Date().toISOString(),
  change: {},
  before: {},
  commands: [],
  group: { id: 'g', member: id, members },
  ...OTHER,
  ...more,
});
const over = (/** @type {string} */ id, outcome = 'applied') => ({ kind: 'outcome', id, outcome });
const atWork = (/** @type {any[]} */ ...lines) => groupAtWork(entriesOf(lines), 'g')?.id ?? null;

describe('change/group-in-progress: whether another shell is at work on a change of several members', () => {
  for (const [title, lines, id] of /** @type {[string, any[], string | null][]} */ ([
    ['nobody, where there is none', [], null],
    ['in the middle of a member', [begun('b')], 'b'],
    ['between two members', [begun('b'), over('b')], 'b'],
    ['not once it has ended', [begun('b'), over('b'), over('g', 'interrupted')], null],
    [
      'not once every member is changed',
      [begun('b'), over('b'), begun('c'), over('c'), begun('a'), over('a')],
      null,
    ],
    [
      'while members are taken back',
      [begun('b'), over('b'), begun('c'), over('c', 'undone'), begun('a'), over('a', 'refused')],
      'a',
    ],
    [
      'not once all are taken back',
      [
        begun('b'),
        over('b', 'undone'),
        begun('c'),
        over('c', 'undone'),
        begun('a', {}),
        over('a', 'refused'),
      ],
      null,
    ],
    ['not this shell', [begun('b', OWN), over('b')], null],
    [
      'an undo of one member',
      [begun('b', OWN), over('b'), begun('u', { action: 'undo', undoes: 'b', group: undefined })],
      'u',
    ],
    [
      'an undo of all, between two of them',
      [
        begun('b', OWN),
        over('b'),
        begun('u', { action: 'undo', undoes: 'b', group: { id: 'back', member: 'b', members } }),
        over('u'),
      ],
      'u',
    ],
    [
      'not an undo that has ended',
      [
        begun('b', OWN),
        over('b'),
        begun('u', { action: 'undo', undoes: 'b', group: { id: 'back', member: 'b', members } }),
        over('u'),
        over('back'),
      ],
      null,
    ],
  ]))
    it(title, () => assert.equal(atWork(...lines), id));

  it('refuses, and names the process', () => {
    const entries = entriesOf(/** @type {any[]} */ ([begun('b')]));
    const refused = (/** @type {any} */ error) =>
      error.code === 'TUNE-30010' &&
      error.message.includes(
        `Another shell (process ${process.ppid}) is still making the change g`,
      );
    assert.throws(() => refuseGroupAtWork(entries, 'g'), refused);
    assert.throws(() => refuseMembersAtWork(entries, ['x', 'a']), refused);
    refuseGroupAtWork(entries, 'other');
    refuseMembersAtWork(entries, ['x']);
    refuseMembersAtWork(entriesOf(/** @type {any[]} */ ([begun('b', { group: undefined })])), [
      'b',
    ]);
  });
});
