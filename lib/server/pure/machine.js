'use strict';

const { growth, perSecond } = require('./growth');
const { delta, rate, first, last, mean, median, max } = require('./window');
const { ofDisk, disksIn } = require('./system-counters');
const { ratio, sum, difference } = require('./metric-kit');
const { MS_PER_SECOND, MICROS_PER_SECOND, MiB } = require('../../base/pure/units');
const { intervalsOf, stallIntervalsIn } = require('./stalls');

/**
 * @import { Read } from './metric-kit'
 * @import { DiskCounter, SystemCounter } from './system-counters'
 * @import { Window } from './window'
 * @import { Facts } from './types'
 */

/**
 * Metrics of the machine from the server's own diagnostic data, over a window. Rates go by the clock
 * of mongod's samples; where it does not advance nothing is known. CPUs are those of the whole
 * machine, also where the server runs in a container.
 */

/** @type {Read} seconds between mongod's first and last sample of the machine */
const machineSeconds = (w) =>
  ratio(difference(last(w, 'diagnostics.atMs'), first(w, 'diagnostics.atMs')), MS_PER_SECOND);

/** @param {SystemCounter} name @returns {Read} growth per second of mongod's own samples */
const perMachineSec = (name) => (w, f) => ratio(delta(w, name), machineSeconds(w, f));

/**
 * @param {SystemCounter} micros
 * @returns {Read} share of the time in which at least one task waited
 */
const pressureShare = (micros) => (w, f) => ratio(perMachineSec(micros)(w, f), MICROS_PER_SECOND);

const BUSY_CPU = /** @type {const} */ (['cpu.userMs', 'cpu.systemMs', 'cpu.stealMs']);
const SPARE_CPU = /** @type {const} */ (['cpu.idleMs', 'cpu.iowaitMs']);

/** @param {Window} w all CPUs together, in their own milliseconds: no clock is needed */
function cpuMs(w) {
  const [busy, spare] = [BUSY_CPU, SPARE_CPU].map((names) =>
    sum(...names.map((name) => delta(w, name))),
  );
  return { busy, all: delta(w, 'cpu.idleMs') === undefined ? undefined : sum(busy, spare) };
}

/** @param {SystemCounter} name @returns {Read} of the time of all CPUs */
const ofCpus = (name) => (w) => ratio(delta(w, name), cpuMs(w).all);

/**
 * Finds the disk that was busy longest: in a sum the system's disk would hide it. Where the disks
 * of dbPath are known it is one of them.
 * @param {Window} w
 * @param {Facts} facts
 * @returns {string | undefined}
 */
function busiestDisk(w, { disks }) {
  const sample = w.samples.findLast(({ counters }) => counters['diagnostics.atMs'] !== undefined);
  const all = disksIn(sample?.counters ?? {});
  const ofData = all.filter((name) => disks?.includes(name));
  const [disk] = (ofData.length > 0 ? ofData : all)
    .map((name) => ({ name, busyMs: delta(w, ofDisk('disk.busyMs', name)) ?? -1 }))
    .toSorted((a, b) => b.busyMs - a.busyMs);
  return disk?.name;
}

/**
 * @param {(w: Window, grown: (name: DiskCounter) => number | undefined, seconds: number | undefined)
 *   => number | undefined} how
 * @returns {Read} of the busiest disk
 */
const ofBusiest = (how) => (w, f) => {
  const disk = busiestDisk(w, f);
  return disk === undefined
    ? undefined
    : how(w, (name) => delta(w, ofDisk(name, disk)), machineSeconds(w, f) ?? undefined);
};

/** @param {DiskCounter} name @returns {Read} */
const perDiskSec = (name) => ofBusiest((_, grown, seconds) => ratio(grown(name), seconds));
/** Busy milliseconds per millisecond. @param {DiskCounter} name @returns {Read} */
const ofTime = (name) => (w, f) => ratio(perDiskSec(name)(w, f), MS_PER_SECOND);
/** @param {DiskCounter} ms @param {DiskCounter} number @returns {Read} */
const msOfOne = (ms, number) => ofBusiest((_, grown) => ratio(grown(ms), grown(number)));

/**
 * Computes rates of the busiest disk, between mongod's own samples.
 * @param {Window} w
 * @param {Facts} f
 * @param {readonly DiskCounter[]} names their sum is taken
 * @returns {number[]} growth per second
 */
function diskRates(w, f, names) {
  const disk = busiestDisk(w, f);
  if (disk === undefined) return [];
  const observed = w.samples.map(({ counters }) => ({
    atMs: counters['diagnostics.atMs'] ?? NaN,
    value: names.reduce((total, name) => total + (counters[ofDisk(name, disk)] ?? NaN), 0),
  }));
  return observed
    .slice(1)
    .flatMap(
      ({ atMs, value }, i) =>
        perSecond(growth(observed[i].value, value), (atMs - observed[i].atMs) / MS_PER_SECOND) ??
        [],
    );
}

/** The most that was written in one second or interval. @type {Read} */
function writtenPerSecMax(w, f) {
  const written = diskRates(w, f, ['disk.writtenBytes']);
  return written.length === 0 ? undefined : Math.max(...written);
}

/** @param {Window} w how many CPUs mongod keeps busy */
const ownCores = (w) =>
  ratio(sum(rate(w, 'process.userMicros'), rate(w, 'process.systemMicros')), MICROS_PER_SECOND);

