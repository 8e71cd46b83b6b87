'use strict';

const { bytes, count, duration, percent } = require('../base/pure/units');

/** Ratios are drawn from 0 to 1, everything else up to its greatest value. */
const RATIO = /Ratio$/;

/** @type {[RegExp, (value: number) => string][]} */
const UNITS = [
  [RATIO, percent],
  [/Bytes/, bytes],
  [/Ms$/, duration],
];

/**
 * @param {string} name of a series, which ends in its unit
 * @param {number} value
 * @returns {string}
 */
const showSeries = (name, value) =>
  (UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? count)(value);

/**
 * @param {string} name
 * @returns {number | undefined} what a full bar is; undefined: the greatest value
 */
const topOf = (name) => (RATIO.test(name) ? 1 : undefined);

module.exports = { showSeries, topOf };
