'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole } = require('../../signals/words');
const { FULL_RATIO } = require('../../signals/cpus');

module.exports = defineRule({
  id: 'cpu-load',
  area: 'machine',
  title: 'How busy the processors of the whole machine are',
  why:
    'mongod shares its processors with the system, with other programs, and often with its own ' +
    'clients. On a full machine everything in it takes longer, also what looks like a wait for ' +
    'the cache.',
  needs: ['cpu.busyRatio'],
  wants: ['process.cpuRatio', 'process.cpuCores', 'pressure.cpuShare'],
  limits: { fullRatio: FULL_RATIO },
  threshold: `${whole(FULL_RATIO)} or more of the processors' time is used: warning.`,
  source: 'Experience of MongoDB support (5 % idle is none); docs/evidence/machine.md',
  advice:
    'Look for what else runs on the machine, and for queries without an index. Clients that ' +
    'make load belong on another machine. More eviction threads make it worse.',
  whenNot:
    'The processors are those of the whole machine: a container may have its own share of ' +
    'them, and then its limit is what counts.',
  speaksFor: ['cpu'],
  check(
    { 'cpu.busyRatio': all, 'process.cpuRatio': own, 'pressure.cpuShare': pressure },
    { fullRatio },
  ) {
    const evidence = {
      'cpu.busyRatio': all,
      'process.cpuRatio': own ?? null,
      'pressure.cpuShare': pressure ?? null,
    };
    const say =
      `${percent(all)} of the processors' time is ` +
      `used${own === undefined ? '' : `, and mongod uses ${percent(own)}`}.`;
    return { status: all >= fullRatio ? 'warning' : 'ok', say, evidence };
  },
});
