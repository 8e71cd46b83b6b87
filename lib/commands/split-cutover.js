'use strict';

const { defineCommand, confirmOption } = require('../base/pure/command');
const { TuneError } = require('../base/pure/errors');
const { oneOf } = require('../base/pure/options');
const { checkSame } = require('../split/recopy');
const { advanceTo } = require('../split/advance');
const { CUTOVER_PHASES, canCatchUp } = require('../split/pure/phase-table');
const { obstaclesOf } = require('../split/preconditions');
const { runSplitCommand, guardianSays, guardianOption } = require('../split/split-command');

/**
 * @import { Context } from '../split/split-command'
 * @import { SplitJob } from '../split/split-job'
 */

module.exports = defineCommand({
  name: 'split.cutover',
  group: 'Split',
  order: 6,
  takes: ['id', 'options'],
  idsOf: 'tune.split.status()',
  usage: 'tune.split.cutover(id, { confirm … })',
  summary: 'Moves reads and writes to the target namespace',
  details:
    'Writes to the source namespace fail with error 166, reads with 241. A cutover ' +
    'that fails is undone',
  options: {
    confirm: confirmOption('a DRY RUN shows what would be done'),
    reads: {
      check: oneOf(['refused', 'view']),
      defaultText: '"refused"',
      description:
        '"view": reads of the source namespace return old data until tune.split.finish() or a ' +
        'rollback, as of the cutover or the last resume',
    },
    guardian: guardianOption(),
  },
  examples: [
    'tune.split.cutover()',
    'tune.split.cutover({ confirm: true })',
    'tune.split.cutover({ reads: "view", confirm: true })',
    'tune split cutover --confirm',
  ],
  changes: 'splits',
  risks: [
    'Both namespaces are blocked for about 1 s; longer if the copy lags, and up to 90 s behind a ' +
      'transaction.',
    'Applications that do not expect the errors 166, 241 and 175 fail: test them first.',
    'Change streams on the collection end. Open transactions delay the cutover.',
    'If this shell and its guardian both die, both namespaces stay blocked until ' +
      'tune.split.resume().',
  ],
  run: splitCutover,
});

/**
 * The cutover: the source refuses everything from one moment on, what came before it is applied to
 * the target, and the target gets its name. Writes in between fail with an error; none is lost.
 * @param {Context} ctx
 * @param {string | undefined} id
 * @param {{ confirm: boolean, reads?: 'refused' | 'view', guardian: boolean }} options
 */
async function splitCutover(ctx, id, { confirm, reads, guardian }) {
  return runSplitCommand(
    ctx,
    {
      name: 'tune.split.cutover',
      phases: CUTOVER_PHASES.forward,
      preview: ({ source, target, from, needsFullCompare = false, reads: set, ...split }) => [
        ...(needsFullCompare
          ? [
              'The copy may lack writes, so every document is compared first. ' +
                `${source} stays active.`,
            ]
          : []),
        ...oldName({
          source,
          target,
          renamedTo: `${from.db}.${from.renamedTo}`,
          reads: reads ?? set ?? 'refused',
        }),
        `The last writes are applied to ${target}, which is then active. Until then ` +
          `${(reads ?? set) === 'view' ? 'writes' : 'reads and writes'} of both names fail: about 1 s, up ` +
          'to 90 s behind a transaction. Applications must try both names: deploy them first ' +
          '(docs/split.md).',
        ...guardianSays(split.mode, guardian),
      ],
      guardian: guardian ? 'required' : 'none',
      obstacles: (split) => obstaclesOf(ctx.port, split),
      run: async (job) => {
        if (canCatchUp(job.split) && !job.split.needsFullCompare) checkSame(job.split, 'forward');
        if (reads !== undefined) await choose(job, reads);
        await advanceTo(job, 'switched');
      },
    },
    { id, confirm, also: { reads, guardian: guardian ? undefined : false } },
  );
}

/**
 * Says what the source name answers after the cutover.
 * @param {{ source: string, target: string, renamedTo: string, reads: 'refused' | 'view' }} names
 */
const oldName = ({ source, target, renamedTo, reads }) =>
  reads === 'refused'
    ? [
        `${source} becomes ${renamedTo}. From then on ${source} is blocked for writes (error 166) and reads ` +
          '(error 241).',
      ]
    : [
        `${source} becomes ${renamedTo}. From then on ${source} is blocked for writes (error 166).`,
        `Reads of ${source} return old data, of the cutover or the last tune.split.resume(), ` +
          `without the writes to ${target}. After tune.split.finish() they fail, too.`,
      ];

/**
 * Records the choice before the cutover: a shell that resumes it does the same.
 * @param {SplitJob} job
 * @param {'refused' | 'view'} reads
 */
async function choose(job, reads) {
  const { phase, source, reads: now = 'refused' } = job.split;
  if (phase === 'following') return job.save({ reads });
  if (reads !== now)
    throw new TuneError(
      'TUNE-35010',
      `${source} is ${phase}: how reads of the source namespace are answered ` +
        `(${now}) was chosen before.`,
      { value: phase, allowed: ['following'] },
    );
}
