'use strict';

const { SETTINGS, SETTING_NAMES, LARGEST_PERCENT } = require('./setting-table');
const { effective, PAIRS } = require('./thresholds');
const { settingsOf } = require('./change');
const { GiB, bytes } = require('../base/pure/units');

/**
 * @import { SettingName, Change } from '../base/types'
 * @import { Raw } from './thresholds'
 */

/**
 * Settings that contradict each other, also those set earlier.
 * @typedef {{ settings: SettingName[], kind: 'order' | 'size', say: string }} Conflict `order`: WiredTiger
 *   refuses it, at the latest at the
 *   next start; `size`: a number of bytes that does not fit into the cache, which WiredTiger
 *   refuses half-way
 */

/**
 * @param {Raw} raw every setting as configured; what is not known contradicts nothing
 * @returns {Conflict[]}
 */
function conflictsOf(raw) {
  return [...tooManyBytes(raw), ...threadOrder(raw), ...thresholdOrder(raw)];
}

/** @param {Raw} raw @returns {Conflict[]} */
function threadOrder({ evictionThreadsMin: min, evictionThreadsMax: max }) {
  if (typeof min !== 'number' || typeof max !== 'number' || min <= max) return [];
  return [
    {
      settings: ['evictionThreadsMin', 'evictionThreadsMax'],
      kind: 'order',
      say: `evictionThreadsMin ${min} is above evictionThreadsMax ${max}`,
    },
  ];
}

/** @param {Raw} raw @returns {Conflict[]} */
function thresholdOrder(raw) {
  const { percent } = effective(raw);
  return PAIRS.flatMap(([target, trigger]) => {
    const [low, high] = [percent[target], percent[trigger]];
    if (low === null || high === null || low < high) return [];
    return [
      {
        settings: [target, trigger],
        kind: /** @type {const} */ ('order'),
        say: `${target} ${show(low)} is not below ${trigger} ${show(high)}`,
      },
    ];
  });
}

/** @param {Raw} raw @returns {Conflict[]} */
function tooManyBytes(raw) {
  const { cacheSizeGB } = raw;
  if (typeof cacheSizeGB !== 'number') return [];
  return SETTING_NAMES.flatMap((setting) => {
    const value = raw[setting];
    if (
      SETTINGS[setting].unit !== 'percent' ||
      typeof value !== 'number' ||
      value <= LARGEST_PERCENT ||
      value <= cacheSizeGB * GiB
    )
      return [];
    return [
      {
        settings: [setting, 'cacheSizeGB'],
        kind: /** @type {const} */ ('size'),
        say: `${setting} is ${bytes(value)}, more than a cache of ${bytes(cacheSizeGB * GiB)}`,
      },
    ];
  });
}

/** @param {number} percent */
const show = (percent) => `${Number(percent.toFixed(2))}%`;

/**
 * @param {Raw} before @param {Change} change
 * @returns {Conflict[]} those that the change makes or touches
 */
function newConflicts(before, change) {
  const known = new Set(conflictsOf(before).map(({ settings }) => settings.join()));
  return conflictsOf({ ...before, ...change }).filter(
    ({ settings }) =>
      !known.has(settings.join()) || settings.some((setting) => change[setting] !== undefined),
  );
}

/** Settings of which the first must stay below the second, or at it. */
const ORDERED = Object.freeze(
  /** @type {[SettingName, SettingName][]} */ ([
    ...PAIRS,
    ['evictionThreadsMin', 'evictionThreadsMax'],
  ]),
);

/**
 * What an undo of a change cannot set again: what had a value that is not known; and of two settings
 * in an order also the other one, where its value before contradicts the new one that stays.
 * @param {Change} before what is known of it
 * @param {Change} change
 * @returns {{ unknown: SettingName[], blocked: SettingName[] }}
 */
function notRestorable(before, change) {
  const unknown = settingsOf(change).filter((setting) => typeof before[setting] !== 'number');
  const blocked = ORDERED.flatMap(([low, high]) => {
    const [stays, back] = unknown.includes(low) ? [low, high] : [high, low];
    if (!unknown.includes(stays) || unknown.includes(back) || change[back] === undefined) return [];
    const values = { ...change, [back]: before[back] };
    return isInOrder(Number(values[low]), Number(values[high]), low) ? [] : [back];
  });
  return { unknown, blocked };
}

/**
 * Bytes beside percent cannot be compared without the size of the cache.
 * @param {number} low @param {number} high @param {SettingName} setting
 */
function isInOrder(low, high, setting) {
  if (setting === 'evictionThreadsMin') return low <= high;
  return low > LARGEST_PERCENT === high > LARGEST_PERCENT && low < high;
}

module.exports = { conflictsOf, newConflicts, notRestorable };
