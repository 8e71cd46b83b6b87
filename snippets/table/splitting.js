'use strict';

const CONFIRM = Object.freeze({ name: 'confirm', flag: /** @type {const} */ (true), description: 'true does it; without it only what would be done is shown (false)' });

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
          { name: 'seconds', description: 'how long to measure what is written (65)' },
        ],
        examples: [
          'tune.split.plan({ from: "shop", seconds: 65 })',
          'const plan = tune.split.plan({ from: "shop", into: "shop2", collections: ["orders"], seconds: 65 })',
          'tune split plan --from shop --collections orders --by {hash:"_id",parts:4} --seconds 65',
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
        examples: ['tune.split.run()'],
        changes: true,
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
        usage: 'tune.split.resume(id, { again, confirm })',
        help: 'Goes on where a split was left, whatever happened',
        options: [{ name: 'again', flag: /** @type {const} */ (true), description: 'with a new copy, when the oplog was too short; needs confirm (false)' }, CONFIRM],
        examples: ['tune.split.resume()', 'tune split resume'],
        changes: true,
      },
      verify: {
        load: () => require('../../lib/commands/split-verify').splitVerify,
        takes: ['text'],
        usage: 'tune.split.verify(id)',
        help: 'Compares every document on both sides, byte by byte',
        options: [],
        examples: ['tune.split.verify()', 'tune split verify'],
        changes: true,
      },
      cutover: {
        load: () => require('../../lib/commands/split-cutover').splitCutover,
        takes: ['text', 'options'],
        usage: 'tune.split.cutover(id, { confirm })',
        help: 'From one moment on the new name has the data',
        options: [CONFIRM],
        examples: ['tune.split.cutover()', 'tune split cutover'],
        changes: true,
      },
      rollback: {
        load: () => require('../../lib/commands/split-rollback').splitRollback,
        takes: ['text', 'options'],
        usage: 'tune.split.rollback(id, { confirm })',
        help: 'Takes it back, with all that was written since',
        options: [CONFIRM],
        examples: ['tune.split.rollback()', 'tune split rollback'],
        changes: true,
      },
      finish: {
        load: () => require('../../lib/commands/split-finish').splitFinish,
        takes: ['text', 'options'],
        usage: 'tune.split.finish(id, { confirm, open })',
        help: 'Drops the old data; after that there is no rollback',
        options: [CONFIRM, { name: 'open', flag: /** @type {const} */ (true), description: 'the old name refuses no longer, and becomes free (false)' }],
        examples: ['tune.split.finish()', 'tune split finish'],
        changes: true,
      },
      abort: {
        load: () => require('../../lib/commands/split-abort').splitAbort,
        takes: ['text', 'options'],
        usage: 'tune.split.abort(id, { confirm })',
        help: 'Gives up before the switch; the source is as it was',
        options: [CONFIRM],
        examples: ['tune.split.abort()', 'tune split abort'],
        changes: true,
      },
    },
  },
});

module.exports = TABLE;
