'use strict';

const assert = require('node:assert/strict');
const { revertedWords } = require('../../../lib/cluster/pure/reverted-words');

const WHERE = Object.freeze({ id: 'g', host: 'a:1', at: 2, of: 3 });
const words = (/** @type {object} */ more) =>
  revertedWords(
    { back: [], restarted: [], foreign: [], left: [], problem: null, spare: null, ...more },
    WHERE,
  );
const left = (/** @type {string | null} */ code, why = 'Lost.') => ({ member: 'b:2', why, code });

describe('cluster/pure/reverted-words: what became of the members', () => {
  for (const [title, more, said, undo] of /** @type {const} */ ([
    ['nothing was sent', {}, 'All members have their previous settings.', null],
    [
      'all are back',
      { back: ['c:3', 'b:2'] },
      'Undone on c:3 and b:2. All members have their previous settings.',
      null,
    ],
    [
      'one was restarted',
      { back: ['c:3'], restarted: ['b:2'] },
      'Undone on c:3. b:2 was restarted meanwhile, which reverted the change: nothing was ' +
        'sent there. The change is not active on any member.',
      null,
    ],
    [
      'two were restarted',
      { restarted: ['b:2', 'c:3'] },
      'b:2 and c:3 were restarted meanwhile, which reverted the change: nothing was sent there. ' +
        'The change is not active on any member.',
      null,
    ],
    [
      'another session took it back',
      { foreign: ['b:2'] },
      'On b:2 another session reverted it; its later settings remain. The change is not active ' +
        'on any member.',
      null,
    ],
    [
      'one is left',
      { back: ['c:3'], left: [left('TUNE-20006')] },
      'Undone on c:3. Not undone on b:2 (Lost): run tune.undo("g", { confirm: true }).',
      'tune.undo("g", { confirm: true })',
    ],
    [
      'one is left because of another session',
      {
        left: [left('TUNE-30006', 'Somebody set "x".'), { member: 'c:3', why: 'Lost', code: null }],
      },
      'Not undone on b:2 (Somebody set "x") and c:3 (Lost): run tune.undo("g", { confirm: ' +
        'true, force: true }), which overwrites the external change.',
      'tune.undo("g", { confirm: true, force: true })',
    ],
    [
      'the journal fails',
      { problem: 'The journal cannot be read.', back: ['b:2'], spare: '/tmp/x' },
      'The journal cannot be read. Undone on b:2. All members have their previous settings. ' +
        'The undo is recorded in /tmp/x, because the journal is not writable. ' +
        'The journal gets these lines as soon as possible, while this shell is open.',
      null,
    ],
    [
      'the journal fails, and one is left',
      { problem: 'The journal cannot be read.', left: [left(null)] },
      'The journal cannot be read. Not undone on b:2 (Lost): run tune.undo("g", { confirm: ' +
        'true }) once the journal is readable and writable again.',
      'tune.undo("g", { confirm: true })',
    ],
  ]))
    it(title, () =>
      assert.deepEqual(
        [words(more).sentences.join(' '), words(more).undo],
        [`Stopped at a:1 (3 of 3). ${said}`, undo],
      ),
    );
});
