'use strict';

const { TuneError } = require('../base/pure/errors');
const { momentMs } = require('./pure/moment');

/**
 * @import { Option } from '../base/pure/options'
 */

/** A moment as an option. @returns {Option} */
const moment = () => ({
  allowed: 'a Date, or text such as "2026-03-01T12:00:00Z" (UTC without a time zone)',
  schema: (v) => v.custom((value) => typeof value !== 'number' && momentMs(value) !== undefined),
});

/** What of a recording is wanted: options of a command. */
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

module.exports = { SPAN_OPTIONS, spanOf, momentOption: moment };
