'use strict';

const { KiB, MiB, bytes, duration } = require('../base/pure/units');
const { dirtyBytes, USUAL, FOR_SLOW } = require('../signals/writeback');

/**
 * @import { DiskSecond, HostFix, HostValues } from '../host/pure/host'
 * @import { HostJudgement } from './define-host-rule'
 */

/**
 * Whether the kernel's limits of its dirty page cache (vm.dirty_bytes, vm.dirty_background_bytes)
 * fit the disk: the judgement of the rule kernel-writeback on the host itself.
 */

// Below it the kernel stops writers all the time: files were written at a third of the rate with 4
// MiB, at a fifteenth with 1 MiB (docs/evidence/stalls.md).
const MIN_BYTES = 16 * MiB;
// The kernel's default of 10 and 20 % is harmless where memory is small. From here on a disk of 200
// MB/s needs 5 s and more to write what has accumulated (heuristic). Where the disk was seen at its
// limit its own rate counts.
const MANY_BYTES = 1024 * MiB;
const MANY_MS = 5000;
// As long as the kernel lets data lie by default: then one wave runs into the next (heuristic).
const ENDLESS_MS = 30_000;
const MS_PER_SECOND = 1000;
// Only then the disk wrote as fast as it can: busy, with many requests in line, large ones as the
// kernel makes them. One sync after another keeps a fast disk busy too, at a megabyte a second
// (heuristic).
const AT_LIMIT = { busyRatio: 0.9, queue: 8, writeBytes: 64 * KiB };

const THRESHOLD =
  `Where the disk was seen at its limit: information when it needs ${duration(MANY_MS)} and ` +
  `more for what may accumulate, warning when ${duration(ENDLESS_MS)}. Otherwise information ` +
  `from ${bytes(MANY_BYTES)} on. vm.dirty_bytes below ${bytes(MIN_BYTES)}: warning.`;

/** @typedef {Partial<HostValues> & Pick<HostValues, typeof NEEDS[number]>} Values */
const NEEDS = Object.freeze(
  /** @type {const} */ ([
    'writeback.backgroundBytes',
    'writeback.limitBytes',
    'writeback.dirtyBytes',
    'writeback.dirtyBackgroundBytes',
    'writeback.dirtyRatioPercent',
    'writeback.dirtyBackgroundRatioPercent',
  ]),
);
const WANTS = Object.freeze(
  /** @type {const} */ ([
    'disk.seconds',
    'writeback.dirtyPageBytesMax',
    'memory.limitBytes',
    'memory.availableBytes',
    'memory.cgroupVersion',
    'files.type',
  ]),
);

/**
 * Asked first: ZFS keeps its dirty data by itself.
 * @param {Partial<HostValues>} values
 * @returns {HostJudgement | null}
 */
const onZfs = ({ 'files.type': type }) =>
  type === 'zfs'
    ? {
        status: 'ok',
        say:
          'The files of dbPath are on zfs, which keeps what is unwritten by itself: ' +
          'vm.dirty_bytes does not reach it.',
      }
    : null;

/** @param {Values} values @returns {HostJudgement} */
function judgeDirtyLimits(values) {
  const [background, limit] = [
    values['writeback.backgroundBytes'],
    values['writeback.limitBytes'],
  ].map((all) => Math.round(all * shareOfGroup(values)));
  const rate = rateAtLimit(values['disk.seconds'] ?? []);
  const to = rate === null ? USUAL : dirtyBytes({ 'disk.writtenBytesPerSecMax': rate });
  const evidence = {
    'writeback.backgroundBytes': background,
    'writeback.limitBytes': limit,
    'writeback.dirtyPageBytesMax': values['writeback.dirtyPageBytesMax'] ?? null,
    diskBytesPerSec: rate,
  };
  const say =
    `The kernel starts to write at ${bytes(background)} of unwritten data, and stops writers ` +
    `at ${bytes(limit)}${timeOf(limit, rate)}`;
  const advice = `Let it start at ${bytes(to.background)} and stop writers at ${bytes(to.limit)}`;
  const fixes = fixesOf(values, to);
  if (isTooLittle(values))
    return {
      status: 'warning',
      say: `${say}: so little that it stops them all the time.`,
      evidence,
      advice: `${advice}.`,
      fixes,
    };
  if (limit <= to.limit || !isMany(limit, rate)) return { status: 'ok', say: `${say}.`, evidence };
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
}

/**
 * Both limits as settings, each with its way back.
 * @param {Values} values
 * @param {{ background: number, limit: number }} to bytes
 * @returns {HostFix[]}
 */
const fixesOf = (values, { background, limit }) => [
  fix(
    'dirty_background',
    background,
    values['writeback.dirtyBackgroundBytes'],
    values['writeback.dirtyBackgroundRatioPercent'],
  ),
  fix('dirty', limit, values['writeback.dirtyBytes'], values['writeback.dirtyRatioPercent']),
];

/**
 * By the setting itself, which holds for all groups together.
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
    ({ busyRatio, queue, writesPerSec, writtenBytesPerSec }) =>
      busyRatio >= AT_LIMIT.busyRatio &&
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
const isMany = (limit, rate) =>
  rate === null ? limit >= MANY_BYTES : msFor(limit, rate) >= MANY_MS;

/** @param {number} limit @param {number | null} rate */
const timeOf = (limit, rate) =>
  rate === null
    ? ''
    : `, for which this disk needs ${duration(msFor(limit, rate))} (at its limit it moves ` +
      `${bytes(rate)}/s)`;

/**
 * Only one of bytes and ratio is effective: writing one sets the other to 0, so the way back writes
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

module.exports = { NEEDS, WANTS, THRESHOLD, onZfs, judgeDirtyLimits };
