'use strict';

const { duration, percent } = require('../../model/units');
const { NO_CASE, evidenceOf, holding, weight } = require('../candidate');
const { isReadingGrave, isEvictionGrave, lossWords, HEALTHY_THREADS } = require('../losses');
const { throttlingLoss, isThrottlingGrave } = require('../lag');
const { doTimestampsStand, LONG_SECONDS } = require('../pinned');
const { PHRASES } = require('../phrases');
const { many } = require('../words');

// Transaction ids pinned: 0 to 83 under every other load measured, 28,749 with a snapshot held open (docs/evidence/pinned-snapshot.md).
const PINNED_IDS = 10_000;
// On a server with many writes that is a moment. Transactions end after 60 s by default; half of that is long. Ours.
const PINNED_SECONDS = 30;
// A snapshot that was open for much of the window, not for one look of many; ours.
const SUSTAINED_RATIO = 0.25;
// What it is worth where the cache costs the clients nothing (yet): more than nothing, less than any time lost.
const HARMLESS_SCORE = 0.05;

/** @typedef {import('../candidate').Readings} Readings @typedef {import('../candidate').Case} Case */

/** Old versions pile up: eviction may not drop what somebody could still ask for. @type {import('../candidate').Candidate} */
module.exports = {
  name: 'history',
  examine: (readings) => [snapshot(readings), timestamps(readings), lag(readings)].reduce((a, b) => (weight(a) >= weight(b) ? a : b)),
};

/** Where the cache costs the clients time, this comes before what it leads to. @param {Readings} readings */
const doesHurt = (readings) => isReadingGrave(readings) || isEvictionGrave(readings);

/** @param {Readings} readings */
const writesPerSec = (readings) => Math.max(readings['ops.writesPerSec'] ?? 0, readings['ops.replicatedPerSec'] ?? 0);

/** A snapshot that has been open for long. @param {Readings} readings @returns {Case} */
function snapshot(readings) {
  const pinned = readings['transaction.pinnedIdsMax'] ?? 0;
  const perSec = writesPerSec(readings);
  if (pinned < PINNED_IDS / 2 || perSec === 0) return NO_CASE;
  const seconds = pinned / perSec;
  const hurts = doesHurt(readings);
  return {
    score: hurts ? 1 : HARMLESS_SCORE,
    because: `The oldest snapshot pins ${many(pinned, 'transaction id')}, about ${duration(seconds * 1000)} of writes: old versions pile up in the cache, and eviction may not drop them${hurts ? '' : '. It costs the clients next to no time yet'}.`,
    evidence: evidenceOf(readings, [PHRASES.pinned, PHRASES.writes, PHRASES.history, PHRASES.updates]),
    against: holding([
      [pinned < PINNED_IDS, `${many(pinned, 'transaction id')} are pinned`],
      [(readings['transaction.pinnedIds'] ?? 0) < pinned * SUSTAINED_RATIO, 'an old snapshot was open for a short while only'],
      [seconds < PINNED_SECONDS, `the oldest snapshot is about ${duration(seconds * 1000)} old`],
    ]),
  };
}

/** The oldest timestamp stands still, for a reader of the past or a majority that lags; no transaction id shows it. @param {Readings} readings @returns {Case} */
function timestamps(readings) {
  const seconds = readings['transaction.pinnedSeconds'] ?? 0;
  if (seconds <= LONG_SECONDS || writesPerSec(readings) === 0) return NO_CASE;
  const hurts = doesHurt(readings);
  return {
    score: hurts ? 1 : HARMLESS_SCORE,
    because: `Versions of the last ${duration(seconds * 1000)} must be kept, and the oldest does not move on: old versions pile up${hurts ? '' : '. It costs the clients next to no time yet'}.`,
    evidence: evidenceOf(readings, [PHRASES.kept, PHRASES.history, PHRASES.historyGrown, PHRASES.writes]),
    against: holding([
      [!doTimestampsStand(readings), 'the oldest version that is kept moves on'],
      [!isEvictionGrave(readings) && (readings['history.grownBytes'] ?? 0) <= 0, 'the table of old versions does not grow'],
    ]),
  };
}

/** The majority lags so far behind that the primary holds its writers back, before old versions fill the cache. @param {Readings} readings @returns {Case} */
function lag(readings) {
  const loss = throttlingLoss(readings);
  if (loss === undefined || loss.threads <= HEALTHY_THREADS) return NO_CASE;
  return {
    score: loss.share,
    because: `The majority of the replica set lags behind (in ${percent(readings['flowControl.laggedShare'])} of the looks): its old versions must be kept, and flow control makes the writers wait meanwhile, ${lossWords(loss)}.`,
    evidence: evidenceOf(readings, [PHRASES.throttled, PHRASES.lagged, PHRASES.writes, PHRASES.kept]),
    against: holding([[!isThrottlingGrave(readings), `flow control costs the clients ${lossWords(loss)}`]]),
  };
}
