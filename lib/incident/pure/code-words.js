'use strict';

const { secondsText } = require('../../base/pure/units');

/** Values of events as their sentences show them. */

/** @param {unknown} value */
const num = (value) => (typeof value === 'number' ? value : NaN);
/** @param {unknown} value */
const isKnown = (value) => value !== null && value !== undefined;
/** @param {unknown} value @param {string} [unknown] */
const name = (value, unknown = 'an unknown one') =>
  isKnown(value) && value !== '' ? String(value) : unknown;
/** @param {unknown} seconds */
const secs = (seconds) => secondsText(num(seconds));
/** A value that may be missing, with the words before it. @param {string} before @param {unknown} value */
const maybe = (before, value) => (isKnown(value) && value !== '' ? `${before}${value}` : '');

module.exports = { isKnown, num, name, secs, maybe };
