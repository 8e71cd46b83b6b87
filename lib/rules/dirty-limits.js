'use strict';

const { KiB, MiB, MS_PER_SECOND, bytes, duration } = require('../base/pure/units');
const { dirtyBytes, USUAL, FOR_SLOW } = require('../signals/stalls');

/**
 * @import { DiskSecond, HostValues } from '../host/pure/host'
 * @import { HostFix } from '../base/types'
 * @import { Judgement } from './rule'
 */

/**
 * Judges whether the kernel's limits of its dirty page cache (vm.dirty_bytes,
 * vm.dirty_background_bytes) fit the disk, for the rule kernel-writeback on the host itself.
 */

// Below it the kernel stops writers all the time: files were written at a third of the rate with 4
// MiB, at a fifteenth with 1 MiB (docs/evidence/stalls.md).
const MIN_BYTES = 16 * MiB;
// The kernel's default of 10 and 20% is harmless where memory is small. From here on a disk of 200
// MB/s needs 5 s and more to write what has accumulated (heuristic). Where the disk was seen at its
// limit its own rate counts.
const MANY_BYTES = 1024 * MiB;
const MANY_MS = 5000;
// The kernel lets data wait this long by default: then one wave runs into the next (heuristic).
const ENDLESS_MS = 30_000;
// Only then the disk wrote as fast as it can: busy, with many requests in line, large ones as the
// kernel makes them. One sync after another keeps a fast disk busy too, at a megabyte a second
// (heuristic).
const AT_LIMIT = { busyRatio: 0.9, queue: 8, writeBytes: 64 * KiB };

const THRESHOLD =
  `vm.dirty_bytes below ${bytes(MIN_BYTES)}: warning. Disk seen at its limit: information if it ` +
  `needs ${duration(MANY_MS)} to write the allowed dirty page cache, warning from ` +
  `${duration(ENDLESS_MS)}. Disk not seen at its limit: information from ${bytes(MANY_BYTES)}.`;

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
 * @typedef {{
 *   type: string | null, backgroundBytes: number, limitBytes: number,
 *   diskBytesPerSec: number | null, toBackgroundBytes: number, toLimitBytes: number
 * }} Limits `diskBytesPerSec`: null where the disk was never seen at its limit
 * @typedef {'not-reached' | 'fine' | 'too-little' | 'waves'} Code
 */

/**
 * Passes ZFS first, which keeps its dirty data by itself.
 * @param {Partial<HostValues>} values
 * @returns {Judgement<Code, Partial<Limits>> | null}
 */
const onZfs = ({ 'files.type': type }) =>
  type === 'zfs' ? { status: 'ok', code: 'not-reached', values: { type } } : null;

/** @param {Values} host @returns {Judgement<Code, Limits>} */
function judgeDirtyLimits(host) {
  const [backgroundBytes, limitBytes] = [
    host['writeback.backgroundBytes'],
    host['writeback.limitBytes'],
  ].map((all) => Math.round(all * shareOfGroup(host)));
  const rate = rateAtLimit(host['disk.seconds'] ?? []);
  const to = rate === null ? USUAL : dirtyBytes({ 'disk.writtenBytesPerSecMax': rate });
  const evidence = {
    'writeback.backgroundBytes': backgroundBytes,
    'writeback.limitBytes': limitBytes,
    'writeback.dirtyPageBytesMax': host['writeback.dirtyPageBytesMax'] ?? null,
    diskBytesPerSec: rate,
  };
  const values = {
    type: host['files.type'] ?? null,
    backgroundBytes,
    limitBytes,
    diskBytesPerSec: rate,
    toBackgroundBytes: to.background,
    toLimitBytes: to.limit,
  };
  const fixes = fixesOf(host, to);
  if (isTooLittle(host)) return { status: 'warning', code: 'too-little', values, evidence, fixes };
  if (limitBytes <= to.limit || !isMany(limitBytes, rate))
    return { status: 'ok', code: 'fine', values, evidence };
  const isEndless = rate !== null && msFor(limitBytes, rate) >= ENDLESS_MS;
  return { status: isEndless ? 'warning' : 'info', code: 'waves', values, evidence, fixes };
}

/** @type {Readonly<Record<Code, (values: Limits) => string>>} */
const MESSAGES = Object.freeze({
  'not-reached': ({ type }) =>
    `Not applicable: dbPath is on ${type}, which has its own dirty data limits.`,
  fine: (values) => `${limits(values)}.`,
  'too-little': (values) => `${limits(values)}: so little that writers are blocked constantly.`,
  waves: (values) => `${limits(values)}. Writes come in bursts, and syncs wait for them.`,
});
const ADVICE_FOR = Object.freeze({
  'too-little': (/** @type {Limits} */ values) => `${better(values)}.`,
  waves: (/** @type {Limits} */ values) =>
    `${better(values)}. On a 25 MB/s disk, stalls fell from 4 to 6 s to 1 to 2 s with ` +
    `${bytes(USUAL.background)} and ${bytes(USUAL.limit)}, and to 1 s with ` +
    `${bytes(FOR_SLOW.background)} and ${bytes(FOR_SLOW.limit)}.`,
});

/** Both limits as they are. @param {Limits} values */
const limits = ({ backgroundBytes, limitBytes, diskBytesPerSec }) =>
  `The kernel starts writeback at ${bytes(backgroundBytes)} of dirty page cache and blocks ` +
  `writers at ${bytes(limitBytes)}${timeOf(limitBytes, diskBytesPerSec)}`;

/** Both limits as they should be. @param {Limits} values */
const better = ({ toBackgroundBytes, toLimitBytes }) =>
  `Start writeback at ${bytes(toBackgroundBytes)} and block writers at ${bytes(toLimitBytes)}`;

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
 * Judges the setting itself, which applies to all groups together.
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
    : `, which this disk needs ${duration(msFor(limit, rate))} to write (at most ` +
      `${bytes(rate)}/s)`;

/**
 * Makes the fix with its way back. Only one of bytes and ratio is active: writing one sets the
 * other to 0, so the way back writes the one that was active.
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

module.exports = { NEEDS, WANTS, THRESHOLD, onZfs, judgeDirtyLimits, MESSAGES, ADVICE_FOR };
