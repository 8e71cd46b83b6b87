'use strict';

const CONFIRM = Object.freeze({ name: 'confirm', flag: /** @type {const} */ (true), description: 'true does it; without it only what would be done is shown (false)' });

/** tune.history() has the changes of settings alone. */
const MOVES = Object.freeze({ changes: true, shownBy: 'tune.split.status()' });

/** What plans the split of a database, and moves collections to another one. @type {Readonly<Record<string, import('./entry').Entry>>} */
const TABLE = Object.freeze({
  split: {
    load: () => require('../../lib/commands/split').split,
    takes: [],
    usage: 'tune.split()',
    help: 'Moves collections to another database, step by step',
    more: 'What is acknowledged is never lost, and until finish it can be taken back',
    options: [],
    examples: ['tune.split()', 'tune split'],
    changes: false,
    commands: {
      plan: {
        load: () => require('../../lib/commands/split-plan').splitPlan,
        takes: ['options'],
        usage: 'tune.split.plan({ from, into … })',
        help: 'Whether it is worth it, what goes where, what is in the way',
        more: 'It only looks. It waits for one checkpoint, to see what is written to which collection',
        options: [
          { name: 'from', description: 'the database to split' },
          { name: 'into', description: 'a database or a list of them (the name with a 2 behind it)' },
          { name: 'collections', description: 'which to move (those that balance what is written)' },
          { name: 'by', description: '{ hash: field } or { range: field }, parts: one collection becomes several' },
          { name: 'method', description: 'of copying: "out", in one command, or "ranges", in steps that leave clients room (the better one)' },
          { name: 'seconds', description: 'how long to measure what is written (65)' },
        ],
        examples: [
          'tune.split.plan({ from: "shop", seconds: 65 })',
          'const plan = tune.split.plan({ from: "shop", into: "shop2", collections: ["orders"], seconds: 65 })',
          'tune split plan --from shop --collections orders --seconds 65',
        ],
        changes: false,
      },
      run: {
        load: () => require('../../lib/commands/split-run').splitRun,
        takes: ['change', 'options'],
        usage: 'tune.split.run(plan, { confirm })',
        help: 'Copies, and follows what is written meanwhile',
        more: 'Ctrl-C stops at a safe point; tune.split.resume(id) goes on, from any shell',
        options: [CONFIRM],
        examples: ['tune.split.run(plan)'],
        ...MOVES,
      },
      status: {
        load: () => require('../../lib/commands/split-status').splitStatus,
        takes: ['text'],
        usage: 'tune.split.status(id)',
        help: 'How far each split is, and what can be done now',
        options: [],
        examples: ['tune.split.status()', 'tune split status'],
        changes: false,
      },
      resume: {
        load: () => require('../../lib/commands/split-resume').splitResume,
        takes: ['text', 'options'],
        usage: 'tune.split.resume(id, { follow, again … })',
        help: 'Goes on where a split was left, whatever happened',
        options: [
          { name: 'follow', flag: /** @type {const} */ (true), description: 'stays, and brings over what is written until Ctrl-C (false)' },
          { name: 'again', flag: /** @type {const} */ (true), description: 'with a new copy, when the oplog was too short; after the switch with a comparison of everything; needs confirm (false)' }, CONFIRM,
        ],
        examples: ['tune.split.resume()', 'tune split resume'],
        ...MOVES,
      },
      verify: {
        load: () => require('../../lib/commands/split-verify').splitVerify,
        takes: ['text'],
        usage: 'tune.split.verify(id)',
        help: 'Compares every document on both sides, byte by byte',
        options: [],
        examples: ['tune.split.verify()', 'tune split verify'],
        ...MOVES,
      },
      cutover: {
        load: () => require('../../lib/commands/split-cutover').splitCutover,
        takes: ['text', 'options'],
        usage: 'tune.split.cutover(id, { reads, confirm })',
        help: 'From one moment on the new name has the data',
        more: 'Writes to the old name fail with error 166, reads with 241 and a sentence',
        options: [{ name: 'reads', description: '"view": the old name goes on answering reads, with what it was at the cut, until finish; nothing tells its readers that it is old ("refused")' }, CONFIRM],
        examples: ['tune.split.cutover()', 'tune.split.cutover(undefined, { reads: "view" })', 'tune split cutover'],
        ...MOVES,
      },
      rollback: {
        load: () => require('../../lib/commands/split-rollback').splitRollback,
        takes: ['text', 'options'],
        usage: 'tune.split.rollback(id, { confirm })',
        help: 'Takes it back, with all that was written since',
        options: [CONFIRM],
        examples: ['tune.split.rollback()', 'tune split rollback'],
        ...MOVES,
      },
      finish: {
        load: () => require('../../lib/commands/split-finish').splitFinish,
        takes: ['text', 'options'],
        usage: 'tune.split.finish(id, { confirm, open })',
        help: 'Drops the old data; after that there is no rollback',
        options: [CONFIRM, { name: 'open', flag: /** @type {const} */ (true), description: 'the old name refuses no longer, and becomes free (false)' }],
        examples: ['tune.split.finish()', 'tune split finish'],
        ...MOVES,
      },
      abort: {
        load: () => require('../../lib/commands/split-abort').splitAbort,
        takes: ['text', 'options'],
        usage: 'tune.split.abort(id, { confirm })',
        help: 'Gives up before the switch; the source is as it was',
        options: [CONFIRM],
        examples: ['tune.split.abort()', 'tune split abort'],
        ...MOVES,
      },
      script: {
        load: () => require('../../lib/commands/split-script').splitScript,
        takes: ['change'],
        usage: 'tune.split.script(plan)',
        help: 'The plan as commands for mongosh, to do it by hand',
        options: [],
        examples: ['tune.split.script(plan)'],
        changes: false,
      },
    },
  },
});

module.exports = TABLE;
