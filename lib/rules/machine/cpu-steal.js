'use strict';

const { percent } = require('../../base/pure/units');
const { defineMachineRule } = require('../rule');
const { whole } = require('../../signals/words');
const { STEAL_RATIO } = require('../../signals/cpus');

module.exports = defineMachineRule({
  id: 'cpu-steal',
  aliases: ['stolen-time'],
  area: 'machine',
  title: 'CPU time taken by other virtual machines',
  why:
    'In a virtual machine a CPU that is ready to run may have to wait until the hypervisor gives ' +
    'it a real one. Meanwhile every thread of mongod on it waits, also one that holds a lock. No ' +
    'counter of MongoDB shows it, and latency has a floor that no setting lowers.',
  needs: ['cpu.stealRatio'],
  evidence: ['cpu.stealRatio'],
  thresholds: { stealRatio: STEAL_RATIO },
  threshold: `${whole(STEAL_RATIO)} or more of the CPU time: warning.`,
  source:
    'The share is a heuristic (docs/evidence/machine.md); proc_stat(5), steal, for what is counted',
  advice:
    'Ask whoever runs the virtual machine: it shares its CPUs with too many, or has used up its ' +
    'credits. Ask for CPUs of its own, another host, or another size or kind of machine.',
  whenNot:
    'While the machine is idle anyway: stolen time is only lost where there was something to do. ' +
    'Not every hypervisor reports it: 0 does not prove that nothing was taken.',
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

/** What was taken. @param {{ ratio: number }} values */
const taken = ({ ratio }) => `Other virtual machines took ${percent(ratio)} of CPU time.`;
