'use strict';

const { CONFIRM, FORCE } = require('./entry');

/**
 * @import { Entry } from './entry'
 */

/**
 * What changes settings, and takes the change back.
 * @type {Readonly<Record<string, Entry>>}
 */
const TABLE = Object.freeze({
  apply: {
    load: () => require('../../lib/commands/apply').apply,
    takes: ['change', 'options'],
    usage: 'tune.apply(change, { members, confirm, … })',
    help: 'Changes settings; without confirm it only shows them',
    more:
      'change: what tune.advise() answered, or settings such as { cacheSizeGB: 2, ' +
      'evictionThreadsMax: 8 }',
    options: [
      CONFIRM,
      FORCE,
      {
        name: 'members',
        description:
          '"all", "secondaries" or a list of names: one by one, primaries last, undone as ' +
          'one (this server alone)',
      },
    ],
    examples: [
      'tune.apply({ evictionThreadsMax: 6 })',
      'tune.apply({ evictionThreadsMax: 6 }, { members: "all" })',
      'tune.apply({ evictionThreadsMax: 6 }, { confirm: true })',
      'tune apply --evictionDirtyTarget 6 --confirm',
    ],
    changes: true,
  },
  trial: {
    load: () => require('../../lib/commands/trial').trial,
    takes: ['change', 'options'],
    usage: 'tune.trial(change, { confirm, blocks, … })',
    help: 'Proves a change: old and new setting take turns',
    more:
      'It works under the load that is there, and answers better, worse, same or inconclusive, ' +
      'with ratio and interval. When the new setting hurts, and after Ctrl-C, the old one is ' +
      'back within 2 s, or in steps of at most 20 s in all where it is the smaller cache or ' +
      'the lower trigger: what each switch cost the clients is a part of the answer',
    options: [
      CONFIRM,
      FORCE,
      { name: 'blocks', description: 'how many, an even number (8)' },
      { name: 'seconds', description: 'of each block, counted after it has settled (30)' },
      {
        name: 'metric',
        description: '"opsPerSec", "readLatencyMs", "writeP99Ms", … ("opsPerSec")',
      },
      { name: 'keep', description: '"if-better" or "never" ("if-better")' },
      {
        name: 'guard',
        description: 'limits for B: { readLatencyMs, writeLatencyMs, appWaitRatio, errors }',
      },
    ],
    examples: [
      'tune.trial({ evictionThreadsMax: 8 })',
      'tune.trial({ evictionThreadsMax: 8 }, { confirm: true, blocks: 4, seconds: 2, keep: ' +
        '"never" })',
      'tune trial --cacheSizeGB 0.5 --metric readP95Ms',
    ],
    changes: true,
  },
  auto: {
    load: () => require('../../lib/commands/auto').auto,
    takes: ['options'],
    usage: 'tune.auto({ minutes, knobs, confirm, … })',
    help: 'Searches for better settings by such trials',
    more: 'Only settings that are the mechanism of the bottleneck; it ends at the best that is proven',
    options: [
      { name: 'minutes', description: 'how long at most (15)' },
      { name: 'seconds', description: 'of the first sample (10)' },
      { name: 'settings', description: 'which settings may be tried (those of the bottleneck)' },
      CONFIRM,
      { name: 'metric', description: 'as in tune.trial ("opsPerSec")' },
      { name: 'guard', description: 'as in tune.trial' },
    ],
    examples: [
      'tune.auto({ seconds: 10 })',
      'tune.auto({ minutes: 20, seconds: 10, knobs: ["cacheSizeGB"], confirm: true })',
      'tune auto --seconds 10 --confirm',
    ],
    changes: true,
  },
  undo: {
    load: () => require('../../lib/commands/undo').undo,
    takes: ['text', 'options'],
    usage: 'tune.undo(id, { confirm, force })',
    help: 'Returns to the settings before a change (the last one)',
    options: [CONFIRM, FORCE],
    examples: ['tune.undo()', 'tune undo --confirm'],
    changes: true,
  },
  history: {
    load: () => require('../../lib/commands/history').history,
    takes: ['options'],
    usage: 'tune.history({ all })',
    help: 'The changes made with tune, and what became of them',
    options: [
      {
        name: 'all',
        flag: true,
        description: 'of every server in the journal; needs no connection (false)',
      },
    ],
    examples: ['tune.history()', 'tune history --all'],
    changes: false,
  },
  conf: {
    load: () => require('../../lib/commands/conf').conf,
    takes: ['change'],
    usage: 'tune.conf(change)',
    help: 'The mongod.conf lines that keep settings over a restart',
    options: [],
    examples: ['tune.conf()', 'tune.conf({ cacheSizeGB: 0.5 })', 'tune conf --cacheSizeGB 0.5'],
    changes: false,
  },
});

module.exports = TABLE;
