'use strict';

const { bytes, count, duration, percent } = require('../base/pure/units');

/** A ratio is drawn from 0 to 1, everything else from 0 to its maximum. */
const RATIO = /Ratio$/;

/** @type {[RegExp, (value: number) => string][]} */
const UNITS = [
  [RATIO, percent],
  [/Bytes/, bytes],
  [/Ms$/, duration],
];

/**
 * A value with the unit of its series.
 * @param {string} name of the series, which ends in the unit
 * @param {number} value
 * @returns {string}
 */
const showSeries = (name, value) =>
  (UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? count)(value);

/**
 * The value of a full bar.
 * @param {string} name of the series
 * @returns {number | undefined} undefined: its maximum
 */
const topOf = (name) => (RATIO.test(name) ? 1 : undefined);

module.exports = { showSeries, topOf };
