'use strict';

const { UNKNOWN, bytes, count, duration, percent, timeText } = require('../../../base/pure/units');

/** How values read on a page: by the unit that their names end in. */

/** @type {[RegExp, (value: number) => string][]} */
const UNITS = [
  [/Ratio(?:Max)?$|Share$/, percent],
  [/Bytes(?:Max)?PerSec$/, (n) => `${bytes(n)}/s`],
  [/Bytes/, bytes],
  [/Ms(?:Max)?$/, duration],
  [/Seconds/, (n) => duration(n * 1000)],
  [/PerSec$/, (n) => `${count(n)}/s`],
];

/** @param {string} name that ends in its unit @param {unknown} value @returns {string} */
function showValue(name, value) {
  if (value === null || value === undefined) return UNKNOWN;
  if (typeof value === 'number')
    return (UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? count)(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? showObject(value) : String(value);
}

/** @param {object} value */
function showObject(value) {
  const isPlainList = Array.isArray(value) && value.every((one) => typeof one !== 'object');
  return isPlainList ? value.join(', ') || 'none' : JSON.stringify(value);
}

/**
 * A moment, whatever form JSON gave it.
 * @param {Date | string | number | null | undefined} value
 * @returns {string} UTC, `2026-01-01 00:00:00`
 */
function showTime(value) {
  const date = new Date(value ?? NaN);
  return Number.isNaN(date.getTime()) ? UNKNOWN : timeText(date);
}

module.exports = { showValue, showTime };
