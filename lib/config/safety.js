'use strict';

const { newConflicts, THRESHOLDS, effective } = require('./thresholds');
const { TuneError } = require('../base/pure/errors');
const { SETTINGS, toRatio, LARGEST_PERCENT } = require('./setting-table');
const { GiB, bytes, figure } = require('../base/pure/units');

/**
 * @import { Change, SettingName } from '../base/types'
 * @import { Raw } from './thresholds'
 */

/** 5.0.4 and older compare only evictionTarget with its trigger, and start in all other cases. */
const NOT_AT_START =
  'eviction threads would start no earlier than application threads, and mongod does not start ' +
  'with it.';

/**
 * Refuses a change that would hurt the server.
 * @param {{
 *   before: Raw, change: Change, comesBack?: Change,
 *   memoryBytes: number | null, force: boolean, wasActive?: boolean, journalOnly?: boolean,
 *   checksLimit?: boolean
 * }} plan `memoryBytes`: the memory that the server may use, null: not reported; `wasActive`: the
 *   change restores values that the server had; `journalOnly`: only the journal says so, a file
 *   that other users can edit; `checksLimit`: the limit of memory is checked also for restored
 *   values; `comesBack`: what any call sets besides (drift)
 * @throws {TuneError} TUNE-30002 always; TUNE-30003 unless forced
 */
function checkSafety(plan) {
  const { before, change, comesBack = {}, force } = plan;
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
  const size = conflicts.find(({ kind }) => kind === 'size');
  // Refuse this by force, too: the cache would shrink at once, and the call would be rejected.
  if (size)
    throw new TuneError(
      'TUNE-30002',
      `${size.say}: WiredTiger rejects that after a partial change. Lower the threshold first.`,
      { value: change, allowed: 'thresholds in bytes at most the cache', settings: size.settings },
    );
  if (!force) checkValues(plan);
}

/**
 * Checks the values. It trusts values that the server had and this shell itself replaced.
 * @param {Parameters<typeof checkSafety>[0]} plan
 */
function checkValues({ before, change, comesBack, memoryBytes, ...history }) {
  const { wasActive, journalOnly, checksLimit } = history;
  const isTrusted = wasActive && !journalOnly;
  const all = { ...comesBack, ...change };
  if (!isTrusted || checksLimit) checkCache(change, comesBack, memoryBytes);
  if (!wasActive) checkUnknownMemory(before, all, memoryBytes);
  if (!isTrusted) checkFewBytes(before, all);
}

/**
 * The percentage 0 means half of the dirty one, not nothing; with a few bytes every larger
 * transaction is rolled back.
 */
const SMALLEST_UPDATES_PERCENT = 1;

/** @param {SettingName} setting @returns {{ min: number, why: string }} percent of the cache */
function smallestShare(setting) {
  const { group, min } = SETTINGS[setting];
  return group === 'updates'
    ? { min: SMALLEST_UPDATES_PERCENT, why: 'below 1% larger transactions are rolled back' }
    : { min, why: `WiredTiger accepts no percentage below ${min}` };
}

/**
 * Refuses a few bytes: WiredTiger takes any number of bytes, also one below the smallest percentage
 * that it would take.
 * @param {Raw} before @param {Change} change
 */
function checkFewBytes(before, change) {
  const after = { ...before, ...change };
  const { cacheSizeGB } = after;
  if (typeof cacheSizeGB !== 'number') return;
  for (const setting of THRESHOLDS) {
    const [value, { min, why }] = [after[setting], smallestShare(setting)];
    const isTouched = change[setting] !== undefined || change.cacheSizeGB !== undefined;
    if (!isTouched || typeof value !== 'number' || value <= LARGEST_PERCENT) continue;
    const share = toRatio(value, cacheSizeGB * GiB) * 100;
    if (share >= min) continue;
    throw unsafe(
      `${setting} ${bytes(value)} is ${figure(share)}% of a cache of ` +
        `${bytes(cacheSizeGB * GiB)}; ${why}.`,
      value,
      { min: Math.ceil((min / 100) * cacheSizeGB * GiB), unit: 'bytes' },
    );
  }
  checkHalfOfDirty({ ...after, cacheSizeGB }, before, change);
}

/**
 * Checks half of the dirty trigger, which counts where the updates trigger is 0.
 * @param {Raw & { cacheSizeGB: number }} after
 * @param {Raw} before a share that was smaller before is accepted
 * @param {Change} change
 */
function checkHalfOfDirty(after, before, change) {
  const isTouched = HALF_OF_DIRTY.some((setting) => change[setting] !== undefined);
  const share = halfOfDirty(after);
  const { min, why } = smallestShare('evictionUpdatesTrigger');
  if (!isTouched || share === null || share >= min) return;
  if ((halfOfDirty(before) ?? Infinity) <= share) return;
  const [dirty, cacheBytes] = [Number(after.evictionDirtyTrigger), after.cacheSizeGB * GiB];
  const unlessSet = after.evictionUpdatesTrigger === 0 ? '' : 'not known and by default ';
  throw unsafe(
    `evictionUpdatesTrigger, ${unlessSet}half of evictionDirtyTrigger ${bytes(dirty)}, is ` +
      `${figure(share)}% of a cache of ${bytes(cacheBytes)}; ${why}.`,
    dirty,
    { min: Math.ceil((2 * min * cacheBytes) / 100), unit: 'bytes' },
  );
}

/**
 * Computes the updates trigger that follows from the bytes of the dirty one, where it is 0 or not
 * known.
 * @param {Raw} raw
 * @returns {number | null} percent of the cache; null: it does not follow, or is not known
 */
