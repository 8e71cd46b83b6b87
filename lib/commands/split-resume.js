'use strict';

const { checkOptions, flag } = require('../base/pure/options');
const { TuneError } = require('../base/pure/errors');
const { restartCopy, restartReverse, reconcileReverse } = require('../split/restart');
const { goOn, isCutting } = require('../split/phases');
const { stay } = require('../split/catch-up');
const { persist } = require('../split/persistently');
const { abortSplit, rollBack } = require('../split/undo');
const { splitsOf } = require('../split/state');
const { statusOfSplit } = require('../split/split-status');
const { readArguments } = require('../split/arguments');
const { checkOnePlan, noSuch, shown, withWork } = require('../split/run-verb');

/**
 * @import { Context } from '../split/run-verb'
 * @import { Split } from '../split/state'
 * @import { Work } from '../split/work'
 */

const OPTIONS = { again: flag(), follow: flag(), confirm: flag() };
/** In these nothing of the old data depends on the copy. */
const BEFORE_THE_CUT = Object.freeze(['planned', 'created', 'copying', 'indexing', 'following']);

/**
 * Goes on with a split in whatever phase it was left: the shell was closed, the connection lost,
 * the primary another. After the cutover it applies what is written to the target to the old data.
 * @param {Context} ctx
 * @param {string | object} [first] the id; may be left out
 * @param {{ again?: boolean, follow?: boolean, confirm?: boolean }} [options] `again`: with a new
 *   copy;
 *   after the cutover with a comparison of everything; `follow`: then it tails the change stream
 *   until Ctrl-C
 */
async function splitResume(ctx, first, options) {
  const { id, given } = readArguments('tune.split.resume', first, options);
  const {
    again = false,
    follow = false,
    confirm = false,
  } = checkOptions('tune.split.resume', OPTIONS, given);
  const splits = await splitsOf(ctx.port, id);
  if (id !== undefined && splits.length === 0) throw noSuch(id);
  if (!confirm) return onlyShown(splits, { id, again, follow });
  checkOnePlan('tune.split.resume', id, [...new Set(splits.map(({ planId }) => planId))]);
  let done = [];
  for (const split of splits)
    done.push(await withWork(ctx, split, (work) => (again ? hasRestarted(work) : resume(work))));
  if (follow) done = await followAll(ctx, done);
  return shown(
    'tune.split.resume',
    done.map((split) => ({ ...statusOfSplit(split), does: null })),
    null,
  );
}

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
      canStay(split)
        ? withWork({ ...ctx, signal }, split, stayIfPossible).catch((error) => {
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
 * @param {Split[]} splits
 * @param {{ id: string | undefined, again: boolean, follow: boolean }} asked
 */
function onlyShown(splits, { id, again, follow }) {
  const flags = [
    ...(again ? ['again: true'] : []),
    ...(follow ? ['follow: true'] : []),
    'confirm: true',
  ].join(', ');
  const call =
    splits.length === 0 ? null : `tune.split.resume("${id ?? splits[0].planId}", { ${flags} })`;
  return shown(
    'tune.split.resume',
    splits.map((split) => ({
      ...statusOfSplit(split),
      does: [again ? restarted(split) : further(split)],
    })),
    call,
  );
}

/** @param {Split} split */
const restarted = ({ phase, source, target, into }) =>
  phase === 'switched'
    ? `${target} and the old data of ${source} are compared, and what differs is copied to the ` +
      'old data.'
    : `The copy ${into.db}.${into.stagingName} is dropped and made anew.`;

/** @param {Split} split @returns {string} */
function further({ phase, mode, source, target }) {
  if (phase === 'aborting')
    return `The abort goes on to its end: ${source} has its data and answers, the copy is dropped.`;
  if (phase.endsWith('-back'))
    return `The rollback goes on to its end: ${source} answers, and ${target} refuses.`;
  if (phase === 'switched')
    return mode === 'online'
      ? `What was written to ${target} is applied to the old data of ${source}.`
      : 'Nothing: it is moved.';
  if (isCutting(phase))
    return `The cutover goes on to its end: ${target} answers, and ${source} refuses.`;
  if (BEFORE_THE_CUT.includes(phase))
    return (
      `The copy goes on, and what was written to ${source} meanwhile is applied to the copy. ` +
      'Applications notice nothing.'
    );
  return 'Nothing: it is over.';
}

/** @param {Work} work */
async function hasRestarted(work) {
  const { phase, mode } = work.split;
  if (phase === 'switched' && mode === 'online') return restartReverse(work);
  if (!BEFORE_THE_CUT.includes(phase))
    throw new TuneError(
      'TUNE-35010',
      `${work.split.source} is ${phase}: its copy cannot be made anew.`,
      { value: phase, allowed: BEFORE_THE_CUT },
    );
  await restartCopy(work);
  return goOn(work, 'ready');
}

/** @param {Work} work */
async function resume(work) {
  const { phase, mode } = work.split;
  if (phase === 'aborting') return abortSplit(work);
  if (phase.endsWith('-back') && phase !== 'rolled-back') return rollBack(work);
  if (phase === 'switched') return mode === 'online' ? reconcileReverse(work) : undefined;
  return goOn(work, isCutting(phase) ? 'switched' : 'ready');
}

/** Another shell may have gone on meanwhile. @param {Work} work */
const stayIfPossible = async (work) =>
  canStay(work.split) ? persist(work, () => stay(work)) : undefined;

/** @param {Split} split */
const canStay = ({ phase, mode }) =>
  mode === 'online' && (phase === 'following' || phase === 'switched');

module.exports = { splitResume, resume };
