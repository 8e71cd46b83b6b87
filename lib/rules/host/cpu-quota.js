'use strict';

const { count, percent } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { whole } = require('../../signals/words');

// Share of the periods (100 ms each by default) in which all threads had to stop until the next one
// began; a stop of up to 100 ms in each twentieth period is seen in the latency of operations.
// Ours.
const THROTTLED_RATIO = 0.05;

module.exports = defineHostRule({
  id: 'cpu-quota',
  area: 'host',
  alongside: ['cpu'],
  title: 'Whether a quota of processor time stops mongod',
  why:
    'A container or unit may use a certain time on the processors in each period. When it is ' +
    'used up, all threads stop until the next period: connections, eviction and checkpoint ' +
    'alike. mongod sees many processors and starts threads for all of them, so the quota is ' +
    'used up early.',
  needs: ['cpu.hasQuota', 'cpu.throttledRatio'],
  wants: ['cpu.quotaCores', 'cpu.logical'],
  threshold:
    `Information when it stops mongod at all; warning from ${whole(THROTTLED_RATIO)} of the ` +
    'periods on.',
  source:
    'Kernel documentation, scheduler/sched-bwc.rst and admin-guide/cgroup-v2.rst (cpu.max, ' +
    'nr_throttled)',
  advice:
    'Raise or remove the quota (CPUQuota of the unit, cpus or limits.cpu of the container), ' +
    'or give whole processors by a cpuset.',
  whenNot: 'Where short stops are the price of a shared host, and throughput alone counts.',
  check({
    'cpu.hasQuota': hasQuota,
    'cpu.throttledRatio': ratio,
    'cpu.quotaCores': cores,
    'cpu.logical': logical,
  }) {
    const evidence = {
      'cpu.hasQuota': hasQuota,
      'cpu.throttledRatio': ratio,
      'cpu.quotaCores': cores ?? null,
    };
    if (!hasQuota)
      return { status: 'ok', say: 'No quota limits the processor time of mongod.', evidence };
    const quota =
      cores === undefined
        ? 'A quota limits mongod'
        : 'A quota limits mongod to the time of ' +
          `${count(cores)}${logical === undefined ? '' : ` of ${logical}`} processors`;
    if (ratio <= 0) return { status: 'ok', say: `${quota}; it was not used up.`, evidence };
    return {
      status: ratio >= THROTTLED_RATIO ? 'warning' : 'info',
      say: `${quota}; it was used up in ${percent(ratio)} of the periods, and all threads had to wait.`,
      evidence,
    };
  },
});
