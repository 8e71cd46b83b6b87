'use strict';

const { bytes, count, duration, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { whole } = require('../../signals/words');

/**
 * @import { HostValues } from '../../host/pure/host'
 */

// keyhole's mark.
const BUSY_RATIO = 0.9;
// As in device-latency: a disk that works on many requests at once may be busy all the time and still
// answer quickly.
const QUICK_MS = 10;

module.exports = defineHostRule({
  id: 'host-disk-saturation',
  alongside: ['disk'],
  title: 'Disk under dbPath at its limit',
  why:
    'A disk that is busy all the time and lets requests wait has no more to give: more ' +
    'threads, a larger queue or another setting of the engine then only move the wait.',
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
    `Busy for ${whole(BUSY_RATIO)} of the time: warning when it turns or a request takes more ` +
    `than ${duration(QUICK_MS)} on average, otherwise information.`,
  source:
    'keyhole (90%); iostat(1): for devices that serve requests in parallel the figure does ' +
    'not show their limit',
  advice:
    'Give it less to do, or more to do it with: a larger cache where reads fill it, a faster ' +
    'disk or shards where writes do. Nothing of the engine makes a disk faster.',
  whenNot: 'While a backup, an initial sync or an index build runs.',
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
    'busy-but-quick': (values) => `${use(values)}${rates(values)}; it still answers quickly.`,
    'at-limit': (values) => `${use(values)}${rates(values)}: it is the limit.`,
  },
});

/**
 * Whether requests wait: a disk that turns, or one that takes its time for each.
 * @param {Partial<Pick<HostValues, 'disk.readMs' | 'disk.writeMs' | 'disk.isRotational'>>} latency
 */
const isSlow = ({
  'disk.readMs': readMs = 0,
  'disk.writeMs': writeMs = 0,
  'disk.isRotational': isRotational = false,
}) => isRotational || Math.max(readMs, writeMs) > QUICK_MS;

/** How busy the disk is. @param {{ name: string, busyRatio: number, queue: number }} values */
const use = ({ name, busyRatio, queue }) =>
  `Disk ${name} is busy for ${percent(busyRatio)} of the time, with ${count(queue)} requests ` +
  'under way on average';

/**
 * What it reads and writes, where that is known.
 * @param {Record<'readBytesPerSec' | 'writtenBytesPerSec' | 'readsPerSec' | 'writesPerSec',
 *   number | null>} values
 */
const rates = ({ readBytesPerSec, writtenBytesPerSec, readsPerSec, writesPerSec }) =>
  readBytesPerSec === null || writtenBytesPerSec === null
    ? ''
    : `; ${bytes(readBytesPerSec)}/s read` +
      `${readsPerSec === null ? '' : ` in ${count(readsPerSec)} requests`}, ` +
      `${bytes(writtenBytesPerSec)}/s written` +
      `${writesPerSec === null ? '' : ` in ${count(writesPerSec)}`}`;
