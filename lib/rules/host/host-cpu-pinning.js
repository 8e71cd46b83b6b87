'use strict';

const { percent, many, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { FULL_RATIO, BUSY_RATIO } = require('../../signals/cpus');
const { sources, man, measured } = require('../sources');

module.exports = defineHostRule({
  id: 'host-cpu-pinning',
  alongside: ['cpu'],
  title: 'mongod pinned to few CPUs',
  why:
    'taskset, numactl, CPUAffinity of a systemd unit, or a cpuset restrict a process to some ' +
    'CPUs. This is useful to separate server and clients; forgotten, it leaves CPUs idle while ' +
    'mongod waits.',
  needs: ['cpu.logical', 'cpu.allowed'],
  wants: ['cpu.allowedBusyRatio', 'cpu.busyRatio'],
  threshold:
    `Information: fewer than all CPUs. Warning: those are ${shortPercent(FULL_RATIO)} busy and the ` +
    `others less than ${shortPercent(BUSY_RATIO)}.`,
  source: sources(man('sched_setaffinity', 2), measured('machine')),
  advice:
    'Allow mongod more CPUs: CPUAffinity in its systemd unit, the cpuset of its container, or ' +
    '"taskset -acp" for the running process.',
  whenNot: 'Not if several servers share a host deliberately.',
  check({
    'cpu.logical': logical,
    'cpu.allowed': allowed,
    'cpu.allowedBusyRatio': busyRatio = null,
    'cpu.busyRatio': all = null,
  }) {
    const elsewhereBusyRatio =
      busyRatio === null || all === null ? null : elsewhere(all, busyRatio, logical, allowed);
    const evidence = {
      'cpu.logical': logical,
      'cpu.allowed': allowed,
      'cpu.allowedBusyRatio': busyRatio,
      ...(elsewhereBusyRatio !== null && { elsewhereBusyRatio }),
    };
    const values = { logical, allowed, busyRatio, elsewhereBusyRatio };
    if (allowed >= logical) return { status: 'ok', code: 'fine', values, evidence };
    if (elsewhereBusyRatio === null) return { status: 'info', code: 'pinned', values, evidence };
    return Number(busyRatio) >= FULL_RATIO && elsewhereBusyRatio < BUSY_RATIO
      ? { status: 'warning', code: 'pinned-to-busy', values, evidence }
      : { status: 'info', code: 'pinned-as-busy', values, evidence };
  },
  messages: {
    fine: ({ logical }) => `mongod may use all ${many(logical, 'CPU')}.`,
    pinned: (values) => `${number(values)}.`,
    'pinned-as-busy': (values) => `${number(values)}; ${load(values)}.`,
    'pinned-to-busy': (values) => `${number(values)}; ${load(values)}.`,
  },
});

/**
 * Computes how busy the other CPUs are.
 * @param {number} all the busy share of all CPUs
 * @param {number} own the busy share of the CPUs that mongod may use
 * @param {number} logical
 * @param {number} allowed
 * @returns {number | null} null: there are no others
 */
const elsewhere = (all, own, logical, allowed) =>
  allowed >= logical ? null : Math.max(0, (all * logical - own * allowed) / (logical - allowed));

/** @param {{ logical: number, allowed: number }} values */
const number = ({ logical, allowed }) => `mongod may use only ${allowed} of ${logical} CPUs`;

/** @param {Record<'busyRatio' | 'elsewhereBusyRatio', number | null>} values */
const load = ({ busyRatio, elsewhereBusyRatio }) =>
  `they are ${percent(busyRatio)} busy, the others ${percent(elsewhereBusyRatio)}`;
