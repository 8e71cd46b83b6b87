'use strict';

const { KiB, MiB, bytes, duration, MS_PER_SECOND } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { dirtyBytes, USUAL, FOR_SLOW } = require('../../signals/writeback');

/**
 * @import { DiskSecond, HostFix, HostValues } from '../../host/pure/host'
 */

// Below it the kernel stops writers all the time: files were written at a third of the rate with 4
// MiB, at a fifteenth with 1 MiB (docs/evidence/stalls.md).
const MIN_BYTES = 16 * MiB;
// The kernel's default of 10 and 20 % is harmless where memory is small. From here on a disk of 200
// MB/s needs 5 s and more to write what has piled up; ours. Where the disk was seen at its limit
// its own rate counts.
const PILE_BYTES = 1024 * MiB;
const PILE_MS = 5000;
// As long as the kernel lets data lie by default: then one wave runs into the next; ours.
const ENDLESS_MS = 30_000;
// Only then it wrote as fast as it can: busy, with many requests in line, large ones as the kernel
// makes them. One sync after another keeps a fast disk busy too, at a megabyte a second; ours.
const AT_LIMIT = { busyRatio: 0.9, queue: 8, writeBytes: 64 * KiB };

module.exports = defineHostRule({
  id: 'dirty-writeback',
  area: 'host',
  alongside: ['disk', 'checkpoint'],
  title: 'How much unwritten data the kernel lets pile up',
  why:
    'What mongod writes goes to the page cache first. The kernel starts to write it at one ' +
    'limit and stops every writer at a second one; by default both are a share of memory, so ' +
    'that on a large host gigabytes pile up, and are then written in one wave in which journal ' +
    'syncs and checkpoints wait. The slower the disk, the longer.',
  needs: [
    'writeback.backgroundBytes',
    'writeback.limitBytes',
    'writeback.dirtyBytes',
    'writeback.dirtyBackgroundBytes',
    'writeback.dirtyRatioPercent',
    'writeback.dirtyBackgroundRatioPercent',
  ],
  wants: [
    'disk.seconds',
    'writeback.unwrittenBytesMax',
    'memory.limitBytes',
    'memory.availableBytes',
    'memory.cgroupVersion',
    'files.type',
  ],
  threshold:
    `Where the disk was seen at its limit: information when it needs ${duration(PILE_MS)} and ` +
    `more for what may pile up, warning when ${duration(ENDLESS_MS)}. Otherwise information ` +
    `from ${bytes(PILE_BYTES)} on. vm.dirty_bytes below ${bytes(MIN_BYTES)}: warning.`,
  source:
    'IBM-Z step 2 (5 % more throughput, 22 % less p95 update latency); ' +
    'docs/evidence/stalls.md; kernel documentation, admin-guide/sysctl/vm.rst, ' +
    'admin-guide/cgroup-v2.rst (a group has its share of the limits)',
  advice:
    `Let the kernel start writing at ${bytes(USUAL.background)} and stop writers at ` +
    `${bytes(USUAL.limit)}; on a slow disk at less, down to ${bytes(FOR_SLOW.background)} and ` +
    `${bytes(FOR_SLOW.limit)}.`,
  whenNot:
    'On a host that mostly does something else with large sequential writes, and where no ' +
    'stalls are seen. A very fast disk gains little. Reads are not affected, nor is ZFS ' +
    '(zfs_dirty_data_max).',
  aside: ({ 'files.type': type }) =>
    type === 'zfs'
      ? {
          status: 'ok',
          say:
            'The files of dbPath are on zfs, which keeps what is unwritten by itself: ' +
            'vm.dirty_bytes does not reach it.',
        }
      : null,
  check(values) {
    const { 'disk.seconds': seconds = [], 'writeback.unwrittenBytesMax': unwritten = null } =
      values;
    const [background, limit] = [
      values['writeback.backgroundBytes'],
      values['writeback.limitBytes'],
    ].map((all) => Math.round(all * shareOfGroup(values)));
    const rate = rateAtLimit(seconds);
    const to = rate === null ? USUAL : dirtyBytes({ 'disk.writtenBytesPerSecMax': rate });
    const evidence = {
      'writeback.backgroundBytes': background,
      'writeback.limitBytes': limit,
      'writeback.unwrittenBytesMax': unwritten,
      diskBytesPerSec: rate,
    };
    const fixes = [
      fix(
        'dirty_background',
        to.background,
        values['writeback.dirtyBackgroundBytes'],
        values['writeback.dirtyBackgroundRatioPercent'],
      ),
      fix('dirty', to.limit, values['writeback.dirtyBytes'], values['writeback.dirtyRatioPercent']),
    ];
    const say =
      `The kernel starts to write at ${bytes(background)} of unwritten data, and stops writers ` +
      `at ${bytes(limit)}${timeOf(limit, rate)}`;
    const advice = `Let it start at ${bytes(to.background)} and stop writers at ${bytes(to.limit)}`;
    if (isTooLittle(values))
      return {
        status: 'warning',
        say: `${say}: so little that it stops them all the time.`,
        evidence,
        advice: `${advice}.`,
        fixes,
      };
    if (limit <= to.limit || !isPile(limit, rate))
      return { status: 'ok', say: `${say}.`, evidence };
    return {
      status: rate !== null && msFor(limit, rate) >= ENDLESS_MS ? 'warning' : 'info',
      say: `${say}: enough for waves in which syncs wait.`,
      evidence,
      advice:
        `${advice}. On a disk of 25 MB/s standstills of 4 to 6 s became ones of 1 to 2 s with ` +
        `${bytes(USUAL.background)} and ${bytes(USUAL.limit)}, of 1 s with ` +
        `${bytes(FOR_SLOW.background)} and ${bytes(FOR_SLOW.limit)}.`,
      fixes,
    };
  },
});

