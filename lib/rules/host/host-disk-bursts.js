'use strict';

const { MiB, bytes, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { many, whole } = require('../../signals/words');

// OPPO saw 500 MB/s and then none at all.
const STILL_RATIO = 0.01;
// The rest of a second in which it stopped or went on.
const BUSY_RATIO = 0.95;
// Below it nothing was written that one would call a burst; heuristic.
const MIN_BURST_BYTES = 20 * MiB;
// A single second may be one flush of the disk's own cache; heuristic.
const MIN_SECONDS = 2;

module.exports = defineHostRule({
  id: 'host-disk-bursts',
  title: 'Disk that stalls after write bursts',
  why:
    'A disk, its driver or its controller that first takes all it is given and then, busy all ' +
    'the time, lets nothing through for seconds makes every sync wait. No mean shows it.',
  needs: ['disk.name', 'disk.seconds'],
  wants: ['kernel.release', 'disk.model'],
  threshold:
    `After a second with at least ${bytes(MIN_BURST_BYTES)} there are seconds in which the ` +
    `disk is busy for ${whole(BUSY_RATIO)} and moves less than ${whole(STILL_RATIO)} of that: ` +
    `${MIN_SECONDS} of them a warning, one an information.`,
  source:
    'OPPO (500 MB/s, then 100% busy with nothing written, on NVMe disks made for 2 GB/s: ' +
    'the cause was the kernel); the figures are ours',
  advice:
    'Look for a newer kernel and firmware, and for the credits of a cloud disk. Until then ' +
    'write more evenly: lower vm.dirty_background_bytes and vm.dirty_bytes, a smaller cache.',
  whenNot: 'A few samples see it only when it comes often. No setting of the engine cures it.',
  check({
    'disk.name': name,
    'disk.seconds': samples,
    'kernel.release': kernel = null,
    'disk.model': model = null,
  }) {
    const moved = samples.map(
      ({ writtenBytesPerSec, readBytesPerSec }) => writtenBytesPerSec + readBytesPerSec,
    );
    const written = samples.map(({ writtenBytesPerSec }) => writtenBytesPerSec);
    const stillSeconds = samples.filter(({ busyRatio }, i) => {
      const peak = Math.max(0, ...written.slice(0, i));
      return peak >= MIN_BURST_BYTES && busyRatio >= BUSY_RATIO && moved[i] < STILL_RATIO * peak;
    }).length;
    const seconds = samples.length;
    const peakBytesPerSec = Math.max(0, ...written);
    const evidence = { 'disk.name': name, seconds, stillSeconds, peakBytesPerSec };
    const values = { name, model, kernel, seconds, stillSeconds, peakBytesPerSec };
    if (stillSeconds === 0) return { status: 'ok', code: 'steady', values, evidence };
    return stillSeconds >= MIN_SECONDS
      ? { status: 'warning', code: 'stalled', values, evidence }
      : { status: 'info', code: 'stalled', values, evidence };
  },
  messages: {
    steady: ({ name, seconds, peakBytesPerSec }) =>
      `In ${many(seconds, 'second')} disk ${name} wrote ${bytes(peakBytesPerSec)}/s at most ` +
      'and never stalled while busy.',
    stalled: ({ name, model, kernel, seconds, stillSeconds, peakBytesPerSec }) => {
      const what = [model, kernel === null ? null : `kernel ${kernel}`]
        .filter((one) => one !== null)
        .join(', ');
      return (
        `Disk ${name}${what === '' ? '' : ` (${what})`} wrote ${bytes(peakBytesPerSec)}/s, and ` +
        `then stalled for ${many(stillSeconds, 'second')} of ${seconds} ` +
        `(${percent(stillSeconds / seconds)}) while busy.`
      );
    },
  },
});
