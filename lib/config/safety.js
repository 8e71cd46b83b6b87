'use strict';

const { newConflicts } = require('./conflicts');
const { TuneError } = require('../base/pure/errors');
const { SETTINGS, toRatio, LARGEST_PERCENT } = require('./setting-table');
const { THRESHOLDS } = require('./thresholds');
const { GiB, bytes, figure } = require('../base/pure/units');
const { cacheCautions, LARGEST_MEMORY_SHARE, SMALLEST_CACHE_GB } = require('./cautions');

/**
 * @import { Change } from '../base/types'
 * @import { Raw } from './thresholds'
 */

/** 5.0.4 and older compare only evictionTarget with its trigger, and start with the rest. */
const NOT_AT_START =
  'eviction threads would start no earlier than application threads, and mongod does not start ' +
  'with it.';

/**
 * Refuses what would hurt.
 * @param {{
 *   before: Raw, change: Change, comesBack?: Change,
 *   memoryBytes: number | null, force: boolean, wasInForce?: boolean, journalOnly?: boolean
 * }} plan `memoryBytes`: what the server may use, null where it does not report; `wasInForce`: it goes
 *   back to what the server had; `journalOnly`: which is known from a file that anybody may have
 *   edited; `comesBack`: what any call sets besides (drift)
 * @throws {TuneError} TUNE-30002 always; TUNE-30003 unless forced
 */
function checkSafety(plan) {
  const { before, change, comesBack = {}, memoryBytes, force } = plan;
  const conflicts = newConflicts(before, { ...comesBack, ...change });
  const order = conflicts.find(({ kind }) => kind === 'order');
  if (order) {
    throw new TuneError(
      'TUNE-30002',
      `With this change ${order.say}: ` +
        `${order.settings[0] === 'evictionThreadsMin' ? 'WiredTiger rejects that.' : NOT_AT_START}`,
      {
        value: change,
        allowed: 'target below trigger, evictionThreadsMin at most evictionThreadsMax',
        settings: order.settings,
      },
    );
  }
  if (force) return;
  const size = conflicts.find(({ kind }) => kind === 'size');
  if (size)
    throw unsafe(
      `${size.say}: WiredTiger rejects that after a partial change. Lower the threshold first.`,
      change,
      'thresholds in bytes at most the cache',
    );
  checkCache(change, memoryBytes);
  if (!plan.wasInForce) checkUnknownMemory(before, change, memoryBytes);
  if (!plan.wasInForce || plan.journalOnly) checkFewBytes(before, change);
}

/**
 * WiredTiger takes any number of bytes, also one that is less of the cache than the percent it
 * would take.
 * @param {Raw} before @param {Change} change
 */
function checkFewBytes(before, change) {
  const after = { ...before, ...change };
  const { cacheSizeGB } = after;
  if (typeof cacheSizeGB !== 'number') return;
  for (const setting of THRESHOLDS) {
    const [value, { min }] = [after[setting], SETTINGS[setting]];
    const isTouched = change[setting] !== undefined || change.cacheSizeGB !== undefined;
    if (!isTouched || typeof value !== 'number' || value <= LARGEST_PERCENT) continue;
    const share = toRatio(value, cacheSizeGB * GiB) * 100;
    if (share >= min) continue;
    throw unsafe(
      `${setting} ${bytes(value)} is ${figure(share)}% of a cache of ` +
        `${bytes(cacheSizeGB * GiB)}; ` +
        `WiredTiger accepts no percentage below ${min}.`,
      value,
      { min: Math.ceil((min / 100) * cacheSizeGB * GiB), unit: 'bytes' },
    );
  }
}

/**
 * A larger cache than the machine has memory for ends in its being killed.
 * @param {Raw} before
 * @param {Change} change
 * @param {number | null} memoryBytes
 */
function checkUnknownMemory(before, { cacheSizeGB }, memoryBytes) {
  if (memoryBytes !== null || cacheSizeGB === undefined) return;
  if (typeof before.cacheSizeGB === 'number' && cacheSizeGB <= before.cacheSizeGB) return;
  throw unsafe(
    'RAM available to this server is not known (no hostInfo), so a larger cache of ' +
      `${bytes(cacheSizeGB * GiB)} cannot be checked.`,
    cacheSizeGB,
    { max: before.cacheSizeGB ?? null, unit: 'GB' },
  );
}

/** @param {Change} change @param {number | null} memoryBytes */
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
