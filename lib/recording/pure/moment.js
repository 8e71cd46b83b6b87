'use strict';

const { toMs } = require('../../base/pure/numbers');

/** What a text ends with that tells its time zone, as in 12:00Z, 12:00+02:00 or 12:00 GMT. */
const ZONE = /(?:[A-Z]+|:\d\d(?:\.\d+)?\s?[+-]\d\d(?::?\d\d)?)$|GMT[+-]\d{4}/i;
const TIME_OF_DAY = /\d:\d\d/;
const EPOCH = /^\d{9,}(?:\.\d+)?$/;
/** As seconds it would be the year 5138, as ms 1973. */
const MIN_MS = 1e11;

/**
 * A moment in any form that people, drivers and scripts write. Without a zone it is UTC: that is
 * what servers and their drivers mean by it, and what every time that is printed here is in, so
 * that what was read can be typed.
 * @param {unknown} value a Date, text, extended JSON, or seconds or milliseconds since 1970
 * @returns {number | undefined} ms since 1970
 */
function momentMs(value) {
  if (typeof value === 'string') return fromText(value.trim());
  const ms = toMs(value);
  const isPlain = ms !== undefined && !isDate(value);
  return isPlain && ms / 1000 >= MIN_MS ? ms / 1000 : ms;
}

/** @param {any} value */
const isDate = (value) =>
  Object.prototype.toString.call(value) === '[object Date]' ||
  (value !== null && typeof value === 'object' && '$date' in value);

/** @param {string} text */
function fromText(text) {
  if (EPOCH.test(text)) return momentMs(Number(text));
  if (!TIME_OF_DAY.test(text) || ZONE.test(text)) return toMs(text);
  return toMs(`${text}Z`) ?? toMs(`${text} UTC`);
}

/** The end of the year 9999; what is beyond was never a time. */
const LAST_MS = Date.UTC(10_000, 0, 1) - 1;

/** @param {number} ms since 1970 @returns {boolean} false for NaN, too */
const isPossible = (ms) => ms >= 0 && ms <= LAST_MS;

module.exports = { momentMs, isPossible };
