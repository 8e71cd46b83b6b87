'use strict';

const { bytes, count, duration, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
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
  id: 'disk-saturation',
  area: 'host',
  alongside: ['disk'],
  title: 'Whether the disk under dbPath is the limit',
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
  threshold:
    `Busy for ${whole(BUSY_RATIO)} of the time: warning when it turns or a request takes more ` +
    `than ${duration(QUICK_MS)} on average, otherwise information.`,
  source:
    'keyhole (90 %); iostat(1): for devices that serve requests in parallel the figure does ' +
    'not show their limit',
  advice:
    'Give it less to do, or more to do it with: a larger cache where reads fill it, a faster ' +
    'disk or shards where writes do. Nothing of the engine makes a disk faster.',
  whenNot: 'While a backup, an initial sync or an index build runs.',
  check({ 'disk.name': name, 'disk.busyRatio': busy, 'disk.queue': queue, ...known }) {
    const evidence = { 'disk.name': name, 'disk.busyRatio': busy, 'disk.queue': queue };
    const say =
      `Disk ${name} is busy for ${percent(busy)} of the time, with ${count(queue)} requests ` +
      `under way on average${rates(known)}`;
    if (busy < BUSY_RATIO) return { status: 'ok', say: `${say}.`, evidence };
    if (
      known['disk.isRotational'] ||
      Math.max(known['disk.readMs'] ?? 0, known['disk.writeMs'] ?? 0) > QUICK_MS
    )
      return { status: 'warning', say: `${say}: it is the limit.`, evidence };
    return { status: 'info', say: `${say}; it still answers quickly.`, evidence };
  },
});

/** @param {Partial<HostValues>} known @returns {string} */
function rates({
  'disk.readBytesPerSec': read,
  'disk.writtenBytesPerSec': written,
  'disk.readsPerSec': reads,
  'disk.writesPerSec': writes,
}) {
  if (read === undefined || written === undefined) return '';
  return (
    `; ${bytes(read)}/s read${reads === undefined ? '' : ` in ${count(reads)} requests`}, ` +
    `${bytes(written)}/s written${writes === undefined ? '' : ` in ${count(writes)}`}`
  );
}
