'use strict';

const { newConflicts } = require('./conflicts');
const { TuneError } = require('../base/pure/errors');
const { GiB } = require('../base/pure/units');
const { cacheCautions, LARGEST_MEMORY_SHARE, SMALLEST_CACHE_GB } = require('./cautions');

/** 5.0.4 and older compare only evictionTarget with its trigger, and start with the rest. */
const NOT_AT_START =
  'eviction would begin no sooner than clients are stopped, and a mongod does not start with it.';

/**
 * Refuses what would hurt.
 * @param {{
 *   before: import('./thresholds').Raw, change: import('./knobs').Change,
 *   memoryBytes: number | null, force: boolean
 * }} plan
 * @throws {TuneError} TUNE-30002 always; TUNE-30003 unless forced
 */
function checkSafety({ before, change, memoryBytes, force }) {
  const conflicts = newConflicts(before, change);
  const order = conflicts.find(({ kind }) => kind === 'order');
  if (order) {
    throw new TuneError(
      'TUNE-30002',
      `With this change ${order.say}: ` +
        `${order.knobs[0] === 'evictionThreadsMin' ? 'WiredTiger refuses that.' : NOT_AT_START}`,
      {
        value: change,
        allowed: 'target below trigger, evictionThreadsMin at most evictionThreadsMax',
        knobs: order.knobs,
      },
    );
  }
  if (force) return;
  const size = conflicts.find(({ kind }) => kind === 'size');
  if (size)
    throw unsafe(
      `${size.say}: WiredTiger refuses that half-way. Lower the threshold first.`,
      change,
      'thresholds in bytes at most the cache',
    );
  checkCache(change, memoryBytes);
}

/** @param {import('./knobs').Change} change @param {number | null} memoryBytes */
function checkCache({ cacheSizeGB }, memoryBytes) {
  const [caution] = cacheCautions(cacheSizeGB, memoryBytes);
  if (!caution) return;
  const max = memoryBytes === null ? Infinity : (memoryBytes * LARGEST_MEMORY_SHARE) / GiB;
  throw unsafe(`${caution.say}. ${caution.todo}`, cacheSizeGB, {
    min: SMALLEST_CACHE_GB,
    max,
    unit: 'GB',
  });
}

/** @param {string} say @param {unknown} value @param {unknown} allowed */
const unsafe = (say, value, allowed) => new TuneError('TUNE-30003', say, { value, allowed });

module.exports = { checkSafety };