const MACHINE_METRICS = Object.freeze(
  /** @satisfies {Record<string, Read>} */ ({
    'diagnostics.seconds': machineSeconds,
    'cpu.busyRatio': (w) => ratio(cpuMs(w).busy, cpuMs(w).all),
    'cpu.iowaitRatio': ofCpus('cpu.iowaitMs'),
    'cpu.stealRatio': ofCpus('cpu.stealMs'),
    'cpu.blockedTasks': (w) => mean(w, 'cpu.blockedTasks'),
    'pressure.cpuShare': pressureShare('pressure.cpuMicros'),
    'pressure.ioShare': pressureShare('pressure.ioMicros'),
    'memory.totalBytes': (w) => last(w, 'memory.totalBytes'),
    'memory.availableBytes': (w) => median(w, 'memory.availableBytes'),
    'writeback.dirtyPageBytesMax': (w) => max(w, 'writeback.dirtyPageBytes'),
    'memory.majorFaultsPerSec': perMachineSec('memory.majorFaults'),
    'memory.swapInPagesPerSec': perMachineSec('memory.swappedInPages'),
    // Where mongod may use the time of fewer CPUs than it may run on: its share of that time.
    // Where it may not run on all CPUs: its share of all.
    'process.allowedRatio': (w, f) => ratio(ownCores(w), f.coresAllowed),
    'process.machineRatio': (w, f) => ratio(ownCores(w), f.machineCores),
    'writeback.limitBytes': (_, f) => f.dirtyLimitBytes,
    // 1: the disk that the metrics are of is known to hold dbPath.
    'disk.isOfData': (w, f) => {
      const disk = busiestDisk(w, f);
      return disk !== undefined && f.disks?.includes(disk) ? 1 : undefined;
    },
    'disk.busyRatio': (w, f) => {
      const share = ofTime('disk.busyMs')(w, f);
      return share === undefined || share === null ? undefined : Math.min(1, share);
    },
    'disk.queue': ofTime('disk.queuedMs'),
    'disk.readMs': msOfOne('disk.readMs', 'disk.reads'),
    'disk.writeMs': msOfOne('disk.writeMs', 'disk.writes'),
    'disk.readsPerSec': perDiskSec('disk.reads'),
    'disk.writesPerSec': perDiskSec('disk.writes'),
    'disk.readBytesPerSec': perDiskSec('disk.readBytes'),
    'disk.writtenBytesPerSec': perDiskSec('disk.writtenBytes'),
    'disk.writtenBytesPerSecMax': writtenPerSecMax,
  }),
);

/**
 * Finds stalls in which the kernel wrote back: the dirty page cache shrinks while no operation
 * completes. The machine is sampled once a second by another clock than the operations, so the
 * samples before and after a stall belong to it.
 */

const SLACK_MS = 1500;
/**
 * In observed stalls nearly all of it was written (180 to 5 MB); a third comes and goes at any
 * time.
 */
const FALLEN_RATIO = 0.5;
/** A few megabytes hold up no operation, nor does what the disk writes in this time (heuristic). */
const MIN_BYTES = 8 * MiB;
const MIN_WRITE_SECONDS = 0.5;
/** Share of the stall in which the disk is busy; below it nothing waits for it (heuristic). */
const BUSY_RATIO = 0.5;

/**
 * @param {Window} window
 * @param {Facts} facts
 * @returns {number | undefined} share of the stalls' time; undefined where there was none, or
 *   the machine is not known
 */
function writebackShare(window, facts) {
  const disk = busiestDisk(window, facts);
  const minBytes = Math.max(MIN_BYTES, (writtenPerSecMax(window, facts) ?? 0) * MIN_WRITE_SECONDS);
  const runs = stallIntervalsIn(intervalsOf(window)) ?? [];
  const observed = window.samples.flatMap(({ counters }) => {
    const { 'diagnostics.atMs': atMs, 'writeback.dirtyPageBytes': bytes } = counters;
    const busyMs = disk === undefined ? undefined : counters[ofDisk('disk.busyMs', disk)];
    return atMs === undefined || bytes === undefined ? [] : [{ atMs, bytes, busyMs }];
  });
  const spans = runs.map(({ run }) => ({
    seconds: run.reduce((sum, { seconds }) => sum + seconds, 0),
    toMs: run[run.length - 1].toMs ?? NaN,
  }));
  const known = spans
    .map(({ seconds, toMs }) => ({
      seconds,
      fell: fallOf(
        observed.filter(
          ({ atMs }) => atMs >= toMs - seconds * 1000 - SLACK_MS && atMs <= toMs + SLACK_MS,
        ),
        minBytes,
      ),
    }))
    .filter(({ fell }) => fell !== undefined);
  const all = known.reduce((sum, { seconds }) => sum + seconds, 0);
  return all === 0
    ? undefined
    : known.filter(({ fell }) => fell).reduce((sum, { seconds }) => sum + seconds, 0) / all;
}

/**
 * Other programs may write meanwhile, so the value rises again: any fall counts, from the highest
 * sample before it.
 * @param {{ atMs: number, bytes: number, busyMs?: number }[]} observed in the order of time
 * @param {number} minBytes
 * @returns {boolean | undefined}
 */
function fallOf(observed, minBytes) {
  if (observed.length < 2) return undefined;
  if (isDiskCalm(observed[0], observed[observed.length - 1])) return false;
  let peak = 0;
  return observed.some(({ bytes }) => {
    peak = Math.max(peak, bytes);
    return peak - bytes >= Math.max(minBytes, peak * FALLEN_RATIO);
  });
}

/**
 * @param {{ atMs: number, busyMs?: number }} from
 * @param {{ atMs: number, busyMs?: number }} to
 * @returns {boolean} known to be so
 */
const isDiskCalm = (from, to) =>
  (growth(from.busyMs, to.busyMs) ?? Infinity) < (to.atMs - from.atMs) * BUSY_RATIO;

module.exports = { MACHINE_METRICS, BUSY_CPU, SPARE_CPU, busiestDisk, diskRates, writebackShare };
