'use strict';

const { duration, percent } = require('../../base/pure/units');
const { NO_CASE, evidenceOf, holding, weight } = require('../candidate');
const {
  isReadingGrave,
  isEvictionGrave,
  evictionLoss,
  lossWords,
  HEALTHY_THREADS,
} = require('../../signals/losses');
const { throttlingLoss, isThrottlingGrave } = require('../../signals/lag');
const {
  doTimestampsStand,
  writesPerSec,
  snapshotSeconds,
  LONG_SECONDS,
  LARGE_RATIO,
  PINNED_IDS,
  PINNED_SECONDS,
  SUSTAINED_RATIO,
} = require('../../signals/pinned');
const { PHRASES } = require('../../signals/phrases');
const { many } = require('../../signals/words');

// What it is worth where the clients lose much, little, or nothing yet: the first comes before what
// it leads to, the second after everything else that stands, and the third is mentioned as what
// came next, never chosen.
const GRAVE_SCORE = 1;
const MILD_SCORE = 0.1;
const HARMLESS_SCORE = 0.05;
const HARMLESS = 'it costs the clients next to no time yet';

/**
 * @typedef {import('../candidate').Readings} Readings
 * @typedef {import('../candidate').Case} Case
 */

/**
 * Old versions pile up: eviction may not drop what somebody could still ask for.
 * @type {import('../candidate').Candidate}
 */
module.exports = {
  name: 'history',
  examine: (readings) =>
    [snapshot(readings), timestamps(readings), lag(readings)].reduce((a, b) =>
      weight(a) >= weight(b) ? a : b,
    ),
};

/** @param {Readings} readings */
function scoreOf(readings) {
  if (isReadingGrave(readings) || isEvictionGrave(readings)) return GRAVE_SCORE;
  return (evictionLoss(readings)?.threads ?? 0) > HEALTHY_THREADS ||
    (readings['cache.historyRatio'] ?? 0) > LARGE_RATIO
    ? MILD_SCORE
    : HARMLESS_SCORE;
}

/** A snapshot that has been open for long. @param {Readings} readings @returns {Case} */
function snapshot(readings) {
  const pinned = readings['transaction.pinnedIdsMax'] ?? 0;
  const seconds = snapshotSeconds(readings);
  if (pinned < PINNED_IDS / 2 || seconds === undefined) return NO_CASE;
  const score = scoreOf(readings);
  return {
    score,
    because:
      `The oldest snapshot pins ${many(pinned, 'transaction id')}, about ` +
      `${duration(seconds * 1000)} of writes: old versions pile up in the cache, and eviction ` +
      'may not drop them.',
    evidence: evidenceOf(readings, [
      PHRASES.pinned,
      PHRASES.writes,
      PHRASES.history,
      PHRASES.updates,
    ]),
    against: holding([
      [pinned < PINNED_IDS, `${many(pinned, 'transaction id')} are pinned`],
      [
        (readings['transaction.pinnedIds'] ?? 0) < pinned * SUSTAINED_RATIO,
        'an old snapshot was open for a short while only',
      ],
      [seconds < PINNED_SECONDS, `the oldest snapshot is about ${duration(seconds * 1000)} old`],
      [score === HARMLESS_SCORE, HARMLESS],
    ]),
  };
}

/**
 * The oldest timestamp stands still, for a reader of the past or a majority that lags; no
 * transaction id shows it.
 * @param {Readings} readings
 * @returns {Case}
 */
function timestamps(readings) {
  const seconds = readings['transaction.pinnedSeconds'] ?? 0;
  if (seconds <= LONG_SECONDS || writesPerSec(readings) === 0) return NO_CASE;
  const score = scoreOf(readings);
  return {
    score,
    because:
      `Versions of the last ${duration(seconds * 1000)} must be kept, and the oldest does not ` +
      'move on: old versions pile up.',
    evidence: evidenceOf(readings, [
      PHRASES.kept,
      PHRASES.history,
      PHRASES.historyGrown,
      PHRASES.writes,
    ]),
    against: holding([
      [!doTimestampsStand(readings), 'the oldest version that is kept moves on'],
      [
        !isEvictionGrave(readings) && (readings['history.grownBytes'] ?? 0) <= 0,
        'the table of old versions does not grow',
      ],
      [score === HARMLESS_SCORE, HARMLESS],
    ]),
  };
}

/**
 * The majority lags so far behind that the primary holds its writers back, before old versions fill
 * the cache.
 * @param {Readings} readings
 * @returns {Case}
 */
function lag(readings) {
  const loss = throttlingLoss(readings);
  if (loss === undefined || loss.threads <= HEALTHY_THREADS) return NO_CASE;
  return {
    score: loss.share,
    because:
      'The majority of the replica set lags behind (in ' +
      `${percent(readings['flowControl.laggedShare'])} of the looks): its old versions must be ` +
      `kept, and flow control makes the writers wait meanwhile, ${lossWords(loss)}.`,
    evidence: evidenceOf(readings, [
      PHRASES.throttled,
      PHRASES.lagged,
      PHRASES.writes,
      PHRASES.kept,
    ]),
    against: holding([
      [!isThrottlingGrave(readings), `flow control costs the clients ${lossWords(loss)}`],
    ]),
  };
}
