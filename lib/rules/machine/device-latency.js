'use strict';

const { count, duration, percent, shortPercent } = require('../../base/pure/units');
const { defineMachineRule } = require('../rule');
const {
  deviceReadMs,
  deviceWriteMs,
  SLOW_MS,
  BUSY_RATIO,
  MIN_PER_SEC,
} = require('../../signals/disk');
const { sources, serverStatus, kernel, measured } = require('../sources');

// Mean ms of a request that is slow, by the kind of the disk. Flash: from here on WiredTiger counts
// a call into the file system as slow (first class of its latency histograms). HDD: one turn at 7200
// a minute takes 8.3 ms and a seek as much, so two requests in line take this long (heuristic).
const SLOW_FLASH_MS = 10;
const SLOW_HDD_MS = 30;
// The kernel writes in waves, many requests at once that wait for each other and hold up no
// operation; from here on syncs wait too (heuristic).
const SLOW_WRITES_MS = 100;

module.exports = defineMachineRule({
  id: 'device-latency',
  aliases: ['disk-latency'],
  area: 'disk',
  title: 'Slow disk requests',
  why:
    'Page reads, checkpoints and the journal all use a disk. The kernel counts the time of ' +
    'each request, queueing included, and how long the disk is busy. This separates a disk at ' +
    'its limit from waits above it.',
  needs: ['disk.readsPerSec', 'disk.writesPerSec'],
  wants: [
    'disk.name',
    'disk.busyRatio',
    'disk.readMs',
    'disk.writeMs',
    'disk.queue',
    'disk.isOfData',
    'disk.isRotational',
    'disk.model',
  ],
  thresholds: { slowMs: SLOW_MS, busyRatio: BUSY_RATIO },
  threshold:
    `Warning: mean read of ${duration(SLOW_MS)} or more (tune.host: ${duration(SLOW_FLASH_MS)} ` +
    `for flash, ${duration(SLOW_HDD_MS)} for HDD). Writes of that time: information. Warning ` +
    `for writes: disk busy ${shortPercent(BUSY_RATIO)} of the time, or a write takes ` +
    `${duration(SLOW_WRITES_MS)}. At least ${MIN_PER_SEC}/s each.`,
  source: sources(
    serverStatus('wiredTiger.perf (latency histograms)'),
    kernel('I/O statistics fields', 'admin-guide/iostats'),
    measured('machine'),
    'the figures are heuristics',
  ),
  advice:
    'Check the limits of the disk (IOPS, MB/s), and what else uses it. Many cloud disks slow ' +
    'down once their burst credits are used. No WiredTiger setting makes it faster.',
  whenNot:
    'Not during a backup, initial sync or index build. A mean hides single slow requests. ' +
    'tune.advise() shows the busiest local disk, which may not hold dbPath. Container limits ' +
    'do not show here. A virtual disk may report the wrong type.',
  speaksFor: ['disk'],
  alongside: ['disk'],
  check(disk, { slowMs, busyRatio }) {
    const { 'disk.name': name, 'disk.busyRatio': busy = 0 } = disk;
    const slow = slowOf(disk['disk.isRotational'], slowMs);
    const [readMs, writeMs] = [deviceReadMs(disk), deviceWriteMs(disk)];
    const evidence = evidenceOf(disk);
    const values = valuesOf(disk);
    if (readMs >= slow)
      return { status: 'warning', code: 'slow-reads', values, evidence, subject: name };
    if (writeMs >= SLOW_WRITES_MS || (writeMs >= Math.max(slow, slowMs) && busy >= busyRatio))
      return { status: 'warning', code: 'slow-writes', values, evidence, subject: name };
    return writeMs < slow
      ? { status: 'ok', code: 'fine', values, evidence }
      : { status: 'info', code: 'waves', values, evidence };
  },
  messages: {
    fine: (values) => `${latency(values)}.`,
    waves: (values) => `${latency(values)}. Writes come in bursts: syncs may wait behind them.`,
    'slow-reads': (values) => `${latency(values)}.`,
    'slow-writes': (values) => `${latency(values)}.`,
  },
  adviceFor: {
    waves: () =>
      'If client writes are slow at the same time, start kernel writeback earlier: see ' +
      'kernel-writeback.',
  },
});

/**
 * @param {boolean | undefined} isRotational
 * @param {number} slowMs of a disk whose kind is not known
 */
function slowOf(isRotational, slowMs) {
  if (isRotational === undefined) return slowMs;
  return isRotational ? SLOW_HDD_MS : SLOW_FLASH_MS;
}

/**
 * @typedef {Partial<{
 *   'disk.name': string, 'disk.model': string, 'disk.isRotational': boolean,
 *   'disk.isOfData': number, 'disk.busyRatio': number, 'disk.readMs': number,
 *   'disk.writeMs': number, 'disk.readsPerSec': number, 'disk.writesPerSec': number,
 *   'disk.queue': number
 * }>} Disk
 */

/** The values of the message. @param {Disk} disk */
const valuesOf = (disk) => ({
  name: disk['disk.name'] ?? null,
  model: disk['disk.model'] ?? null,
  isOfData: Boolean(disk['disk.isOfData']),
  busyRatio: disk['disk.busyRatio'] ?? null,
  readMs: disk['disk.readMs'] ?? null,
  readsPerSec: disk['disk.readsPerSec'] ?? 0,
  writeMs: disk['disk.writeMs'] ?? null,
  writesPerSec: disk['disk.writesPerSec'] ?? 0,
});

/**
 * Names the disk, and says how busy it is and how long its requests take.
 * @param {ReturnType<typeof valuesOf>} values
 */
function latency({ name, model, isOfData, busyRatio, ...requests }) {
  const what = [...(model === null ? [] : [model]), ...(isOfData ? ['dbPath'] : [])].join(', ');
  const disk = ['Disk', name, what === '' ? null : `(${what})`].filter((word) => word !== null);
  return (
    `${disk.join(' ')}: ${busyRatio === null ? '' : `busy ${percent(busyRatio)} of the time, `}` +
    `${taken('read', requests.readMs, requests.readsPerSec)}, ` +
    `${taken('write', requests.writeMs, requests.writesPerSec)}`
  );
}

/** @param {string} what @param {number | null} ms @param {number} perSec */
const taken = (what, ms, perSec) =>
  perSec === 0 || ms === null ? `no ${what}s` : `${duration(ms)} per ${what} (${count(perSec)}/s)`;

/** @param {Disk} disk */
const evidenceOf = (disk) => ({
  'disk.name': disk['disk.name'] ?? null,
  'disk.busyRatio': disk['disk.busyRatio'] ?? null,
  'disk.readMs': disk['disk.readMs'] ?? null,
  'disk.readsPerSec': disk['disk.readsPerSec'] ?? null,
  'disk.writeMs': disk['disk.writeMs'] ?? null,
  'disk.writesPerSec': disk['disk.writesPerSec'] ?? null,
  'disk.queue': disk['disk.queue'] ?? null,
  'disk.isRotational': disk['disk.isRotational'] ?? null,
});
