'use strict';

const { percent, duration } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole } = require('../../signals/words');
const {
  deviceReadMs,
  deviceWriteMs,
  named,
  SLOW_MS,
  BUSY_RATIO,
  MIN_PER_SEC,
} = require('../../signals/device');

module.exports = defineRule({
  id: 'device-latency',
  area: 'disk',
  title: 'How long the busiest disk takes for one request',
  why:
    'Page reads, checkpoints and the journal all end at a disk. Its own time for one request, ' +
    'and the share of the time it is at work, tell a disk at its limit from waits that lie ' +
    'above it.',
  needs: ['disk.busyRatio'],
  wants: [
    'disk.readMs',
    'disk.readsPerSec',
    'disk.writeMs',
    'disk.writesPerSec',
    'disk.queue',
    'disk.name',
  ],
  limits: { slowMs: SLOW_MS, busyRatio: BUSY_RATIO },
  threshold:
    `At least ${MIN_PER_SEC} reads a second that take ${SLOW_MS} ms or more on average: ` +
    `warning. As many writes that do: warning when the disk is at work ${whole(BUSY_RATIO)} of ` +
    'the time or more, else information.',
  source:
    "Experience of MongoDB support (20 ms); the kernel's " +
    'Documentation/admin-guide/iostats.rst for what is counted; least rates ours',
  advice:
    'Look at the disk: its limits (IOPS, MB/s), what else uses it, a cloud disk without ' +
    'credits. No setting of WiredTiger makes it faster.',
  whenNot:
    'Shown are disks with a device of their own, the busiest of them: not network file ' +
    'systems, and not whether the data lies on it. Writes that the kernel sends in one burst ' +
    'wait for each other, and nobody may wait for them. A limit of a container or of a ' +
    'control group lies above the disk and does not show here.',
  speaksFor: ['disk'],
  check(metrics, { slowMs, busyRatio }) {
    const {
      'disk.busyRatio': busy,
      'disk.name': name = null,
      'disk.queue': queue = null,
    } = metrics;
    const [read, write] = [deviceReadMs(metrics), deviceWriteMs(metrics)];
    const evidence = {
      'disk.name': name,
      'disk.busyRatio': busy,
      'disk.readMs': metrics['disk.readMs'] ?? null,
      'disk.writeMs': metrics['disk.writeMs'] ?? null,
      'disk.queue': queue,
    };
    const took = [
      [read, 'read'],
      [write, 'write'],
    ].flatMap(([ms, what]) =>
      Number(ms) > 0 ? [`, and one ${what} takes ${duration(Number(ms))}`] : [],
    );
    const say = `The disk${named(metrics)} is at work ${percent(busy)} of the time${took.join('')}.`;
    if (read >= slowMs || (write >= slowMs && busy >= busyRatio))
      return { status: 'warning', say, evidence, ...(name !== null && { subject: name }) };
    return { status: write >= slowMs ? 'info' : 'ok', say, evidence };
  },
});
