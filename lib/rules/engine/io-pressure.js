'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole } = require('../../signals/words');

// Share of the time in which at least one task of the machine waited for a disk. A checkpoint alone
// makes a few percent. Heuristic.
const NOTED_RATIO = 0.2;
const OFTEN_RATIO = 0.6;

module.exports = defineRule({
  id: 'io-pressure',
  area: 'disk',
  title: 'Tasks waiting for a disk',
  why:
    'The kernel counts the time in which at least one task waited for a disk, whichever it is: ' +
    'also one that a control group limits, or that the server does not show.',
  needs: ['pressure.ioShare'],
  wants: ['cpu.iowaitRatio', 'disk.busyRatio', 'disk.name'],
  evidence: ['pressure.ioShare', 'cpu.iowaitRatio', 'disk.busyRatio', 'disk.name'],
  thresholds: { notedRatio: NOTED_RATIO, oftenRatio: OFTEN_RATIO },
  threshold:
    `${whole(NOTED_RATIO)} of the time or more: information. ${whole(OFTEN_RATIO)} or more: ` +
    'warning.',
  source: "The kernel's Documentation/accounting/psi.rst (some); shares ours",
  advice:
    'Find who waits: /proc/pressure/io, iotop, pidstat -d. Compare with device-latency: a ' +
    'quick disk under much pressure has a limit above it.',
  whenNot:
    "The waiting tasks may be a backup's, not mongod's. Not told by older releases (6.0.5 " +
    'does not, 6.0.21 does), nor by kernels before 4.20.',
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
  `For ${percent(share)} of the time at least one task waited for a disk.`;
