'use strict';

const { defineHostRule } = require('../rule');
const { writeFile, NAMES_CHANGE } = require('../fixes');

/**
 * @import { Scheduler } from '../../host/pure/host'
 * @import { HostFix } from '../../base/types'
 */

/** They order requests, or leave that to the disk. */
const FINE = ['none', 'noop', 'mq-deadline', 'deadline', 'kyber'];
// It shares the disk between processes, and waits for each in turn.
const IDLE = 'cfq';
/** The first that there is. A disk that turns gains by the order. */
const [FOR_TURNING, FOR_OTHERS] = [
  ['mq-deadline', 'deadline'],
  ['none', 'noop', 'mq-deadline', 'deadline'],
];

module.exports = defineHostRule({
  id: 'host-io-scheduler',
  title: 'Disk requests reordered by the kernel',
  why:
    'cfq, the default of kernels before 5.0, and bfq share a disk between processes: they keep ' +
    'it idle for a moment in case the same process wants more. A database is one process with ' +
    'many threads, and its requests then wait for nothing.',
  needs: ['disk.schedulers'],
  wants: ['disk.isRotational'],
  threshold: `${IDLE}: warning; any other but ${FINE.join(', ')}: information.`,
  source:
    'MongoDB production notes (I/O scheduling); kernel documentation, ' +
    'block/switching-sched.rst, block/bfq-iosched.rst, cfq-iosched.txt',
  advice: 'Choose none or mq-deadline (noop or deadline on older kernels).',
  whenNot: 'A desktop that shares its disk with a database may want bfq.',
  check({ 'disk.schedulers': schedulers, 'disk.isRotational': isRotational = false }) {
    const bad = schedulers.filter(({ active }) => !FINE.includes(active));
    const list = schedulers.map(({ target, active }) => `${diskOf(target)} ${active}`).join(', ');
    const fixes = bad.flatMap((one) => fixOf(one, isRotational ? FOR_TURNING : FOR_OTHERS));
    const evidence = { schedulers: list };
    const values = { schedulers: list, wanted: fixes[0]?.set.to ?? null };
    if (bad.length === 0) return { status: 'ok', code: 'fine', values, evidence };
    const status = bad.some(({ active }) => active === IDLE) ? 'warning' : 'info';
    const code = fixes.length === 0 ? 'waits-without-choice' : 'waits';
    return { status, code, values, evidence, fixes };
  },
  messages: {
    fine: ({ schedulers }) => `I/O scheduler: ${schedulers}.`,
    waits: ({ schedulers }) =>
      `I/O scheduler: ${schedulers}. It makes the requests of a database wait.`,
    'waits-without-choice': ({ schedulers }) =>
      `I/O scheduler: ${schedulers}. It makes the requests of a database wait.`,
  },
  adviceFor: {
    waits: ({ wanted }) => `Choose ${wanted}, for good by a udev rule.`,
    'waits-without-choice': () => 'This kernel offers no other for it.',
  },
});

/** @param {string} target */
const diskOf = (target) => target.split('/')[3];

/**
 * @param {Scheduler} scheduler
 * @param {readonly string[]} wanted
 * @returns {HostFix[]}
 */
function fixOf({ target, active, available }, wanted) {
  const to = wanted.find((one) => available.includes(one));
  return to === undefined ? [] : [{ ...writeFile(target, to, active), note: NAMES_CHANGE }];
}
