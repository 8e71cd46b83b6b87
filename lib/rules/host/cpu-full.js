'use strict';

const { percent } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { FULL_RATIO } = require('../../signals/cpus');
const { whole } = require('../../signals/words');

// From this share of the busy time on, others are more than mongod itself.
const OTHERS_RATIO = 0.5;

module.exports = defineHostRule({
  id: 'cpu-full',
  area: 'host',
  alongside: ['cpu'],
  title: 'Whether the processors are all busy, and with what',
  why:
    'When no processor is free, more eviction threads or connections only take time from each ' +
    'other. It matters whether mongod itself fills the machine, or something that could run ' +
    'elsewhere.',
  needs: ['cpu.busyRatio', 'cpu.serverRatio'],
  wants: ['cpu.logical'],
  threshold:
    `Information from ${whole(FULL_RATIO)} busy on; warning when at least ` +
    `${whole(OTHERS_RATIO)} of that is not mongod.`,
  source: 'docs/evidence/machine.md; proc_stat(5), proc_pid_stat(5)',
  advice: 'Move what else runs here to another machine: backups, agents, the clients themselves.',
  whenNot: 'In a test where server and clients share one machine on purpose.',
  check({ 'cpu.busyRatio': busy, 'cpu.serverRatio': own, 'cpu.logical': logical }) {
    const others = Math.max(0, busy - own);
    const evidence = {
      'cpu.busyRatio': busy,
      'cpu.serverRatio': own,
      'cpu.logical': logical ?? null,
    };
    const say =
      `The processors are ${percent(busy)} busy: ${percent(own)} with mongod, ` +
      `${percent(others)} with everything else.`;
    if (busy < FULL_RATIO) return { status: 'ok', say, evidence };
    if (others >= OTHERS_RATIO * busy) return { status: 'warning', say, evidence };
    return {
      status: 'info',
      say,
      evidence,
      advice:
        'mongod itself fills the processors: fewer or cheaper operations, or more processors.',
    };
  },
});
