'use strict';

const { bytes, count, duration, UNKNOWN } = require('../model/units');
const { spark } = require('./spark');

/**
 * @typedef {import('../model/readings').Readings} Readings @typedef {import('../model/readings').Reading} Reading
 * @typedef {{ head: string, width: number, drop?: number, show: (r: Readings, sample: import('../model/sample').Sample) => string }} Column `drop`: the
 *   higher, the sooner it goes where the screen is too narrow
 */

const SPARK = 12;
/** A full bar: a little above the default dirty trigger of 20 %, so that bars compare from one watch to the next. */
const DIRTY_TOP = 0.25;
/** The head comes again when it has scrolled away: two lines less than the screen. */
const ROWS_UNKNOWN = 24;
const LEAST_ROWS = 8;

/** @param {Reading} name @param {number} digits */
const ratio = (name, digits) => (/** @type {Readings} */ r) => (r[name] === undefined ? UNKNOWN : (Number(r[name]) * 100).toFixed(digits));
/** @param {Reading} name */
const plain = (name) => (/** @type {Readings} */ r) => count(r[name]);

/** @type {readonly Column[]} */
const COLUMNS = Object.freeze([
  { head: 'time', width: 8, show: (_, sample) => new Date(sample.atMs).toISOString().slice(11, 19) },
  { head: 'fill%', width: 5, show: ratio('cache.usedRatio', 1) },
  { head: 'dirty%', width: 6, show: ratio('cache.dirtyRatio', 1) },
  { head: 'upd%', width: 5, drop: 4, show: ratio('cache.updatesRatio', 1) },
  { head: 'read in', width: 9, drop: 6, show: (r) => bytes(r['cache.readBytesPerSec']) },
  { head: 'written', width: 9, drop: 7, show: (r) => bytes(r['cache.writtenBytesPerSec']) },
  { head: 'evict/s', width: 7, drop: 5, show: plain('eviction.pagesPerSec') },
  { head: 'app/s', width: 6, drop: 8, show: plain('eviction.appPagesPerSec') },
  { head: 'reading', width: 7, show: plain('clients.readingPages') },
  { head: 'evictng', width: 7, show: plain('clients.evicting') },
  { head: 'waiting', width: 7, show: plain('clients.waitingForCache') },
  { head: 'ckpt', width: 5, drop: 2, show: (_, sample) => checkpointMark(sample) },
  { head: 'reads/s', width: 7, drop: 3, show: plain('ops.readsPerSec') },
  { head: 'writes/s', width: 8, show: plain('ops.writesPerSec') },
]);

/** @param {import('../model/sample').Sample} sample */
function checkpointMark({ metrics }) {
  const phase = metrics['checkpoint.running'];
  return phase === undefined ? UNKNOWN : phase > 0 ? 'runs' : '·';
}

/** Client threads lost to the cache in one way or another. @param {Readings} r */
const lost = (r) => (r['clients.readingPages'] ?? 0) + (r['clients.evicting'] ?? 0) + (r['clients.waitingForCache'] ?? 0);

/** The sparklines, and the space before each. */
const SPARKS_WIDTH = 2 * (SPARK + 1);

/** What fits on the screen; the last to go are time, levels and the lost clients. @param {number} width @returns {readonly Column[]} */
function fitting(width) {
  const shown = [...COLUMNS];
  const taken = () => shown.reduce((total, column) => total + column.width + 1, SPARKS_WIDTH - 1);
  while (taken() > width && shown.some(({ drop }) => drop)) {
    shown.splice(shown.indexOf(shown.reduce((worst, column) => ((column.drop ?? 0) > (worst.drop ?? 0) ? column : worst))), 1);
  }
  return shown;
}

/**
 * Makes the lines of a watch, one after the other; remembers only what its sparklines show.
 * @param {{ rows?: number, width?: number }} [screen] `width`: no limit where it is not a screen
 */
function makeWatchLines({ rows = ROWS_UNKNOWN, width = Infinity } = {}) {
  const every = Math.max(LEAST_ROWS, rows) - 2;
  const columns = fitting(width);
  /** @type {number[]} */ const dirty = [];
  /** @type {number[]} */ const clients = [];
  let printed = 0;
  return {
    /** @param {import('../model/facts').Facts} facts @returns {string[]} */
    title: ({ host, version, role }) => [
      `${host ?? UNKNOWN}  MongoDB ${version ?? UNKNOWN}  ${role ?? ''}  Ctrl-C ends`,
      'times in UTC; reading, evictng, waiting: mean number of client threads',
    ],
    /** @param {import('../model/sample').Sample} sample @param {Readings} readings @returns {string[]} */
    next(sample, readings) {
      remember(dirty, readings['cache.dirtyRatio'] ?? 0);
      remember(clients, lost(readings));
      const sparks = [spark(dirty, { width: SPARK, top: DIRTY_TOP }), spark(clients, { width: SPARK, top: Math.max(1, ...clients) })];
      const line = [...columns.map((column) => column.show(readings, sample).padStart(column.width)), ...sparks].join(' ');
      return printed++ % every === 0 ? [head(columns), line] : [line];
    },
  };
}

/** @param {readonly Column[]} columns */
const head = (columns) => [...columns.map((column) => column.head.padStart(column.width)), 'dirty'.padStart(SPARK), 'lost clients'.padStart(SPARK)].join(' ');

/** @param {number[]} list @param {number} value */
function remember(list, value) {
  list.push(value);
  if (list.length > SPARK) list.shift();
}

/**
 * @param {{ host: string | null, seconds: number, samples: number, restarts: number, readings: Readings, notes: string[] }} w
 * @param {import('./report').Ink} ink
 */
function renderWatched({ host, seconds, samples, readings, notes }, ink) {
  const show = (/** @type {Reading} */ name) => ratio(name, 1)(readings);
  return [
    `${ink(host ?? UNKNOWN, 'strong')} watched for ${duration(seconds * 1000)}, ${samples} samples kept`,
    `fill ${show('cache.usedRatio')} %, dirty ${show('cache.dirtyRatio')} % (most ${show('cache.dirtyRatioMax')} %), client threads: ${count(readings['clients.readingPages'])} reading pages, ${count(readings['clients.evicting'])} evicting, ${count(readings['clients.waitingForCache'])} waiting for cache`,
    `${count(readings['ops.readsPerSec'])} reads/s, ${count(readings['ops.writesPerSec'])} writes/s`,
    ...notes.map((note) => ink(`note: ${note}`, 'faint')),
  ].join('\n');
}

module.exports = { makeWatchLines, renderWatched };
