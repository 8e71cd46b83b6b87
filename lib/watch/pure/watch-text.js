'use strict';

const {
  bytes,
  count,
  percent,
  UNKNOWN,
  clockText,
  many,
  sampledFor,
} = require('../../base/pure/units');
const { visible } = require('../../base/pure/printable');
const { spark } = require('../../text/bars');
const { blockedThreads, blockedWords } = require('../../server/pure/status');
const { firstLine, noteLines, part } = require('../../text/layout');

/**
 * @import { Counter } from '../../server/pure/counters'
 * @import { Metric, Metrics } from '../../server/pure/metrics'
 * @import { Sample } from '../../server/pure/sample'
 * @import { Ink } from '../../base/types'
 * @import { Facts } from '../../server/pure/types'
 */

/**
 * @typedef {{
 *   head: string, width: number, drop?: number,
 *   show: (r: Metrics, sample: Sample) => string
 * }} Column `drop`: where the screen is too narrow, the highest number is dropped first
 */

const SPARK = 12;
/** A full bar means this share of dirty data: a little above the default trigger of 20%. */
const DIRTY_TOP = 0.25;
/** The rows of a screen of unknown size; the heading is repeated when it has scrolled away. */
const ROWS_UNKNOWN = 24;
const MIN_ROWS = 8;

/**
 * Prints a share of the cache in percent.
 * @param {Counter} name
 * @returns {Column['show']}
 */
const level =
  (name) =>
  (_, { counters }) => {
    const [part, whole] = [counters[name], counters['cache.maxBytes']];
    return part === undefined || !whole ? UNKNOWN : ((part / whole) * 100).toFixed(1);
  };
/** @param {Metric} name */
const plain = (name) => (/** @type {Metrics} */ r) => count(r[name]);

/** @type {readonly Column[]} */
const COLUMNS = Object.freeze([
  { head: 'time', width: 8, drop: 0.5, show: (_, sample) => clockText(sample.atMs) },
  { head: 'used%', width: 5, show: level('cache.usedBytes') },
  { head: 'dirty%', width: 6, show: level('cache.dirtyBytes') },
  { head: 'upd%', width: 5, drop: 4, show: level('cache.updatesBytes') },
  { head: 'read in', width: 9, drop: 6, show: (r) => bytes(r['cache.readBytesPerSec']) },
  { head: 'written', width: 9, drop: 7, show: (r) => bytes(r['cache.writtenBytesPerSec']) },
  { head: 'evict/s', width: 7, drop: 5, show: plain('eviction.pagesPerSec') },
  { head: 'app/s', width: 6, drop: 8, show: plain('eviction.appPagesPerSec') },
  { head: 'reading', width: 7, show: plain('clients.readingThreads') },
  { head: 'evict', width: 7, show: plain('clients.evictingThreads') },
  { head: 'waiting', width: 7, show: plain('clients.waitingThreads') },
  { head: 'ckpt', width: 5, drop: 2, show: (_, sample) => checkpointMark(sample) },
  { head: 'reads/s', width: 7, drop: 3, show: plain('ops.readsPerSec') },
  { head: 'writes/s', width: 8, drop: 1, show: plain('ops.writesPerSec') },
]);

/** @param {Sample} sample */
function checkpointMark({ counters }) {
  const phase = counters['checkpoint.running'];
  if (phase === undefined) return UNKNOWN;
  return phase > 0 ? 'runs' : '·';
}

/** Application threads blocked by the cache. @param {Metrics} r */
const blocked = (r) => blockedThreads(clientsOf(r)) ?? 0;

/** @param {Metrics} r */
const clientsOf = (r) => ({
  readingThreads: r['clients.readingThreads'] ?? null,
  evictingThreads: r['clients.evictingThreads'] ?? null,
  waitingThreads: r['clients.waitingThreads'] ?? null,
});

/** Columns of both sparklines, with a space before each. */
const SPARKS_WIDTH = 2 * (SPARK + 1);

/**
 * Chooses the columns that fit on the screen; levels and blocked threads are dropped last, after
 * the sparklines.
 * @param {number} width
 * @returns {{ columns: readonly Column[], sparks: boolean }}
 */
