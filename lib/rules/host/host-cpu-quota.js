'use strict';

const { count, percent, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { sources, kernel } = require('../sources');

// Share of the periods (100 ms each by default) in which all threads had to stop until the next one
// began; a stop of up to 100 ms in each twentieth period is seen in the latency of operations.
// Heuristic.
const THROTTLED_RATIO = 0.05;

module.exports = defineHostRule({
  id: 'host-cpu-quota',
  alongside: ['cpu'],
  title: 'mongod throttled by a CPU quota',
  why:
    'A container or systemd unit may use a fixed CPU time per period. When it is used up, all threads ' +
    'stop until the next period. mongod sees many CPUs and starts threads for all of them, so ' +
    'the quota is used up early.',
  needs: ['cpu.hasQuota', 'cpu.throttledRatio'],
  wants: ['cpu.quotaCores', 'cpu.logical'],
  evidence: ['cpu.hasQuota', 'cpu.throttledRatio', 'cpu.quotaCores'],
  threshold:
    `Information: any throttling of mongod. Warning: in ${shortPercent(THROTTLED_RATIO)} of the ` +
    'periods or more.',
  source: sources(
    kernel('CFS bandwidth control', 'scheduler/sched-bwc'),
    kernel('cgroup v2 (cpu.max, nr_throttled)', 'admin-guide/cgroup-v2'),
    'the share is a heuristic',
  ),
  advice:
    'Raise or remove the quota (CPUQuota of the unit, cpus or limits.cpu of the container), or ' +
    'assign whole CPUs with a cpuset.',
  whenNot: 'Not where short stops are accepted on a shared host, and only throughput counts.',
  check({
    'cpu.hasQuota': hasQuota,
    'cpu.throttledRatio': throttledRatio,
    'cpu.quotaCores': quotaCores = null,
    'cpu.logical': logical = null,
  }) {
    const values = { quotaCores, logical, throttledRatio };
    if (!hasQuota) return { status: 'ok', code: 'no-quota', values };
    if (throttledRatio <= 0) return { status: 'ok', code: 'not-used-up', values };
    return throttledRatio >= THROTTLED_RATIO
      ? { status: 'warning', code: 'used-up', values }
      : { status: 'info', code: 'used-up', values };
  },
  messages: {
    'no-quota': () => 'No CPU quota limits mongod.',
    'not-used-up': (values) => `${quota(values)}; it was not used up.`,
    'used-up': (values) =>
      `${quota(values)}; it was used up in ${percent(values.throttledRatio)} of the periods, ` +
      'and all threads then waited for the next one.',
  },
});

/**
 * Says how large the quota is, where known.
 * @param {Record<'quotaCores' | 'logical', number | null>} values
 */
const quota = ({ quotaCores, logical }) =>
  quotaCores === null
    ? 'A CPU quota limits mongod'
    : `A CPU quota limits mongod to ${count(quotaCores)}${logical === null ? '' : ` of ${logical}`} CPUs`;
