'use strict';

const { count, duration } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');

// From here on WiredTiger counts a call into the file system as slow (first class of its latency
// histograms).
const SLOW_MS = 10;
// One turn of a disk with 7200 a minute takes 8.3 ms, and a seek as much: two requests in line take
// this long; ours.
const SLOW_ROTATIONAL_MS = 30;
// The kernel writes in waves, many requests at once that wait for each other and hold nobody up;
// from here on syncs wait too: keyhole's mark.
const SLOW_WRITES_MS = 100;
// Fewer are chance; ours.
const MIN_PER_SEC = 5;

module.exports = defineHostRule({
  id: 'disk-latency',
  area: 'host',
  alongside: ['disk'],
  title: 'How long the disk under dbPath takes',
  why:
    'A page that is in no cache costs a read, and a write that is to be kept costs a sync. The ' +
    'kernel counts how long each request took, its time in line included: so it shows which ' +
    'device is slow, where the server only shows that one is.',
  needs: ['disk.name', 'disk.readsPerSec', 'disk.writesPerSec'],
  wants: ['disk.readMs', 'disk.writeMs', 'disk.isRotational', 'disk.model'],
  threshold:
    `Mean of a read above ${duration(SLOW_MS)} (${duration(SLOW_ROTATIONAL_MS)} for a disk ` +
    `that turns), or of a write above ${duration(SLOW_WRITES_MS)}: warning. Of a write above ` +
    `the same as of a read: information. With at least ${MIN_PER_SEC} of them a second.`,
  source:
    'WiredTiger, latency histograms of the section "perf" (10 ms); keyhole (100 ms); kernel ' +
    'documentation, admin-guide/iostats.rst; the figures for disks that turn are ours',
  advice:
    'Look at the limits of the disk (IOPS, MB/s), at what else uses it, and when: many cloud ' +
    'disks slow down once their credits are used.',
  whenNot:
    'While a backup, an initial sync or an index build runs. A mean over seconds hides ' +
    'single requests. A virtual disk may say that it turns though it does not.',
  check({
    'disk.name': name,
    'disk.readsPerSec': reads,
    'disk.writesPerSec': writes,
    'disk.readMs': readMs = 0,
    'disk.writeMs': writeMs = 0,
    'disk.isRotational': isRotational = false,
    'disk.model': model,
  }) {
    const evidence = {
      'disk.name': name,
      'disk.readMs': readMs,
      'disk.readsPerSec': reads,
      'disk.writeMs': writeMs,
      'disk.writesPerSec': writes,
      'disk.isRotational': isRotational,
    };
    const limit = isRotational ? SLOW_ROTATIONAL_MS : SLOW_MS;
    const areSlow = (
      /** @type {number} */ ms,
      /** @type {number} */ perSec,
      /** @type {number} */ max,
    ) => perSec >= MIN_PER_SEC && ms > max;
    const say =
      `Disk ${name}${model === undefined ? '' : ` (${model})`} takes ` +
      `${taken('read', readMs, reads)} and ${taken('write', writeMs, writes)}`;
    if (areSlow(readMs, reads, limit) || areSlow(writeMs, writes, SLOW_WRITES_MS))
      return { status: 'warning', say: `${say}.`, evidence };
    if (areSlow(writeMs, writes, limit))
      return {
        status: 'info',
        say: `${say}: written in waves, behind which syncs may wait.`,
        evidence,
        advice:
          'Where writes of clients are slow at the same time, let the kernel start earlier ' +
          '(dirty-writeback).',
      };
    return { status: 'ok', say: `${say}.`, evidence };
  },
});

/** @param {string} what @param {number} ms @param {number} perSec */
const taken = (what, ms, perSec) =>
  perSec === 0 ? `no ${what}s` : `${duration(ms)} for a ${what} (${count(perSec)} a second)`;
