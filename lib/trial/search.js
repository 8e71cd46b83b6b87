'use strict';

const { betterHalf } = require('./pure/candidates');
const { PRACTICAL_RATIO } = require('./pure/compare');
const { TRIAL_METRICS } = require('./pure/figures');
const { showChange } = require('../config/change');
const { collectSettings } = require('../observe/settings');
const { checkProcess, refuseOtherRun } = require('../change/check-server');
const { runTrialPlan } = require('./run-trial-plan');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Change, Context } from '../base/types'
 * @import { Dimension } from './pure/candidates'
 * @import { TrialMetric } from './pure/figures'
 * @import { Search, TrialData } from './types'
 */

/**
 * @typedef {{
 *   kind: 'short' | 'full', change: Change, against: Change, verdict: TrialData['verdict'],
 *   ratio: number | null, low: number | null, high: number | null, kept: boolean, seconds: number,
 *   because: string | null, id: string | null, warnings: string[], undo: string | null
 * }} Step
 *   one trial of the path; `undo`: of one that was kept, or that may have left something in effect
 */

/** One pair of blocks: it has no interval, but is enough to halve. */
const SHORT = Object.freeze({ blocks: 2, seconds: 5 });
/** The length of a full trial: a setting that stays must have been proven. */
const FULL = Object.freeze({ blocks: 8, seconds: 10 });
/** Most blocks of the second proof, however noisy the load is. */
const MAX_BLOCKS = 24;
/**
 * A trial takes at most this many times its blocks: first sample, switches and settling take
 * additional time.
 */
const OVERHEAD = 2.2;

/**
 * Searches one kind of setting: short trials halve the candidates, the last one is tried in full,
 * and it stays if it is better.
 * @param {Context} ctx
 * @param {Search} search changed: its path grows
 * @param {Dimension} dimension
 * @returns {Promise<void>}
 */
async function searchOne(ctx, search, { changes }) {
  let left = changes;
  for (let seconds = SHORT.seconds; left.length > 1; seconds *= 2) {
    const round = [];
    for (const change of left) {
      if (!isTimeFor(search, SHORT.blocks * seconds) || hasEnded(search)) return endByTime(search);
      round.push({
        candidate: change,
        score: scoreOf(
          await retryIfABreaksToo(() =>
            runTrial(ctx, search, { change, ...SHORT, seconds, keep: 'never' }),
          ),
          search.metric,
        ),
      });
      if (hasEnded(search)) return;
    }
    left = betterHalf(round);
  }
  if (left.length === 0) return;
  await prove(ctx, search, left[0]);
}

/**
 * Gives a candidate that seems better but is not proven a longer trial, if there is time: one proof
 * is worth more than further candidates.
 * @param {Context} ctx
 * @param {Search} search
 * @param {Change} change
 */
async function prove(ctx, search, change) {
  for (let blocks = Number(FULL.blocks); search.ended === null;) {
    if (!isTimeFor(search, blocks * FULL.seconds)) return endByTime(search);
    const data = await retryIfABreaksToo(() =>
      runTrial(ctx, search, { change, ...FULL, blocks, keep: 'if-better' }),
    );
    const isOpen =
      data.verdict === 'inconclusive' &&
      data.ended === 'complete' &&
      scoreOf(data, search.metric) >= PRACTICAL_RATIO;
    if (!isOpen || data.moreBlocks === null || blocks > FULL.blocks) return;
    blocks = Math.min(MAX_BLOCKS, blocks + data.moreBlocks);
  }
}

/** @param {Search} search @param {number} seconds the length of all blocks */
const isTimeFor = ({ endsAtMs }, seconds) =>
  performance.now() + seconds * OVERHEAD * 1000 <= endsAtMs;

/** @param {Search} search */
function endByTime(search) {
  search.ended ??= 'time';
}

/**
 * Repeats a trial where A breaks the limits too, for then the candidate was not the cause;
 * otherwise the guardrail drops a candidate at once.
 * @param {() => Promise<TrialData>} again
 * @returns {Promise<TrialData>}
 */
async function retryIfABreaksToo(again) {
  const data = await again();
  return data.ended === 'guardrail' && data.guardrail.broken?.recovered === false ? again() : data;
}

/**
 * Says whether the search has ended: any early end of a trial ends it, except by the guardrail,
 * which is an answer.
 * @param {Search} search
 */
const hasEnded = ({ ended }) => ended !== null;

/**
 * @param {Context} ctx
 * @param {Search} search
 * @param {{ change: Change, blocks: number, seconds: number, keep: 'if-better' | 'never' }} wanted
 * @returns {Promise<TrialData>}
 * @throws {TuneError} TUNE-20010 after an election or a restart since the last trial
 */
async function runTrial(ctx, search, { change, ...wanted }) {
  const { facts, settingsBefore, metric, guardrail, path } = search;
  const settings = await collectSettings(ctx, facts);
  refuseOtherRun(settings.run, settingsBefore);
  await checkProcess(ctx, settings);
  const said = `trial ${path.length + 1}: ${showChange(change)}; `;
  const progress = (/** @type {string | null} */ text) =>
    ctx.progress(text === null ? null : said + text);
  const { signal, stopTimer } = withTimeLimit(search.endsAtMs, ctx.signal);
  const found = await runTrialPlan(
    { ...ctx, signal, progress },
    { facts, settings },
    { change, metric, guardrail, ...wanted },
  ).finally(stopTimer);
  const isLate = found.ended === 'interrupted' && !ctx.signal.aborted;
  const data = isLate ? { ...found, because: 'The time limit ended it.' } : found;
  const { verdict, ratio, low, high, kept, seconds, because, id, warnings, undo, b, a } = data;
  path.push({
    kind: wanted.keep === 'never' ? 'short' : 'full',
    change: b,
    against: a,
    verdict,
    ratio,
    low,
    high,
    kept,
    seconds,
    because,
    id,
    warnings,
    undo,
  });
  if (data.ended !== 'complete' && data.ended !== 'guardrail')
    search.ended = isLate ? 'time' : data.ended;
  return data;
}

/**
 * Makes a signal for the given time, which holds although waiting for a checkpoint, a level or a
 * cache to fill may take any time.
 * @param {number} atMs a time of performance.now()
 * @param {AbortSignal} signal the user's signal
 */
function withTimeLimit(atMs, signal) {
  const timeIsUp = new AbortController();
  const timer = setTimeout(() => timeIsUp.abort(), Math.max(0, atMs - performance.now()));
  return {
    signal: AbortSignal.any([signal, timeIsUp.signal]),
    stopTimer: () => clearTimeout(timer),
  };
}

/**
 * @param {TrialData} data @param {TrialMetric} metric @returns {number} how many times as good B is
 */
function scoreOf({ ratio, ended }, metric) {
  if (ended === 'guardrail' || ratio === null) return 0;
  return TRIAL_METRICS[metric].higherIsBetter ? ratio : 1 / ratio;
}

module.exports = { searchOne };
