'use strict';

const { many } = require('../base/pure/units');
const { defineCommand, confirmOption } = require('../base/pure/command');
const { advanceTo } = require('../split/advance');
const { begin, splitsOfPlan } = require('../split/begin');
const { runOnEach } = require('../split/each-split');
const { PHASE_TABLE, cutWayOf } = require('../split/pure/phase-table');
const { doneReport, splitsReport } = require('../split/split-command');
const { runObstacles } = require('../split/run-obstacles');
const { statusOfSplit } = require('../split/split-status');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Context } from '../split/split-command'
 * @import { Phase } from '../split/state'
 * @import { Split, SplitCommand } from '../split/types'
 */

module.exports = defineCommand({
  name: 'split.run',
  group: 'Split',
  order: 2,
  takes: ['change', 'options'],
  usage: 'tune.split.run(plan, { confirm })',
  summary: 'Copies the collections and applies new writes',
  details:
    'Ctrl-C stops at a safe point; tune.split.resume(id, { confirm: true }) ' +
    'continues, from any shell',
  options: { confirm: confirmOption('a DRY RUN shows what would be done') },
  examples: ['tune.split.run(plan)', 'tune.split.run(plan, { confirm: true })'],
  changes: 'splits',
  risks: [
    'The copy needs the disk space of data and indexes a second time, on every ' +
      'member, until tune.split.finish().',
    'It loads disk and cache. The method ranges is throttled when clients become ' +
      'slow; the method out cannot be throttled.',
    'The target namespace is blocked until the cutover.',
    'If the oplog is too short for the copy, the copy has to be restarted.',
  ],
  run: splitRun,
});

/**
 * Moves the collections of a plan: copies them, builds their indexes, and applies what is written
 * meanwhile until the lag is less than a second. Applications go on using the source until
 * tune.split.cutover().
 * @param {Context} ctx
 * @param {any} plan the answer of tune.split.plan()
 * @param {{ confirm: boolean }} options
 * @returns {Promise<ReturnType<typeof doneReport>>}
 * @throws {TuneError} TUNE-1xxxx, TUNE-2xxxx, TUNE-35002 to TUNE-35011; after Ctrl-C TUNE-30009:
 *   tune.split.resume(id) continues
 */
async function splitRun(ctx, plan, { confirm }) {
  const splits = await splitsOfPlan(ctx.port, plan);
  if (!confirm) {
    const obstacles = await runObstacles(ctx, RUN, splits);
    return splitsReport(
      'tune.split.run',
      splits.map((split, i) => ({
        ...statusOfSplit(split),
        does: [...previewLines(split), ...obstacles[i]],
      })),
      'tune.split.run(plan, { confirm: true })',
    );
  }
  await begin(ctx, splits);
  return doneReport('tune.split.run', await runOnEach(ctx, RUN, splits));
}

/** @type {SplitCommand} */
const RUN = {
  name: 'tune.split.run',
  phases: /** @type {Phase[]} */ (Object.keys(PHASE_TABLE)),
  // A user who types the call again does not expect a cutover, and has no guardian for it.
  isAllowed: ({ mode, phase }) => mode === 'offline' || cutWayOf(phase) === null,
  preview: (split) => previewLines(split),
  run: (job) => advanceTo(job, 'ready'),
};

/** Says what a run would do. @param {Split} split */
const previewLines = ({ mode, method, from, into, source, target, indexes }) => [
  `${target} is blocked until the cutover; the staging copy is ${into.db}.${into.stagingName}.`,
  ...(mode === 'offline'
    ? [
        `${source} is blocked for reads and writes until the split is done: a ` +
          'standalone server has no change streams.',
      ]
    : []),
  `The server copies ${source} ${method === 'out' ? 'in one command' : 'in small ranges'}, ` +
    `then builds ${many(indexes.length, 'index', 'indexes')}.`,
  mode === 'offline'
    ? `${target} gets the data; the renamed source stays as ` +
      `${from.db}.${from.renamedTo} until tune.split.finish().`
    : `New writes to ${source} are applied to the copy. Applications keep using ${source}. The ` +
      `copy adds load${method === 'out' ? '' : '; a guardrail pauses it when writes slow down'}.`,
];
