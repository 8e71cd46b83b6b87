'use strict';

const { MiB, bytes, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { many, whole } = require('../../signals/words');

// OPPO saw 500 MB/s and then none at all.
const STILL_RATIO = 0.01;
// The rest of a second in which it stopped or went on.
const BUSY_RATIO = 0.95;
// Below it nothing was written that one would call a burst; ours.
const MIN_BURST_BYTES = 20 * MiB;
// A single second may be one flush of the disk's own cache; ours.
const MIN_SECONDS = 2;

module.exports = defineHostRule({
  id: 'disk-bursts',
  area: 'host',
  title: 'A disk that takes a burst and then stands still',
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
    'OPPO (500 MB/s, then 100 % busy with nothing written, on NVMe disks made for 2 GB/s: ' +
    'the cause was the kernel); the figures are ours',
  advice:
    'Look for a newer kernel and firmware, and for the credits of a cloud disk. Until then ' +
    'write more evenly: lower vm.dirty_background_bytes and vm.dirty_bytes, a smaller cache.',
  whenNot: 'A few samples see it only when it comes often. No setting of the engine cures it.',
  check({
    'disk.name': name,
    'disk.seconds': seconds,
    'kernel.release': release,
    'disk.model': model,
  }) {
    const moved = seconds.map(
      ({ writtenBytesPerSec, readBytesPerSec }) => writtenBytesPerSec + readBytesPerSec,
    );
    const peaks = seconds.map((_, i) =>
      Math.max(0, ...seconds.slice(0, i).map(({ writtenBytesPerSec }) => writtenBytesPerSec)),
    );
    const still = seconds.filter(
      ({ busyRatio }, i) =>
        peaks[i] >= MIN_BURST_BYTES && busyRatio >= BUSY_RATIO && moved[i] < STILL_RATIO * peaks[i],
    ).length;
    const peak = Math.max(0, ...seconds.map(({ writtenBytesPerSec }) => writtenBytesPerSec));
    const evidence = {
      'disk.name': name,
      seconds: seconds.length,
      stillSeconds: still,
      peakBytesPerSec: peak,
    };
    if (still === 0)
      return {
        status: 'ok',
        say:
          `In ${many(seconds.length, 'second')} disk ${name} wrote ${bytes(peak)}/s at most ` +
          'and never stood still while busy.',
        evidence,
      };
    const what = [model, release === undefined ? undefined : `kernel ${release}`]
      .filter((one) => one !== undefined)
      .join(', ');
    return {
      status: still >= MIN_SECONDS ? 'warning' : 'info',
      evidence,
      say:
        `Disk ${name}${what === '' ? '' : ` (${what})`} wrote ${bytes(peak)}/s, and then stood ` +
        `still for ${many(still, 'second')} of ${seconds.length} ` +
        `(${percent(still / seconds.length)}) while busy.`,
    };
  },
});
