'use strict';

const { MiB, bytes, percent, many, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { sources, OPPO } = require('../sources');

// A published cluster saw 500 MB/s and then none at all.
const STILL_RATIO = 0.01;
// The rest of a second in which it stopped or went on.
const BUSY_RATIO = 0.95;
// A smaller write is no burst; heuristic.
const MIN_BURST_BYTES = 20 * MiB;
// A single second may be one flush of the disk's own cache; heuristic.
const MIN_SECONDS = 2;

module.exports = defineHostRule({
  id: 'host-disk-bursts',
  title: 'Disk that stalls after write bursts',
  why:
    'Some disks, drivers or controllers accept a burst of writes, then stay busy for seconds ' +
    'without completing any. Every sync waits meanwhile. No mean shows it.',
  needs: ['disk.name', 'disk.seconds'],
  wants: ['kernel.release', 'disk.model'],
  threshold:
    `After a second with ${bytes(MIN_BURST_BYTES)} or more written, the disk is busy ` +
    `${shortPercent(BUSY_RATIO)} but moves less than ${shortPercent(STILL_RATIO)} of that. Information: one ` +
    `such second. Warning: ${MIN_SECONDS}.`,
  source: sources(
    OPPO + ': 500 MB/s, then 100% busy with nothing written, because of an old kernel',
    'the figures are heuristics',
  ),
  advice:
    'Check for a newer kernel and firmware, and the burst credits of a cloud disk. Until then ' +
    'spread writes: lower vm.dirty_background_bytes and vm.dirty_bytes, or make the cache ' +
    'smaller.',
  whenNot: 'A few samples show it only if it is frequent. No engine setting fixes it.',
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
    if (seconds === 0) return { status: 'unknown', code: 'not-sampled', values, evidence };
    if (stillSeconds === 0) return { status: 'ok', code: 'steady', values, evidence };
    return stillSeconds >= MIN_SECONDS
      ? { status: 'warning', code: 'stalled', values, evidence }
      : { status: 'info', code: 'stalled', values, evidence };
  },
  messages: {
    'not-sampled': ({ name }) => `Not known: disk ${name} was not sampled.`,
    steady: ({ name, seconds, peakBytesPerSec }) =>
      `Disk ${name} wrote up to ${bytes(peakBytesPerSec)}/s in ${many(seconds, 'second')}, ` +
      'without a stall.',
    stalled: ({ name, model, kernel, seconds, stillSeconds, peakBytesPerSec }) => {
      const what = [model, kernel === null ? null : `kernel ${kernel}`]
        .filter((text) => text !== null)
        .join(', ');
      return (
        `Disk ${name}${what === '' ? '' : ` (${what})`} wrote up to ${bytes(peakBytesPerSec)}/s, ` +
        `then stalled for ${stillSeconds} of ${many(seconds, 'second')} ` +
        `(${percent(stillSeconds / seconds)}) while busy.`
      );
    },
  },
});
