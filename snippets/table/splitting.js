'use strict';

/**
 * @import { Entry } from './entry'
 */

const CONFIRM = Object.freeze({
  name: 'confirm',
  flag: /** @type {const} */ (true),
  description: 'true does it; without it a DRY RUN shows what would be done (false)',
});
const GUARDIAN = Object.freeze({
  name: 'guardian',
  description: 'false: no second process that goes on if this shell dies (true)',
});

/** tune.history() has the changes of settings alone. */
const MOVES = Object.freeze({ changes: true, shownBy: 'tune.split.status()' });

/**
 * What plans the split of a database, and moves collections to another one.
 * @type {Readonly<Record<string, Entry>>}
 */
const TABLE = Object.freeze({
  split: {
    load: () => require('../../lib/commands/split').split,
    takes: [],
    usage: 'tune.split()',
    help: 'Moves collections to another database, step by step',
    more: 'No acknowledged write is lost; until finish it can be rolled back',
    options: [],
    examples: ['tune.split()', 'tune split'],
    changes: false,
    commands: {
      plan: {
        load: () => require('../../lib/commands/split-plan').splitPlan,
        takes: ['options'],
        usage: 'tune.split.plan({ from, into … })',
        help: 'Whether it helps, what goes where, and every blocker',
        more:
          'It only reads. It waits for one checkpoint, to measure what is written to which ' +
          'collection',
        options: [
          { name: 'from', description: 'the database to split' },
          {
            name: 'into',
            description: 'a database or a list of them (the name with a 2 behind it)',
          },
          {
            name: 'collections',
            description: 'which to move (those that balance what is written)',
          },
          {
            name: 'by',
            description:
              '{ hash: field } or { range: field }, parts: one collection becomes several',
          },
          {
            name: 'method',
            description:
              'of copying: "out", one command, or "ranges", steps that are throttled for the ' +
              'clients (the better one)',
          },
          { name: 'seconds', description: 'how long to measure what is written (65)' },
        ],
        examples: [
          'tune.split.plan({ from: "shop", seconds: 65 })',
          'const plan = tune.split.plan({ from: "shop", into: "shop2", collections: ' +
            '["orders"], seconds: 65 })',
          'tune split plan --from shop --collections orders --seconds 65',
        ],
        changes: false,
      },
      run: {
        load: () => require('../../lib/commands/split-run').splitRun,
        takes: ['change', 'options'],
        usage: 'tune.split.run(plan, { confirm })',
        help: 'Copies, and applies what is written meanwhile',
        more:
          'Ctrl-C stops at a safe point; tune.split.resume(id, { confirm: true }) goes on, ' +
          'from any shell',
        options: [CONFIRM],
        examples: ['tune.split.run(plan)'],
        ...MOVES,
      },
      status: {
        load: () => require('../../lib/commands/split-status').splitStatus,
        takes: ['text'],
        usage: 'tune.split.status(id)',
        help: 'The phase of each split, the next command, and the way back',
        options: [],
        examples: ['tune.split.status()', 'tune split status'],
        changes: false,
      },
      resume: {
        load: () => require('../../lib/commands/split-resume').splitResume,
        takes: ['text', 'options'],
        usage: 'tune.split.resume(id, { confirm … })',
        help: 'Goes on where a split was left, whatever happened',
        more: 'What it does depends on the phase: without confirm it is shown',
        options: [
          CONFIRM,
          {
            name: 'follow',
            flag: /** @type {const} */ (true),
            description: 'then tails the change stream until Ctrl-C (false)',
          },
          {
            name: 'again',
            flag: /** @type {const} */ (true),
            description:
              'with a new copy, if the oplog was too short; after the cutover a comparison ' +
              'of everything (false)',
          },
        ],
        examples: ['tune.split.resume()', 'tune split resume'],
        ...MOVES,
      },
      verify: {
        load: () => require('../../lib/commands/split-verify').splitVerify,
        takes: ['text', 'options'],
        usage: 'tune.split.verify(id, { repair, confirm })',
        help: 'Compares every document on both sides, byte by byte',
        more: 'It only reads; what was written since the last resume is pending, not different',
        options: [
          {
            name: 'repair',
            flag: /** @type {const} */ (true),
            description:
              'applies what is pending, copies what differs again, compares again (false)',
          },
          CONFIRM,
        ],
        examples: [
          'tune.split.verify()',
          'tune.split.verify(undefined, { repair: true })',
          'tune split verify',
        ],
        ...MOVES,
      },
      cutover: {
        load: () => require('../../lib/commands/split-cutover').splitCutover,
        takes: ['text', 'options'],
        usage: 'tune.split.cutover(id, { confirm … })',
        help: 'From one moment on the target has the data and answers',
        more:
          'Writes to the source name fail with error 166, reads with 241 and a sentence. A ' +
          'cutover that fails is undone',
        options: [
          CONFIRM,
          {
            name: 'reads',
            description:
              '"view": the source name answers reads with old data until finish or a rollback, as ' +
              'of the cutover or the last resume ("refused")',
          },
          GUARDIAN,
        ],
        examples: [
          'tune.split.cutover()',
          'tune.split.cutover(undefined, { reads: "view" })',
          'tune split cutover',
        ],
        ...MOVES,
      },
      rollback: {
        load: () => require('../../lib/commands/split-rollback').splitRollback,
        takes: ['text', 'options'],
        usage: 'tune.split.rollback(id, { confirm … })',
        help: 'The source answers again, with all that was written since',
        more: 'What the target had is kept until finish',
        options: [
          CONFIRM,
          {
            name: 'lost',
            flag: /** @type {const} */ (true),
            description:
              'the target was dropped: the old data gets its name back, without what was ' +
              'written since (false)',
          },
          GUARDIAN,
        ],
        examples: ['tune.split.rollback()', 'tune split rollback'],
        ...MOVES,
      },
      finish: {
        load: () => require('../../lib/commands/split-finish').splitFinish,
        takes: ['text', 'options'],
        usage: 'tune.split.finish(id, { confirm, open })',
        help: 'Drops the old data; after that there is no rollback',
        more: 'After a rollback it drops what the target had',
        options: [
          CONFIRM,
          {
            name: 'open',
            flag: /** @type {const} */ (true),
            description: 'the source name becomes free (false)',
          },
        ],
        examples: ['tune.split.finish()', 'tune split finish'],
        ...MOVES,
      },
      abort: {
        load: () => require('../../lib/commands/split-abort').splitAbort,
        takes: ['text', 'options'],
        usage: 'tune.split.abort(id, { confirm, keep })',
        help: 'Ends it before the target answers; the source has all data',
        options: [
          CONFIRM,
          {
            name: 'keep',
            flag: /** @type {const} */ (true),
            description: 'the copy stays, under the name it has (false)',
          },
        ],
        examples: ['tune.split.abort()', 'tune split abort'],
        ...MOVES,
      },
      script: {
        load: () => require('../../lib/commands/split-script').splitScript,
        takes: ['change'],
        usage: 'tune.split.script(plan)',
        help: 'The plan as commands for mongosh, to run by hand',
        options: [],
        examples: ['tune.split.script(plan)'],
        changes: false,
      },
    },
  },
});

module.exports = TABLE;