/**
 * As it was set, for all groups together.
 * @param {Partial<HostValues>} values
 */
const isTooLittle = ({ 'writeback.dirtyBytes': set = 0 }) => set > 0 && set < MIN_BYTES;

/**
 * A control group of version 2 has its share of both limits, by its memory
 * (admin-guide/cgroup-v2.rst, Writeback).
 * @param {Partial<HostValues>} values
 * @returns {number} 0 to 1
 */
function shareOfGroup({
  'memory.limitBytes': limit,
  'memory.availableBytes': available,
  'memory.cgroupVersion': version,
}) {
  return version === 2 && limit !== undefined && available !== undefined
    ? Math.min(1, limit / available)
    : 1;
}

/**
 * @param {readonly DiskSecond[]} seconds
 * @returns {number | null} bytes a second; null: the disk was never seen at its limit
 */
function rateAtLimit(seconds) {
  const full = seconds.filter(
    ({ utilisationRatio, queue, writesPerSec, writtenBytesPerSec }) =>
      utilisationRatio >= AT_LIMIT.busyRatio &&
      queue >= AT_LIMIT.queue &&
      writesPerSec > 0 &&
      writtenBytesPerSec / writesPerSec >= AT_LIMIT.writeBytes,
  );
  return full.length === 0
    ? null
    : Math.max(
        ...full.map(
          ({ writtenBytesPerSec, readBytesPerSec }) => writtenBytesPerSec + readBytesPerSec,
        ),
      );
}

/** @param {number} limit @param {number} rate bytes a second */
const msFor = (limit, rate) => (limit / rate) * MS_PER_SECOND;

/** @param {number} limit @param {number | null} rate */
const isPile = (limit, rate) =>
  rate === null ? limit >= PILE_BYTES : msFor(limit, rate) >= PILE_MS;

/** @param {number} limit @param {number | null} rate */
const timeOf = (limit, rate) =>
  rate === null
    ? ''
    : `, for which this disk needs ${duration(msFor(limit, rate))} (at its limit it moves ` +
      `${bytes(rate)}/s)`;

/**
 * Only one of bytes and ratio is in force: writing one sets the other to 0, so the way back writes
 * the one that was.
 * @param {'dirty' | 'dirty_background'} which
 * @param {number} to
 * @param {number} oldBytes
 * @param {number} oldPercent
 * @returns {HostFix}
 */
function fix(which, to, oldBytes, oldPercent) {
  const back =
    oldBytes > 0
      ? { target: `vm.${which}_bytes`, to: `${oldBytes}` }
      : { target: `vm.${which}_ratio`, to: `${oldPercent}` };
  return {
    set: { kind: 'sysctl', target: `vm.${which}_bytes`, to: `${to}` },
    back: { kind: 'sysctl', ...back },
  };
}
