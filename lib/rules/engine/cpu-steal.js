'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole } = require('../../signals/words');
const { STEAL_RATIO } = require('../../signals/cpus');

module.exports = defineRule({
  id: 'cpu-steal',
  area: 'machine',
  title: 'How much of the processors other virtual machines take',
  why:
    'What a hypervisor gives to others while this machine wanted to run is time in which every ' +
    'thread of mongod stands still, also one that holds a lock. No figure of MongoDB shows it.',
  needs: ['cpu.stealRatio'],
  limits: { stealRatio: STEAL_RATIO },
  threshold: `${whole(STEAL_RATIO)} or more of the processors' time: warning.`,
  source: 'The share is ours; proc(5) for what is counted',
  advice:
    'Ask whoever runs the virtual machine: it shares its processors with too many, or has ' +
    'used up its credits. Another size or kind of machine is the cure.',
  whenNot: 'Not every hypervisor tells it: 0 does not prove that nothing was taken.',
  speaksFor: ['cpu'],
  check({ 'cpu.stealRatio': steal }, { stealRatio }) {
    return {
      status: steal >= stealRatio ? 'warning' : 'ok',
      say: `Other virtual machines took ${percent(steal)} of the processors' time.`,
      evidence: { 'cpu.stealRatio': steal },
    };
  },
});
