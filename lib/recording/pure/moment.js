'use strict';

const { toMs } = require('../../base/pure/numbers');
const { TuneError } = require('../../base/pure/errors');

/**
 * @import { Option } from '../../base/pure/options'
 */

/** The end of a text that has a time zone, as in 12:00Z, 12:00+02:00 or 12:00 GMT. */
const ZONE = /(?:[A-Z]+|:\d\d(?:\.\d+)?\s?[+-]\d\d(?::?\d\d)?)$|GMT[+-]\d{4}/i;
const TIME_OF_DAY = /\d:\d\d/;
const EPOCH = /^\d{9,}(?:\.\d+)?$/;
/** As seconds this would be the year 5138, as ms it is 1973. */
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

/** A moment as an option. @returns {Option} */
const moment = () => ({
  allowed: 'a Date, or text such as "2026-03-01T12:00:00Z" (UTC without a time zone)',
  schema: (v) => v.custom((value) => typeof value !== 'number' && momentMs(value) !== undefined),
});

/** The options that select a part of a recording. */
const SPAN_OPTIONS = Object.freeze({
  from: { check: moment(), description: 'a Date, or text such as 2024-05-01T08:00:00Z' },
  to: { check: moment(), description: 'the same' },
});

/**
 * @param {string} command @param {{ from?: unknown, to?: unknown }} options checked already
 * @returns {{ fromMs: number | undefined, toMs: number | undefined }} both ends belong to it
 * @throws {TuneError} TUNE-10002 where it ends before it begins
 */
function spanOf(command, { from, to }) {
  const [fromMs, toMs] = [momentMs(from), momentMs(to)];
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
    throw new TuneError(
      'TUNE-10002',
      `${command}: "from" must not be later than "to", but ${new Date(fromMs).toISOString()} ` +
        `is later than ${new Date(toMs).toISOString()}.`,
      { value: from, allowed: 'a moment before "to"' },
    );
  }
  return { fromMs, toMs };
}

module.exports = { momentMs, isPossible, SPAN_OPTIONS, spanOf, momentOption: moment };
