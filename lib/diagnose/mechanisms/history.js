'use strict';

const { secondsText, percent, many } = require('../../base/pure/units');
const { NO_CASE, PHRASES, evidenceOf, whereTrue, weight } = require('../evidence');
const {
  isReadingPagesSevere,
  isEvictionSevere,
  evictionLoss,
  timeSpent,
  HEALTHY_THREADS,
} = require('../../signals/clients');
const {
  throttlingLoss,
  isThrottlingSevere,
  doTimestampsStand,
  writesPerSec,
  snapshotSeconds,
  LONG_SECONDS,
  LARGE_RATIO,
  PINNED_IDS,
  PINNED_SECONDS,
  SUSTAINED_RATIO,
} = require('../../signals/history');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Candidate, Case } from '../evidence'
 */

// Score where clients lose much, little, or nothing yet: the first comes before its consequences,
// the second after every other plausible mechanism, and the third is mentioned as runner-up, never
// chosen.
const SEVERE_SCORE = 1;
const MILD_SCORE = 0.1;
const HARMLESS_SCORE = 0.05;
const HARMLESS = 'no client impact yet';

/**
 * Old versions accumulate: eviction may not drop what a reader could still need.
 * @type {Candidate}
 */
module.exports = {
  name: 'history',
  examine: (metrics) =>
    [snapshot(metrics), timestamps(metrics), lag(metrics)].reduce((a, b) =>
      weight(a) >= weight(b) ? a : b,
    ),
};

/** @param {Metrics} metrics */
function scoreOf(metrics) {
  if (isReadingPagesSevere(metrics) || isEvictionSevere(metrics)) return SEVERE_SCORE;
  return (evictionLoss(metrics)?.threads ?? 0) > HEALTHY_THREADS ||
    (metrics['cache.historyRatio'] ?? 0) > LARGE_RATIO
    ? MILD_SCORE
    : HARMLESS_SCORE;
}

/** A snapshot that has been open for long. @param {Metrics} metrics @returns {Case} */
function snapshot(metrics) {
  const pinned = metrics['transaction.pinnedIdsMax'] ?? 0;
  const seconds = snapshotSeconds(metrics);
  if (pinned < PINNED_IDS / 2 || seconds === undefined) return NO_CASE;
  const score = scoreOf(metrics);
  return {
    score,
    because:
      `The oldest snapshot pins ${many(pinned, 'transaction id')} (about ` +
      `${secondsText(seconds)} of writes): old versions accumulate, and eviction cannot ` +
      'remove them.',
    evidence: evidenceOf(metrics, [
      PHRASES.pinned,
      PHRASES.writes,
      PHRASES.history,
      PHRASES.updates,
    ]),
    against: whereTrue([
      [pinned < PINNED_IDS, `only ${many(pinned, 'transaction id')} are pinned`],
      [
        (metrics['transaction.pinnedIds'] ?? 0) < pinned * SUSTAINED_RATIO,
        'an old snapshot was open only for a short time',
      ],
      [seconds < PINNED_SECONDS, `the oldest snapshot is only about ${secondsText(seconds)} old`],
      [score === HARMLESS_SCORE, HARMLESS],
    ]),
  };
}

/**
 * The oldest timestamp does not move, for a reader of the past or a majority that lags; no
 * transaction id shows it.
 * @param {Metrics} metrics
 * @returns {Case}
 */
function timestamps(metrics) {
  const seconds = metrics['transaction.pinnedSeconds'] ?? 0;
  if (seconds <= LONG_SECONDS || writesPerSec(metrics) === 0) return NO_CASE;
  const score = scoreOf(metrics);
  return {
    score,
    because:
      `Old versions must be kept for ${secondsText(seconds)}, and the oldest timestamp does ` +
      'not advance: old versions accumulate.',
    evidence: evidenceOf(metrics, [
      PHRASES.kept,
      PHRASES.history,
      PHRASES.historyGrown,
      PHRASES.writes,
    ]),
    against: whereTrue([
      [!doTimestampsStand(metrics), 'the oldest timestamp advances'],
      [
        !isEvictionSevere(metrics) && (metrics['history.grownBytes'] ?? 0) <= 0,
        'the history store does not grow',
      ],
      [score === HARMLESS_SCORE, HARMLESS],
    ]),
  };
}

/**
 * The majority lags so far behind that the primary throttles its writers, before old versions fill
 * the cache.
 * @param {Metrics} metrics
 * @returns {Case}
 */
function lag(metrics) {
  const loss = throttlingLoss(metrics);
  if (loss === undefined || loss.threads <= HEALTHY_THREADS) return NO_CASE;
  return {
    score: loss.share,
    because:
      'The majority of the replica set lags (in ' +
      `${percent(metrics['flowControl.laggedShare'])} of the samples), so old versions must be ` +
      `kept: ${timeSpent(loss, 'throttled by flow control')}.`,
    evidence: evidenceOf(metrics, [
      PHRASES.throttled,
      PHRASES.lagged,
      PHRASES.writes,
      PHRASES.kept,
    ]),
    against: whereTrue([
      [!isThrottlingSevere(metrics), timeSpent(loss, 'throttled by flow control')],
    ]),
  };
}
