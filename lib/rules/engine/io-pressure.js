'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole } = require('../../signals/words');

// Share of the time in which at least one task of the machine waited for a disk. A checkpoint alone
// makes a few percent. Ours.
const NOTED_RATIO = 0.2;
const OFTEN_RATIO = 0.6;

module.exports = defineRule({
  id: 'io-pressure',
  area: 'disk',
  title: 'How much of the time tasks wait for a disk',
  why:
    'The kernel counts the time in which at least one task waited for a disk, whichever it is: ' +
    'also one that a control group limits, or that the server does not show.',
  needs: ['pressure.ioShare'],
  wants: ['cpu.iowaitRatio', 'disk.busyRatio', 'disk.name'],
  limits: { notedRatio: NOTED_RATIO, oftenRatio: OFTEN_RATIO },
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
  check(
    {
      'pressure.ioShare': share,
      'cpu.iowaitRatio': iowait = null,
      'disk.busyRatio': busy = null,
      'disk.name': name = null,
    },
    { notedRatio, oftenRatio },
  ) {
    const evidence = {
      'pressure.ioShare': share,
      'cpu.iowaitRatio': iowait,
      'disk.busyRatio': busy,
      'disk.name': name,
    };
    return {
      status: statusOf(share, { notedRatio, oftenRatio }),
      say: `For ${percent(share)} of the time at least one task waited for a disk.`,
      evidence,
    };
  },
});

/**
 * How grave it is that tasks wait for this share of the time.
 * @param {number} share
 * @param {{ notedRatio: number, oftenRatio: number }} limits
 */
function statusOf(share, { notedRatio, oftenRatio }) {
  if (share >= oftenRatio) return 'warning';
  return share >= notedRatio ? 'info' : 'ok';
}
