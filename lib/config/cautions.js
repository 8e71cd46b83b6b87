'use strict';

const { effective } = require('./thresholds');
const { SETTINGS } = require('./setting-table');
const { GiB, bytes, figure } = require('../base/pure/units');

/**
 * @import { SettingName } from '../base/types'
 * @import { Raw } from './thresholds'
 */

/**
 * Values that the server accepts and that are not safe.
 * @typedef {{ setting: SettingName, say: string, todo: string }} Caution
 */

/** mongod itself does not start with less. */
const SMALLEST_CACHE_GB = 0.25;
/**
 * Beyond it mongod warns at start (log id 22300): the file system cache, connections and index
 * builds need memory too.
 */
const LARGEST_MEMORY_SHARE = 0.8;
/**
 * From here on application threads evict only when hardly any cache is free: then each waits for
 * free space, all at once (default 95).
 */
const LATE_TRIGGER_PERCENT = 99;
/**
 * Below it workers throw out pages while half of the cache or more is free: reads go to the disk
 * (default 80).
 */
const LOW_TARGET_PERCENT = 50;

/**
 * @param {Raw} raw every setting as it would be
 * @param {readonly SettingName[]} settings those that are given
 * @param {number | null} memoryBytes what the server may use; null: not known, nothing is said of
 *   it
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
          'mongod requires at start-up' +
          '',
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
        `Give at most ${bytes(maxBytes)}: connections, index builds and the file system cache ` +
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
              'cache is full, and then all wait for cache space at once' +
              '',
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
              'space, and must be read from disk again' +
              '',
            todo:
              `Give at least ${LOW_TARGET_PERCENT}; the default is ` +
              `${SETTINGS.evictionTarget.wtDefault}.`,
          },
        ]
      : []),
  ];
}

module.exports = {
  cautionsFor,
  cacheCautions,
  thresholdCautions,
  LARGEST_MEMORY_SHARE,
  SMALLEST_CACHE_GB,
};