const halfOfDirty = ({
  cacheSizeGB,
  evictionDirtyTrigger: dirty,
  evictionUpdatesTrigger: updates,
}) =>
  (updates ?? 0) === 0 &&
  typeof cacheSizeGB === 'number' &&
  typeof dirty === 'number' &&
  dirty > LARGEST_PERCENT
    ? (toRatio(dirty, cacheSizeGB * GiB) * 100) / 2
    : null;

const HALF_OF_DIRTY = Object.freeze(
  /** @type {const} */ (['cacheSizeGB', 'evictionDirtyTrigger', 'evictionUpdatesTrigger']),
);

/**
 * Refuses a larger cache where the memory is not known: the kernel may kill a server that takes too
 * much.
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

/** @param {Change} change @param {Change | undefined} comesBack @param {number | null} memoryBytes */
function checkCache(change, comesBack, memoryBytes) {
  const { cacheSizeGB } = { ...comesBack, ...change };
  const [caution] = cacheCautions(cacheSizeGB, memoryBytes);
  if (!caution) return;
  const back =
    change.cacheSizeGB === undefined
      ? `Any call sets the recorded cacheSizeGB ${figure(Number(cacheSizeGB))} again. `
      : '';
  const max = memoryBytes === null ? Infinity : (memoryBytes * LARGEST_MEMORY_SHARE) / GiB;
  throw unsafe(`${back}${caution.say}. ${caution.todo}`, cacheSizeGB, {
    min: SMALLEST_CACHE_GB,
    max,
    unit: 'GB',
  });
}

/** @param {string} say @param {unknown} value @param {unknown} allowed */
const unsafe = (say, value, allowed) => new TuneError('TUNE-30003', say, { value, allowed });

/**
 * Finds values that the server accepts and that are not safe.
 * @typedef {{ setting: SettingName, say: string, todo: string }} Caution
 */

/** mongod does not start with less. */
const SMALLEST_CACHE_GB = 0.25;
/**
 * mongod warns at start beyond this share (log id 22300): the page cache, connections and index
 * builds need memory, too.
 */
const LARGEST_MEMORY_SHARE = 0.8;
/**
 * Above this trigger application threads evict only when hardly any cache is free: then all of them
 * wait for free space at the same time (default 95).
 */
const LATE_TRIGGER_PERCENT = 99;
/**
 * Below this target eviction threads evict pages while half of the cache or more is free: reads go
 * to the disk (default 80).
 */
const LOW_TARGET_PERCENT = 50;

/**
 * @param {Raw} raw all settings with their future values
 * @param {readonly SettingName[]} settings the given ones
 * @param {number | null} memoryBytes the memory that the server may use; null: not known, no
 *   caution for it
 * @returns {Caution[]}
 */
const cautionsFor = (raw, settings, memoryBytes) => [
  ...(settings.includes('cacheSizeGB') ? cacheCautions(raw.cacheSizeGB, memoryBytes) : []),
  ...thresholdCautions(raw, settings),
];

/**
 * @param {number | null | undefined} cacheSizeGB
 * @param {number | null} memoryBytes
 * @returns {Caution[]}
 */
function cacheCautions(cacheSizeGB, memoryBytes) {
  const { min, max } = SETTINGS.cacheSizeGB;
  if (typeof cacheSizeGB !== 'number' || cacheSizeGB < min || cacheSizeGB > max) return [];
  const size = bytes(cacheSizeGB * GiB);
  if (cacheSizeGB < SMALLEST_CACHE_GB)
    return [
      {
        setting: 'cacheSizeGB',
        say:
          `A cache of ${size} is below the minimum of ${bytes(SMALLEST_CACHE_GB * GiB)} that ` +
          'mongod requires at start-up',
        todo: `Give at least ${bytes(SMALLEST_CACHE_GB * GiB)}.`,
      },
    ];
  const maxBytes = memoryBytes === null ? Infinity : memoryBytes * LARGEST_MEMORY_SHARE;
  if (cacheSizeGB * GiB <= maxBytes) return [];
  return [
    {
      setting: 'cacheSizeGB',
      say:
        `A cache of ${size} is more than ${LARGEST_MEMORY_SHARE * 100}% of the ` +
        `${bytes(memoryBytes)} RAM available to this server`,
      todo:
        `Give at most ${bytes(maxBytes)}: connections, index builds and the page cache ` +
        'need memory too.',
    },
  ];
}

/** @param {Raw} raw @param {readonly SettingName[]} settings @returns {Caution[]} */
function thresholdCautions(raw, settings) {
  const { evictionTrigger: trigger, evictionTarget: target } = effective(raw).percent;
  return [
    ...(settings.includes('evictionTrigger') && trigger !== null && trigger >= LATE_TRIGGER_PERCENT
      ? [
          {
            setting: /** @type {const} */ ('evictionTrigger'),
            say:
              `With evictionTrigger ${figure(trigger)}% application threads evict only when the ` +
              'cache is full, and then all wait for cache space at once',
            todo:
              `Give less than ${LATE_TRIGGER_PERCENT}; the default is ` +
              `${SETTINGS.evictionTrigger.wtDefault}.`,
          },
        ]
      : []),
    ...(settings.includes('evictionTarget') && target !== null && target < LOW_TARGET_PERCENT
      ? [
          {
            setting: /** @type {const} */ ('evictionTarget'),
            say:
              `With evictionTarget ${figure(target)}% pages are evicted from a cache with free ` +
              'space, and must be read from disk again',
            todo:
              `Give at least ${LOW_TARGET_PERCENT}; the default is ` +
              `${SETTINGS.evictionTarget.wtDefault}.`,
          },
        ]
      : []),
  ];
}

module.exports = {
  checkSafety,
  cautionsFor,
  cacheCautions,
  thresholdCautions,
  LARGEST_MEMORY_SHARE,
  SMALLEST_CACHE_GB,
};
