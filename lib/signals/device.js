'use strict';

const { percent, duration } = require('../base/pure/units');

/**
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Phrase } from './phrases'
 */

/**
 * What the server's diagnostic data tells of the disk that is busiest, and whether anything on the
 * machine waits for a disk at all. Where the server does not tell it, everything here answers "not
 * known", and the verdict rests on the server's own counters.
 *
 */

// From here on one request is slow for any disk in use today (experience of MongoDB support; a
// spinning disk takes 5 to 10 ms).
const SLOW_MS = 20;
// Requests at a disk at its limit take longer than this: 7 to 12 ms for a read, 20 to 45 ms for a
// page write were seen (docs/evidence/cache-size.md). Flash that serves many requests at once is at
// work all the time, and answers in 0.1 ms.
const LIMIT_MS = 5;
// Share of the time that a disk at its limit is at work; below it there is room.
const BUSY_RATIO = 0.8;
// Fewer requests a second make a mean that a few odd ones decide.
const MIN_PER_SEC = 5;
// Of the threads that should be seen waiting for a disk at least this share is, or they do not wait
// for a disk. Ours.
const SEEN_RATIO = 0.25;
// Fewer looks at the number of waiting tasks are chance, as with the gauge of active clients.
const MIN_SECONDS = 9;

/** @param {Metrics} metrics @returns {number} ms; 0 where there are too few reads to tell */
const deviceReadMs = ({ 'disk.readsPerSec': perSec = 0, 'disk.readMs': ms = 0 }) =>
  perSec >= MIN_PER_SEC ? ms : 0;

/** @param {Metrics} metrics @returns {number} ms; 0 where there are too few writes to tell */
const deviceWriteMs = ({ 'disk.writesPerSec': perSec = 0, 'disk.writeMs': ms = 0 }) =>
  perSec >= MIN_PER_SEC ? ms : 0;

/** @param {Metrics} metrics @returns {boolean | undefined} undefined: not known */
function isDeviceAtLimit(metrics) {
  const busy = metrics['disk.busyRatio'];
  return busy === undefined
    ? undefined
    : busy >= BUSY_RATIO && Math.max(deviceReadMs(metrics), deviceWriteMs(metrics)) >= LIMIT_MS;
}

/**
 * Whether threads that would have to wait for a disk are nowhere to be seen: no disk is at work,
 * and no task of the machine waits for one. Also a disk that the server does not show (a network
 * file system, a limit of the container) makes tasks wait.
 * @param {Metrics} metrics
 * @param {number} threads that wait for a disk on average, if they do
 * @returns {boolean} known to be so
 */
function isNoDiskWaitedFor(metrics, threads) {
  const {
    'cpu.blockedTasks': blocked,
    'disk.busyRatio': busy,
    'diagnostics.seconds': seconds = 0,
    'cpu.busyRatio': cpu,
  } = metrics;
  if (blocked === undefined || busy === undefined || cpu === undefined || seconds < MIN_SECONDS)
    return false;
  return blocked < threads * SEEN_RATIO && busy < Math.min(1, threads) * SEEN_RATIO;
}

/** Of the threads that should be waiting, as a reason. @param {Metrics} metrics */
const nobodyWaits = (metrics) =>
  'next to no task of the machine waits for a disk, and its ' +
  `${metrics['disk.isOfData'] ? '' : 'busiest '}disk${named(metrics)} is at work ` +
  `${percent(metrics['disk.busyRatio'])} of the time`;

/**
 * @param {Metrics} metrics
 * @returns {string} a sentence with a space before it; empty where the disk is not known, or
 *   neither one nor the other
 */
function aboutDevice(metrics) {
  const busy = metrics['disk.busyRatio'];
  if (busy === undefined) return '';
  const took = [
    [deviceReadMs(metrics), 'read'],
    [deviceWriteMs(metrics), 'write'],
  ].flatMap(([ms, what]) =>
    Number(ms) > 0 ? [`one ${what} of it takes ${duration(Number(ms))}`] : [],
  );
  const seen = [`the disk${named(metrics)} is at work ${percent(busy)} of the time`, ...took].join(
    ', ',
  );
  if (isDeviceAtLimit(metrics)) return ` The machine says the same: ${seen}.`;
  return busy < BUSY_RATIO
    ? ` Yet ${seen}: the limit may be one that the disk does not know of (of the container, of ` +
        'the cloud), or lie at a disk that the server does not show, such as a network file system.'
    : '';
}

/** @param {Metrics} metrics */
const named = ({ 'disk.name': name, 'disk.isOfData': isOfData }) =>
  name === undefined ? '' : ` ${name}${isOfData ? ' (dbPath)' : ''}`;

/**
 * @param {Metrics} metrics
 * @returns {Phrase[]} how it is worded as evidence, with the disk's name
 */
const devicePhrases = (metrics) => [
  ['disk.busyRatio', (n) => `the disk${named(metrics)} is at work ${percent(n)} of the time`],
  ['disk.readMs', (n) => `one read of the disk${named(metrics)} takes ${duration(n)}`],
];

module.exports = {
  deviceReadMs,
  deviceWriteMs,
  isDeviceAtLimit,
  isNoDiskWaitedFor,
  nobodyWaits,
  aboutDevice,
  devicePhrases,
  named,
  SLOW_MS,
  BUSY_RATIO,
  LIMIT_MS,
  MIN_PER_SEC,
};
