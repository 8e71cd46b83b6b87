'use strict';

const { count, duration, percent } = require('../../base/pure/units');
const { defineMachineRule } = require('../define-machine-rule');
const { whole } = require('../../signals/words');
const {
  deviceReadMs,
  deviceWriteMs,
  SLOW_MS,
  BUSY_RATIO,
  MIN_PER_SEC,
} = require('../../signals/device');

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
  title: 'Slow requests of the disk',
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
  limits: { slowMs: SLOW_MS, busyRatio: BUSY_RATIO },
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
  check(values, { slowMs, busyRatio }) {
    const { 'disk.name': name, 'disk.busyRatio': busy = 0 } = values;
    const slow = slowOf(values['disk.isRotational'], slowMs);
    const [readMs, writeMs] = [deviceReadMs(values), deviceWriteMs(values)];
    const say = sentence(values);
    const evidence = evidenceOf(values);
    const subject = name === undefined ? {} : { subject: name };
    if (
      readMs >= slow ||
      writeMs >= SLOW_WRITES_MS ||
      (writeMs >= Math.max(slow, slowMs) && busy >= busyRatio)
    )
      return { status: 'warning', say: `${say}.`, evidence, ...subject };
    if (writeMs < slow) return { status: 'ok', say: `${say}.`, evidence };
    return {
      status: 'info',
      say: `${say}: written in waves, behind which syncs may wait.`,
      evidence,
      advice:
        'Where writes of clients are slow at the same time, let the kernel start earlier ' +
        '(kernel-writeback).',
    };
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

/** Which disk, how busy, and how long its requests take. @param {Disk} disk @returns {string} */
function sentence(disk) {
  const what = [disk['disk.model'], disk['disk.isOfData'] ? 'dbPath' : undefined]
    .filter((word) => word !== undefined)
    .join(', ');
  const named = [disk['disk.name'], ...(what === '' ? [] : [`(${what})`])].filter(Boolean);
  const busy = disk['disk.busyRatio'];
  const took =
    `takes ${taken('read', disk['disk.readMs'], disk['disk.readsPerSec'])} and ` +
    `${taken('write', disk['disk.writeMs'], disk['disk.writesPerSec'])}`;
  return (
    `${['The disk', ...named].join(' ')} ` +
    `${busy === undefined ? '' : `is busy ${percent(busy)} of the time and `}${took}`
  );
}

/** @param {string} what @param {number} [ms] @param {number} [perSec] */
const taken = (what, ms, perSec = 0) =>
  perSec === 0 || ms === undefined
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
