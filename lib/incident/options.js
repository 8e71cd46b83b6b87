'use strict';

const { TuneError } = require('../base/pure/errors');
const { momentMs, momentOption, spanOf } = require('../recording/pure/moment');

/**
 * @import { Option } from '../base/pure/options'
 * @import { Range } from './byte-blocks'
 */

/**
 * @typedef {{
 *   at?: Date | string, from?: Date | string, to?: Date | string, dbpath?: string | string[],
 *   ftdc?: string | string[], log?: string | string[], kernelLog?: string | string[]
 * }} Given
 */

/** Around one moment: an hour of normal time before it, and what followed. */
const BEFORE_MS = 60 * 60_000;
const AFTER_MS = 30 * 60_000;
/** The default time range for a server that is asked itself. */
const LIVE_MS = 24 * 60 * 60_000;

/** @param {string} what @returns {Option} */
const paths = (what) => ({
  allowed: `${what}, or a list of them`,
  schema: (v) => v.custom((/** @type {unknown} */ value) => arePaths([value].flat())),
});
/** @param {readonly unknown[]} list */
const arePaths = (list) =>
  list.length > 0 && list.every((path) => typeof path === 'string' && path !== '');

const INCIDENT_OPTIONS = Object.freeze({
  at: {
    check: momentOption(),
    description: 'the moment: an hour before it and half an hour after it are read',
  },
  from: {
    check: momentOption(),
    description: 'instead of at: a Date, or text such as 2024-05-01T02:00Z',
  },
  to: { check: momentOption(), description: 'the same' },
  dbpath: {
    check: paths('the dbPath of a member'),
    description: 'dbPath of one member or of several: their diagnostic.data is read',
  },
  ftdc: {
    check: paths('a folder or file of diagnostic.data'),
    description: 'diagnostic.data itself, of one member or of several',
  },
  log: {
    check: paths('a log of mongod'),
    description: 'logs of mongod 4.4 or later; rotated ones beside them are read, too',
  },
  kernelLog: {
    check: paths('a log of the kernel'),
    description: 'output of journalctl -k (short-iso, json, export), dmesg -T or dmesg; or syslog',
  },
});

/**
 * @param {string} command
 * @param {Given} given checked already
 * @returns {{ ftdc: string[], log: string[], kernelLog: string[], range: Range, isLive: boolean }}
 * @throws {TuneError} TUNE-10002
 */
function wantedOf(command, { at, from, to, ...files }) {
  const atMs = momentMs(at);
  if (atMs !== undefined && (from !== undefined || to !== undefined))
    throw new TuneError('TUNE-10002', `${command}: give "at", or "from" and "to", not both.`, {
      value: at,
      allowed: '"at", or "from" and "to"',
    });
  const lists = listsOf(files);
  const isLive = Object.values(lists).every((list) => list.length === 0);
  const range =
    atMs === undefined
      ? rangeOf(spanOf(command, { from, to }), isLive)
      : { fromMs: atMs - BEFORE_MS, toMs: atMs + AFTER_MS };
  return { ...lists, isLive, range };
}

/** @param {Given} given */
const listsOf = ({ dbpath = [], ftdc = [], log = [], kernelLog = [] }) => ({
  ftdc: [dbpath, ftdc].flat(),
  log: [log].flat(),
  kernelLog: [kernelLog].flat(),
});

/** @param {{ fromMs?: number, toMs?: number }} span @param {boolean} isLive @returns {Range} */
const rangeOf = ({ fromMs, toMs }, isLive) => ({
  fromMs: fromMs ?? (isLive ? (toMs ?? Date.now()) - LIVE_MS : -Infinity),
  toMs: toMs ?? Infinity,
});

/**
 * A time as long as another, from a moment on.
 * @param {string} command
 * @param {Date | string} compareTo
 * @param {Range} range
 * @returns {Range}
 * @throws {TuneError} TUNE-10002 where the other has no length
 */
function rangeBeside(command, compareTo, { fromMs, toMs }) {
  const startMs = Number(momentMs(compareTo));
  if (!Number.isFinite(fromMs) || !Number.isFinite(toMs))
    throw new TuneError(
      'TUNE-10002',
      `${command}: "compareTo" needs a time to compare: give "at", or "from" and "to".`,
      { value: compareTo, allowed: '"at", or "from" and "to"' },
    );
  return { fromMs: startMs, toMs: startMs + (toMs - fromMs) };
}

module.exports = { INCIDENT_OPTIONS, wantedOf, rangeBeside };