function fitting(width) {
  const columns = [...COLUMNS];
  let sparks = true;
  const taken = () =>
    columns.reduce((total, column) => total + column.width + 1, sparks ? SPARKS_WIDTH - 1 : -1);
  while (taken() > width && (sparks || columns.some(({ drop }) => drop))) {
    const worst = columns.reduce((a, b) => ((b.drop ?? 0) > (a.drop ?? 0) ? b : a));
    if ((worst.drop ?? 0) > 1 || !sparks) columns.splice(columns.indexOf(worst), 1);
    else sparks = false;
  }
  return { columns, sparks };
}

/**
 * Makes the lines of a watch; keeps only the values of its sparklines.
 * @param {{ rows?: number, width?: number }} [screen] `width`: no limit where it is no screen
 */
function makeWatchLines({ rows = ROWS_UNKNOWN, width = Infinity } = {}) {
  const every = Math.max(MIN_ROWS, rows) - 2;
  const { columns, sparks } = fitting(width);
  /** @type {number[]} */ const dirty = [];
  /** @type {number[]} */ const clients = [];
  let printed = 0;
  return {
    /** @param {Facts} facts @returns {string[]} */
    title: ({ host, version, role }) => [
      visible(`${host ?? UNKNOWN}  MongoDB ${version ?? UNKNOWN}  ${role ?? ''}  Ctrl-C ends`),
      'times in UTC; reading, evict, waiting: mean application threads',
    ],
    /**
     * @param {Sample} sample
     * @param {Metrics} metrics
     * @returns {string[]}
     */
    next(sample, metrics) {
      remember(
        dirty,
        (sample.counters['cache.dirtyBytes'] ?? 0) /
          (sample.counters['cache.maxBytes'] ?? Infinity),
      );
      remember(clients, blocked(metrics));
      const drawn = [
        spark(dirty, { width: SPARK, top: DIRTY_TOP }),
        spark(clients, { width: SPARK, top: Math.max(1, ...clients) }),
      ];
      const line = [
        ...columns.map((column) => column.show(metrics, sample).padStart(column.width)),
        ...(sparks ? drawn : []),
      ].join(' ');
      return printed++ % every === 0 ? [head(columns, sparks), line] : [line];
    },
  };
}

/** @param {readonly Column[]} columns @param {boolean} sparks */
const head = (columns, sparks) =>
  [
    ...columns.map((column) => column.head.padStart(column.width)),
    ...(sparks ? ['dirty'.padStart(SPARK), 'blocked'.padStart(SPARK)] : []),
  ].join(' ');

/** @param {number[]} list @param {number} value */
function remember(list, value) {
  list.push(value);
  if (list.length > SPARK) list.shift();
}

/**
 * @param {{
 *   host: string | null, version?: string | null, seconds: number, samples: number, restarts: number, metrics: Metrics,
 *   notes: string[]
 * }} w
 * @param {Ink} ink
 */
function renderWatched({ host, version, seconds, samples, metrics, notes }, ink) {
  const show = (/** @type {Metric} */ name) => percent(metrics[name]);
  const sampled = `${many(samples, 'sample')} in ${sampledFor(seconds * 1000)}`;
  return [
    firstLine({ host, version }, ink(sampled, 'faint'), ink),
    ...part(
      'CLIENTS',
      `${many(blockedThreads(clientsOf(metrics)), 'application thread')} blocked by the cache on ` +
        `average: ${blockedWords(clientsOf(metrics))}`,
      ink,
    ),
    ...part(
      'OPERATIONS',
      `reads ${count(metrics['ops.readsPerSec'])}/s, writes ${count(metrics['ops.writesPerSec'])}/s`,
      ink,
    ),
    ...part(
      'CACHE',
      `used ${show('cache.usedRatio')}, dirty ${show('cache.dirtyRatio')} ` +
        `(max ${show('cache.dirtyRatioMax')})`,
      ink,
    ),
    ...noteLines(notes, ink),
  ].join('\n');
}

module.exports = { makeWatchLines, renderWatched };
