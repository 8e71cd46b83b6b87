'use strict';

const { percent, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, kernel } = require('../sources');

// Share of the time in which at least one task of the machine waited for a disk. A checkpoint alone
// makes a few percent. Heuristic.
const NOTED_RATIO = 0.2;
const OFTEN_RATIO = 0.6;

module.exports = defineRule({
  id: 'io-pressure',
  area: 'disk',
  title: 'Tasks waiting for a disk',
  why:
    'The kernel counts the time in which at least one task waited for any disk. This includes ' +
    'disks limited by a cgroup, and disks that the server does not report.',
  needs: ['pressure.ioShare'],
  wants: ['cpu.iowaitRatio', 'disk.busyRatio', 'disk.name'],
  evidence: ['pressure.ioShare', 'cpu.iowaitRatio', 'disk.busyRatio', 'disk.name'],
  thresholds: { notedRatio: NOTED_RATIO, oftenRatio: OFTEN_RATIO },
  threshold: `Information: from ${shortPercent(NOTED_RATIO)} of the time. Warning: from ${shortPercent(OFTEN_RATIO)}.`,
  source: sources(
    kernel('Pressure Stall Information (some)', 'accounting/psi'),
    'the thresholds are heuristics',
  ),
  advice:
    'Find the waiting tasks: /proc/pressure/io, iotop, pidstat -d. Compare device-latency: ' +
    'high pressure on a fast disk points to a limit above the disk (cgroup, cloud).',
  whenNot:
    'The waiting tasks may belong to a backup instead of mongod. Older servers (6.0.5; 6.0.21 ' +
    'does) and kernels before 4.20 do not report it.',
  speaksFor: ['disk'],
  check({ 'pressure.ioShare': share }, { notedRatio, oftenRatio }) {
    const values = { share };
    if (share >= oftenRatio) return { status: 'warning', code: 'waiting', values };
    if (share >= notedRatio) return { status: 'info', code: 'waiting', values };
    return { status: 'ok', code: 'fine', values };
  },
  messages: { fine: (values) => pressure(values), waiting: (values) => pressure(values) },
});

/** @param {{ share: number }} values of the time */
const pressure = ({ share }) =>
  `At least one task waited for a disk ${percent(share)} of the time.`;
