'use strict';

const { count, duration, percent } = require('../../base/pure/units');
const { defineMachineRule } = require('../rule');
const { whole } = require('../../signals/words');
const {
  deviceReadMs,
  deviceWriteMs,
  SLOW_MS,
  BUSY_RATIO,
  MIN_PER_SEC,
} = require('../../signals/disk');

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
    'Page reads, checkpoints and the journal all end at a disk. The kernel counts how long each ' +
    'request took, its time in line included, and the share of the time the disk is busy: they ' +
    'tell a disk at its limit from waits that lie above it, and show which disk is slow.',
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
    `Mean of a read of ${duration(SLOW_MS)} and more (tune.host knows the kind of the disk: ` +
    `${duration(SLOW_FLASH_MS)} for flash, ${duration(SLOW_HDD_MS)} for an HDD): warning. Of a ` +
    `write the same: information, or warning where the disk is busy ${whole(BUSY_RATIO)} of the ` +
    `time or a write takes ${duration(SLOW_WRITES_MS)}. With at least ${MIN_PER_SEC} of them a ` +
    'second.',
  source:
    'WiredTiger, latency histograms of the section "perf" (10 ms); kernel documentation, ' +
    'admin-guide/iostats.rst, for what is counted; the other figures are heuristics ' +
    '(docs/evidence/machine.md)',
  advice:
    'Check the limits of the disk (IOPS, MB/s), what else uses it, and when: many cloud disks ' +
    'slow down once their credits are used. No setting of WiredTiger makes it faster.',
  whenNot:
    'While a backup, an initial sync or an index build runs. A mean over seconds hides single ' +
    'requests. tune.advise shows the busiest disk with a device of its own: no network file ' +
    'system, and it may not hold dbPath. A limit of a container lies above the disk and does not ' +
    'show here. A virtual disk may report the wrong kind.',
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
    waves: (values) => `${latency(values)}: written in waves, behind which syncs may wait.`,
    'slow-reads': (values) => `${latency(values)}.`,
    'slow-writes': (values) => `${latency(values)}.`,
  },
  adviceFor: {
    waves: () =>
      'Where writes of clients are slow at the same time, let the kernel start earlier ' +
      '(kernel-writeback).',
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

/** What the message is made of. @param {Disk} disk */
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
 * Which disk, how busy, and how long its requests take.
 * @param {ReturnType<typeof valuesOf>} values
 */
function latency({ name, model, isOfData, busyRatio, ...requests }) {
  const what = [...(model === null ? [] : [model]), ...(isOfData ? ['dbPath'] : [])].join(', ');
  const disk = ['The disk', name, what === '' ? null : `(${what})`].filter((one) => one !== null);
  return (
    `${disk.join(' ')} ${busyRatio === null ? '' : `is busy ${percent(busyRatio)} of the time and `}` +
    `takes ${taken('read', requests.readMs, requests.readsPerSec)} and ` +
    `${taken('write', requests.writeMs, requests.writesPerSec)}`
  );
}

/** What one request takes. @param {string} what @param {number | null} ms @param {number} perSec */
const taken = (what, ms, perSec) =>
  perSec === 0 || ms === null
    ? `no ${what}s`
    : `${duration(ms)} for a ${what} (${count(perSec)} a second)`;

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
