'use strict';

const { bytes, count, duration, percent, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { sources, man } = require('../sources');

/**
 * @import { HostValues } from '../../host/pure/host'
 */

// Heuristic.
const BUSY_RATIO = 0.9;
// The same value as in device-latency: a disk that works on many requests at once may be busy all
// the time and still answer quickly.
const QUICK_MS = 10;

module.exports = defineHostRule({
  id: 'host-disk-saturation',
  alongside: ['disk'],
  title: 'Disk under dbPath at its limit',
  why:
    'A disk that is always busy while requests queue is at its limit: more threads, a longer ' +
    'queue or other engine settings only move the wait.',
  needs: ['disk.name', 'disk.busyRatio', 'disk.queue'],
  wants: [
    'disk.readMs',
    'disk.writeMs',
    'disk.readBytesPerSec',
    'disk.writtenBytesPerSec',
    'disk.readsPerSec',
    'disk.writesPerSec',
    'disk.isRotational',
  ],
  evidence: ['disk.name', 'disk.busyRatio', 'disk.queue'],
  threshold:
    `Information: busy ${shortPercent(BUSY_RATIO)} of the time. Warning: also an HDD, or requests ` +
    `take more than ${duration(QUICK_MS)} on average.`,
  source: sources(
    man(
      'iostat',
      1,
      'the figure does not show the limit of devices that serve requests in parallel',
    ),
    '90% is a heuristic',
  ),
  advice:
    'Reduce its load or add capacity: a larger cache for reads, a faster disk or shards for ' +
    'writes. No engine setting makes a disk faster.',
  whenNot: 'Not during a backup, initial sync or index build.',
  check({
    'disk.name': name,
    'disk.busyRatio': busyRatio,
    'disk.queue': queue,
    'disk.readBytesPerSec': readBytesPerSec = null,
    'disk.writtenBytesPerSec': writtenBytesPerSec = null,
    'disk.readsPerSec': readsPerSec = null,
    'disk.writesPerSec': writesPerSec = null,
    ...latency
  }) {
    const rates = { readBytesPerSec, writtenBytesPerSec, readsPerSec, writesPerSec };
    const values = { name, busyRatio, queue, ...rates };
    if (busyRatio < BUSY_RATIO) return { status: 'ok', code: 'fine', values };
    return isSlow(latency)
      ? { status: 'warning', code: 'at-limit', values }
      : { status: 'info', code: 'busy-but-quick', values };
  },
  messages: {
    fine: (values) => `${use(values)}${rates(values)}.`,
    'busy-but-quick': (values) => `${use(values)}${rates(values)}. It still answers quickly.`,
    'at-limit': (values) => `${use(values)}${rates(values)}. It is at its limit.`,
  },
});

/**
 * Whether requests wait: an HDD, or a disk that is slow for each.
 * @param {Partial<Pick<HostValues, 'disk.readMs' | 'disk.writeMs' | 'disk.isRotational'>>} latency
 */
const isSlow = ({
  'disk.readMs': readMs = 0,
  'disk.writeMs': writeMs = 0,
  'disk.isRotational': isRotational = false,
}) => isRotational || Math.max(readMs, writeMs) > QUICK_MS;

/** @param {{ name: string, busyRatio: number, queue: number }} values */
const use = ({ name, busyRatio, queue }) =>
  `Disk ${name} is busy ${percent(busyRatio)} of the time, with ${count(queue)} requests in ` +
  'flight on average';

/**
 * Says what the disk reads and writes, where that is known.
 * @param {Record<'readBytesPerSec' | 'writtenBytesPerSec' | 'readsPerSec' | 'writesPerSec',
 *   number | null>} values
 */
const rates = ({ readBytesPerSec, writtenBytesPerSec, readsPerSec, writesPerSec }) =>
  readBytesPerSec === null || writtenBytesPerSec === null
    ? ''
    : `; ${bytes(readBytesPerSec)}/s read` +
      `${readsPerSec === null ? '' : ` (${count(readsPerSec)} requests/s)`}, ` +
      `${bytes(writtenBytesPerSec)}/s written` +
      `${writesPerSec === null ? '' : ` (${count(writesPerSec)} requests/s)`}`;
