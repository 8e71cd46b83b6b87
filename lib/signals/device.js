'use strict';

const { percent, duration } = require('../base/pure/units');

/**
 * What the server's diagnostic data tells of the disk that is busiest, and whether anything on the
 * machine waits for a disk at all. Where the server does not tell it, everything here answers "not
 * known", and the verdict rests on the server's own counters.
 *
 * @typedef {import('../server/pure/readings').Readings} Readings
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
const LEAST_PER_SEC = 5;
// Of the threads that should be seen waiting for a disk at least this share is, or they do not wait
// for a disk. Ours.
const SEEN_RATIO = 0.25;
// Fewer looks at the number of waiting tasks are chance, as with the gauge of active clients.
const LEAST_SECONDS = 9;

/** @param {Readings} readings @returns {number} ms; 0 where there are too few reads to tell */
const deviceReadMs = ({ 'disk.readsPerSec': perSec = 0, 'disk.readMs': ms = 0 }) =>
  perSec >= LEAST_PER_SEC ? ms : 0;

/** @param {Readings} readings @returns {number} ms; 0 where there are too few writes to tell */
const deviceWriteMs = ({ 'disk.writesPerSec': perSec = 0, 'disk.writeMs': ms = 0 }) =>
  perSec >= LEAST_PER_SEC ? ms : 0;

/** @param {Readings} readings @returns {boolean | undefined} undefined: not known */
function isDeviceAtLimit(readings) {
  const busy = readings['disk.busyRatio'];
  return busy === undefined
    ? undefined
    : busy >= BUSY_RATIO && Math.max(deviceReadMs(readings), deviceWriteMs(readings)) >= LIMIT_MS;
}

/**
 * Whether threads that would have to wait for a disk are nowhere to be seen: no disk is at work,
 * and no task of the machine waits for one. Also a disk that the server does not show (a network
 * file system, a limit of the container) makes tasks wait.
 * @param {Readings} readings
 * @param {number} threads that wait for a disk on average, if they do
 * @returns {boolean} known to be so
 */
function isNoDiskWaitedFor(readings, threads) {
  const {
    'system.blockedTasks': blocked,
    'disk.busyRatio': busy,
    'system.seconds': seconds = 0,
    'system.cpuRatio': cpu,
  } = readings;
  if (blocked === undefined || busy === undefined || cpu === undefined || seconds < LEAST_SECONDS)
    return false;
  return blocked < threads * SEEN_RATIO && busy < Math.min(1, threads) * SEEN_RATIO;
}

/** Of the threads that should be waiting, as a reason. @param {Readings} readings */
const nobodyWaits = (readings) =>
  'next to no task of the machine waits for a disk, and its ' +
  `${readings['disk.isOfData'] ? '' : 'busiest '}disk${named(readings)} is at work ` +
  `${percent(readings['disk.busyRatio'])} of the time`;

/**
 * @param {Readings} readings
 * @returns {string} a sentence with a space before it; empty where the disk is not known, or
 *   neither one nor the other
 */
function aboutDevice(readings) {
  const busy = readings['disk.busyRatio'];
  if (busy === undefined) return '';
  const took = [
    [deviceReadMs(readings), 'read'],
    [deviceWriteMs(readings), 'write'],
  ].flatMap(([ms, what]) =>
    Number(ms) > 0 ? [`one ${what} of it takes ${duration(Number(ms))}`] : [],
  );
  const seen = [`the disk${named(readings)} is at work ${percent(busy)} of the time`, ...took].join(
    ', ',
  );
  if (isDeviceAtLimit(readings)) return ` The machine says the same: ${seen}.`;
  return busy < BUSY_RATIO
    ? ` Yet ${seen}: the limit may be one that the disk does not know of (of the container, of ` +
        'the cloud), or lie at a disk that the server does not show, such as a network file system.'
    : '';
}

/** @param {Readings} readings */
const named = ({ 'disk.name': name, 'disk.isOfData': isOfData }) =>
  name === undefined ? '' : ` ${name}${isOfData ? ' (dbPath)' : ''}`;

/**
 * @param {Readings} readings
 * @returns {import('./phrases').Phrase[]} how it is worded as evidence, with the disk's name
 */
const devicePhrases = (readings) => [
  ['disk.busyRatio', (n) => `the disk${named(readings)} is at work ${percent(n)} of the time`],
  ['disk.readMs', (n) => `one read of the disk${named(readings)} takes ${duration(n)}`],
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
  LEAST_PER_SEC,
};
