'use strict';

const { percent } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { STEAL_RATIO } = require('../../signals/cpus');
const { whole } = require('../../signals/words');

module.exports = defineHostRule({
  id: 'stolen-time',
  area: 'host',
  alongside: ['cpu'],
  title: 'Time that the hypervisor gives to others',
  why:
    'In a virtual machine a processor that is ready to run may have to wait until the ' +
    'hypervisor gives it a real one. Nothing inside the machine cures it, and latency has a ' +
    'floor that no setting lowers.',
  needs: ['cpu.stealRatio'],
  threshold: `Warning from ${whole(STEAL_RATIO)} of the processors' time on.`,
  source: 'proc_stat(5), steal; docs/evidence/machine.md',
  advice:
    'Ask for processors of its own, another host, or an instance that is not throttled after ' +
    'its credits are used up.',
  whenNot:
    'While the machine is idle anyway: stolen time is only lost where there was something to do.',
  check({ 'cpu.stealRatio': ratio }) {
    const say = `${percent(ratio)} of the processors' time goes to other virtual machines.`;
    return {
      status: ratio >= STEAL_RATIO ? 'warning' : 'ok',
      say,
      evidence: { 'cpu.stealRatio': ratio },
    };
  },
});
