'use strict';

const { defineCommand, confirmOption } = require('../base/pure/command');
const { flag } = require('../base/pure/options');
const { TuneError } = require('../base/pure/errors');
const { resume } = require('../split/resume');
const { restartCopy, restartReverse } = require('../split/recopy');
const { advanceTo } = require('../split/advance');
const { COPY_PHASES, PHASE_TABLE, canCatchUp, cutWayOf } = require('../split/pure/phase-table');
const { stay } = require('../split/catch-up');
const { withRecovery } = require('../split/with-recovery');
const { splitsOf } = require('../split/state');
const {
  checkOnePlan,
  doneReport,
  guardianOption,
  noSuch,
  runOnEach,
  splitsReport,
  withLease,
  wouldDo,
} = require('../split/split-command');

/**
 * @import { Context } from '../split/split-command'
 * @import { Phase } from '../split/state'
 * @import { SplitJob } from '../split/split-job'
 * @import { Split, SplitCommand } from '../split/types'
 */

module.exports = defineCommand({
  name: 'split.resume',
  group: 'splitting',
  order: 4,
  takes: ['id', 'options'],
  idsOf: 'tune.split.status()',
  usage: 'tune.split.resume(id, { confirm … })',
  summary: 'Goes on where a split was left, whatever happened',
  details: 'What it does depends on the phase: without confirm it is shown',
  options: {
    confirm: confirmOption('a DRY RUN shows what would be done'),
    follow: {
      check: flag(),
      default: false,
      description: 'then tails the change stream until Ctrl-C',
    },
    again: {
      check: flag(),
      default: false,
      description:
        'with a new copy, if the oplog was too short; after the cutover a comparison of ' +
        'everything',
    },
    guardian: guardianOption('while a name refuses'),
  },
  examples: ['tune.split.resume()', 'tune split resume'],
  changes: 'splits',
  run: splitResume,
});

const NAME = 'tune.split.resume';

/**
 * Goes on with a split in whatever phase it was left: the shell was closed, the connection lost,
 * the primary another. After the cutover it applies what is written to the target to the old data.
 * @param {Context} ctx
 * @param {string | undefined} id
 * @param {{ again: boolean, follow: boolean, confirm: boolean, guardian: boolean }} options
 */
async function splitResume(ctx, id, { again, follow, confirm, guardian }) {
  const splits = await splitsOf(ctx.port, id);
  if (id !== undefined && splits.length === 0) throw noSuch(id);
  if (!confirm) return preview(splits, { id, again, follow, guardian });
  checkOnePlan(NAME, id, [...new Set(splits.map(({ planId }) => planId))]);
  let done = await runOnEach(ctx, commandOf(again, guardian), splits);
  if (follow) done = await followAll(ctx, done);
  return doneReport(NAME, done);
}

/** @param {boolean} again @param {boolean} guardian @returns {SplitCommand} */
const commandOf = (again, guardian) => ({
  name: NAME,
  phases: /** @type {Phase[]} */ (Object.keys(PHASE_TABLE)),
  preview: (split) => [again ? restarted(split) : further(split)],
  run: again ? restart : resume,
  guardian: guardian ? 'where possible' : 'none',
});

/**
 * Follows several collections. Where one fails the others stop too, so that their leases are free
 * when the error is thrown.
 * @param {Context} ctx
 * @param {Split[]} splits
 */
async function followAll(ctx, splits) {
  const failed = new AbortController();
  const signal = AbortSignal.any([ctx.signal, failed.signal]);
  const ended = await Promise.allSettled(
    splits.map((split) =>
      canCatchUp(split)
        ? withLease({ ...ctx, signal }, split, stayIfPossible).catch((error) => {
            failed.abort(failed.signal.reason ?? error);
            throw error;
          })
        : split,
    ),
  );
  if (failed.signal.aborted) throw failed.signal.reason;
  return ended.map((one, i) => (one.status === 'fulfilled' ? one.value : splits[i]));
}

/**
 * The answer of a dry run.
 * @param {Split[]} splits
 * @param {{ id: string | undefined, again: boolean, follow: boolean, guardian: boolean }} asked
 */
async function preview(splits, { id, again, follow, guardian }) {
  const flags = [
    ...(again ? ['again: true'] : []),
    ...(follow ? ['follow: true'] : []),
    ...(guardian ? [] : ['guardian: false']),
    'confirm: true',
  ].join(', ');
  const call = splits.length === 0 ? null : `${NAME}("${id ?? splits[0].planId}", { ${flags} })`;
  return splitsReport(NAME, await wouldDo(commandOf(again, guardian), splits), call);
}

/** What `again` would do. @param {Split} split */
const restarted = ({ phase, source, target, into }) =>
  phase === 'switched'
    ? `${target} and the old data of ${source} are compared, and what differs is copied to the ` +
      'old data.'
    : `The copy ${into.db}.${into.stagingName} is dropped and made anew.`;

/** What would be done in the phase it is in. @param {Split} split @returns {string} */
function further({ phase, mode, source, target }) {
  if (phase === 'aborting')
    return `The abort goes on to its end: ${source} has its data and answers, the copy is dropped.`;
  if (cutWayOf(phase) === 'reverse')
    return `The rollback goes on to its end: ${source} answers, and ${target} refuses.`;
  if (phase === 'switched')
    return mode === 'online'
      ? `What was written to ${target} is applied to the old data of ${source}.`
      : 'Nothing: it is moved.';
  if (cutWayOf(phase) === 'forward')
    return `The cutover goes on to its end: ${target} answers, and ${source} refuses.`;
  if (COPY_PHASES.includes(phase))
    return (
      `The copy goes on, and what was written to ${source} meanwhile is applied to the copy. ` +
      'Applications notice nothing.'
    );
  return 'Nothing: it is over.';
}

/** Begins again: with a new copy, or with a comparison of everything. @param {SplitJob} job */
async function restart(job) {
  const { phase, mode } = job.split;
  if (phase === 'switched' && mode === 'online') return restartReverse(job);
  if (!COPY_PHASES.includes(phase))
    throw new TuneError(
      'TUNE-35010',
      `${job.split.source} is ${phase}: its copy cannot be made anew.`,
      { value: phase, allowed: COPY_PHASES },
    );
  await restartCopy(job);
  return advanceTo(job, 'ready');
}

/** Another shell may have gone on meanwhile. @param {SplitJob} job */
const stayIfPossible = async (job) =>
  canCatchUp(job.split) ? withRecovery(job, () => stay(job)) : undefined;
