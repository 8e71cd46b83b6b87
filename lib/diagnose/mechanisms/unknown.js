'use strict';

const { count, duration } = require('../../base/pure/units');
const {
  isReadingGrave,
  isEvictionGrave,
  readingLoss,
  evictionLoss,
} = require('../../signals/losses');
const { isStalled } = require('../../signals/standstill');
const { HARD_SHARE } = require('../../signals/dirty-limit');
const { isQueueGrave, areProcessorsUnknown } = require('../../signals/queue');
const { many } = require('../../signals/words');

/** @typedef {import('../candidate').Readings} Readings */

// Shorter windows hold a few odd operations, or half a checkpoint. Meant are three seconds; clocks
// and timers may take a part of them.
const LEAST_SECONDS = 2.5;
// Writes that take this long hold clients back, whatever the reason; across continents a majority
// answers sooner. Ours.
const SLOW_WRITE_MS = 150;

/** @param {Readings} readings @returns {string | null} why nothing can be judged at all */
function whyBlind(readings) {
  const { 'window.seconds': seconds = 0, 'window.samples': samples = 0 } = readings;
  if (readings['cache.maxBytes'] === undefined)
    return 'The server told nothing of its WiredTiger cache.';
  if (samples < 2 || seconds < LEAST_SECONDS)
    return (
      `${many(samples, 'sample')} in ${count(seconds)} s ${samples === 1 ? 'is' : 'are'} too ` +
      'few for a verdict; look for 30 s: tune.advise({ seconds: 30 })'
    );
  return readings['ops.perSec'] === undefined
    ? 'The server did not tell how many operations it completes.'
    : null;
}

// Pages a second evicted by clients that are no chance; ours.
const EVICTED_PER_SEC = 1;

/**
 * Clients evict, and what that costs them is not told: whatever else is seen may come from it.
 * @param {Readings} readings @returns {string | null}
 */
function whyHalfBlind(readings) {
  if (evictionLoss(readings) !== undefined) return null;
  const {
    'cache.hardShare': full = 0,
    'cache.dirtyHardShare': dirty = 0,
    'cache.updatesHardShare': updates = 0,
    'eviction.appPagesPerSec': pages = 0,
  } = readings;
  return Math.max(full, dirty, updates) >= HARD_SHARE || pages >= EVICTED_PER_SEC
    ? 'Clients are made to evict, and this server does not tell how much of their time that takes.'
    : null;
}

/**
 * @param {Readings} readings
 * @returns {string | null} what is wrong although no mechanism explains it
 */
function whatIsUnexplained(readings) {
  const [reading, eviction] = [readingLoss(readings), evictionLoss(readings)];
  if (reading === undefined || eviction === undefined)
    return 'This server does not tell how long its clients wait for the cache.';
  if (isEvictionGrave(readings))
    return (
      `Clients spend ${many(eviction.threads, 'thread')} evicting, and no mechanism known to ` +
      'tune explains it.'
    );
  if (isReadingGrave(readings))
    return (
      `Clients spend ${many(reading.threads, 'thread')} reading pages, and no mechanism known ` +
      'to tune explains it.'
    );
  if (isQueueGrave(readings) && areProcessorsUnknown(readings))
    return (
      `The queue for tickets and locks is ${many(readings['clients.queued'], 'operation')} ` +
      'long on average, and how busy the processors are is not known: queues form before busy ' +
      'ones too.'
    );
  if (isStalled(readings))
    return (
      `The server stood still for up to ${count(readings['stalls.longestSeconds'])} s, and no ` +
      'mechanism known to tune explains it.'
    );
  return isWritingSlow(readings)
    ? `A write takes ${duration(readings['ops.writeLatencyMs'])}, and the cache is not why.`
    : null;
}

/** @param {Readings} readings @returns {boolean} */
const isWritingSlow = (readings) =>
  (readings['ops.writeLatencyMs'] ?? 0) >= SLOW_WRITE_MS && (readings['clients.writing'] ?? 0) >= 1;

module.exports = { whyBlind, whyHalfBlind, whatIsUnexplained, isWritingSlow };
