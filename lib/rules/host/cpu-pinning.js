'use strict';

const { percent } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { FULL_RATIO, BUSY_RATIO } = require('../../signals/cpus');
const { whole, many } = require('../../signals/words');

module.exports = defineHostRule({
  id: 'cpu-pinning',
  area: 'host',
  alongside: ['cpu'],
  title: 'On how many processors mongod may run',
  why:
    'taskset, numactl, CPUAffinity of a systemd unit or a cpuset keep a process on some of the ' +
    'processors. That is done on purpose to part server and clients; forgotten, it leaves ' +
    'processors idle while mongod waits.',
  needs: ['cpu.logical', 'cpu.allowed'],
  wants: ['cpu.allowedBusyRatio', 'cpu.busyRatio'],
  threshold:
    `Information with fewer than all; warning when those are ${whole(FULL_RATIO)} busy and the ` +
    `others less than ${whole(BUSY_RATIO)}.`,
  source:
    'sched_setaffinity(2); Z13 (server and client pinned to disjoint cores on purpose); ' +
    'docs/evidence/machine.md for "full"',
  advice:
    'Allow mongod more processors: CPUAffinity in its systemd unit, the cpuset of its ' +
    'container, or "taskset -acp" for the running process.',
  whenNot: 'Where several servers share a host on purpose.',
  check({
    'cpu.logical': logical,
    'cpu.allowed': allowed,
    'cpu.allowedBusyRatio': busy,
    'cpu.busyRatio': all,
  }) {
    const evidence = {
      'cpu.logical': logical,
      'cpu.allowed': allowed,
      'cpu.allowedBusyRatio': busy ?? null,
    };
    if (allowed >= logical)
      return {
        status: 'ok',
        say: `All ${many(logical, 'processor')} are open to mongod.`,
        evidence,
      };
    const say = `Only ${allowed} of ${logical} processors are open to mongod`;
    if (busy === undefined || all === undefined)
      return { status: 'info', say: `${say}.`, evidence };
    const elsewhere = Math.max(0, (all * logical - busy * allowed) / (logical - allowed));
    const figures = `these are ${percent(busy)} busy, the others ${percent(elsewhere)}`;
    return {
      status: busy >= FULL_RATIO && elsewhere < BUSY_RATIO ? 'warning' : 'info',
      say: `${say}; ${figures}.`,
      evidence: { ...evidence, elsewhereBusyRatio: elsewhere },
    };
  },
});
