'use strict';

const { defineHostRule } = require('../rule');
const { writeFile, NAMES_CHANGE } = require('../fixes');
const { sources, productionNotes, kernel } = require('../sources');

/**
 * @import { Scheduler } from '../../host/pure/host'
 * @import { HostFix } from '../../base/types'
 */

/** These schedulers order requests, or leave that to the disk. */
const FINE = ['none', 'noop', 'mq-deadline', 'deadline', 'kyber'];
// This scheduler shares the disk between processes, and waits for each in turn.
const IDLE = 'cfq';
/** The first that there is. An HDD gains by the order. */
const [FOR_TURNING, FOR_OTHERS] = [
  ['mq-deadline', 'deadline'],
  ['none', 'noop', 'mq-deadline', 'deadline'],
];

module.exports = defineHostRule({
  id: 'host-io-scheduler',
  title: 'Disk requests reordered by the kernel',
  why:
    'cfq (the default before Linux 5.0) and bfq share a disk between processes: they keep it ' +
    'idle in case the same process wants more. A database is one process with many threads, so ' +
    'its requests wait for nothing.',
  needs: ['disk.schedulers'],
  wants: ['disk.isRotational'],
  threshold: `Warning: ${IDLE}. Information: any other except ${FINE.join(', ')}.`,
  source: sources(
    productionNotes('I/O scheduling'),
    kernel('switching schedulers', 'block/switching-sched'),
    kernel('BFQ', 'block/bfq-iosched'),
  ),
  advice: 'Select none or mq-deadline (noop or deadline on older kernels).',
  whenNot: 'A desktop that also runs a database may need bfq.',
  check({ 'disk.schedulers': schedulers, 'disk.isRotational': isRotational = false }) {
    const bad = schedulers.filter(({ active }) => !FINE.includes(active));
    const list = schedulers.map(({ target, active }) => `${diskOf(target)} ${active}`).join(', ');
    const fixes = bad.flatMap((scheduler) =>
      fixOf(scheduler, isRotational ? FOR_TURNING : FOR_OTHERS),
    );
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
      `I/O scheduler: ${schedulers}. It delays the requests of a database.`,
    'waits-without-choice': ({ schedulers }) =>
      `I/O scheduler: ${schedulers}. It delays the requests of a database.`,
  },
  adviceFor: {
    waits: ({ wanted }) => `Select ${wanted}; use a udev rule to persist it.`,
    'waits-without-choice': () => 'This kernel offers no other scheduler for it.',
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
  const to = wanted.find((name) => available.includes(name));
  return to === undefined ? [] : [{ ...writeFile(target, to, active), note: NAMES_CHANGE }];
}
