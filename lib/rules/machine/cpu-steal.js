'use strict';

const { percent, shortPercent } = require('../../base/pure/units');
const { defineMachineRule } = require('../rule');
const { STEAL_RATIO } = require('../../signals/cpus');
const { sources, man, measured } = require('../sources');

module.exports = defineMachineRule({
  id: 'cpu-steal',
  aliases: ['stolen-time'],
  area: 'machine',
  title: 'CPU time taken by other virtual machines',
  why:
    'In a virtual machine, a CPU that is ready to run may wait for the hypervisor. Meanwhile ' +
    'every thread of mongod on it waits, even one that holds a lock. No MongoDB counter shows ' +
    'it, and no setting lowers it.',
  needs: ['cpu.stealRatio'],
  evidence: ['cpu.stealRatio'],
  thresholds: { stealRatio: STEAL_RATIO },
  threshold: `Warning: ${shortPercent(STEAL_RATIO)} or more of CPU time.`,
  source: sources(man('proc_stat', 5, 'steal'), measured('machine'), 'the share is a heuristic'),
  advice:
    'Ask the provider of the virtual machine: its host is overcommitted, or its CPU credits ' +
    'are used up. Ask for dedicated CPUs, another host, or another machine type.',
  whenNot:
    'Not while the machine is idle: steal time matters only when there is work. Not every ' +
    'hypervisor reports it: 0 does not prove that no time was taken.',
  speaksFor: ['cpu'],
  alongside: ['cpu'],
  check({ 'cpu.stealRatio': ratio }, { stealRatio }) {
    const values = { ratio };
    return ratio >= stealRatio
      ? { status: 'warning', code: 'stolen', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: { fine: (values) => taken(values), stolen: (values) => taken(values) },
});

/** @param {{ ratio: number }} values */
const taken = ({ ratio }) => `Other virtual machines took ${percent(ratio)} of CPU time.`;
