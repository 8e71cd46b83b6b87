'use strict';

const { count } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { raiseLimit, isNear, RECOMMENDED, NEAR_RATIO } = require('../mongod-limits');
const { whole } = require('../../signals/words');

module.exports = defineHostRule({
  id: 'process-limit',
  area: 'host',
  title: 'How many threads mongod may have',
  why:
    'Each connection is a thread, and to the kernel a thread is a process. The limit is for ' +
    'all threads of the user together; at it mongod cannot serve another connection.',
  needs: ['process.processes'],
  wants: ['process.threads'],
  threshold:
    `Information below ${count(RECOMMENDED)}; critical when mongod alone has ` +
    `${whole(NEAR_RATIO)} of the limit.`,
  source: 'MongoDB manual, UNIX ulimit settings',
  advice: `Allow ${count(RECOMMENDED)} processes: LimitNPROC in the systemd unit.`,
  whenNot: 'Where connections are few and stay few. root is not limited.',
  check({ 'process.processes': limit, 'process.threads': threads }) {
    const evidence = { soft: limit.soft, hard: limit.hard, 'process.threads': threads ?? null };
    if (limit.soft === null)
      return { status: 'ok', say: 'Threads of mongod are not limited.', evidence };
    const say =
      `The user of mongod may have ${count(limit.soft)} ` +
      `threads${threads === undefined ? '' : `, and mongod has ${count(threads)}`}.`;
    const near = isNear(threads, limit);
    if (limit.soft >= RECOMMENDED && !near) return { status: 'ok', say, evidence };
    const to = Math.max(RECOMMENDED, near ? 2 * limit.soft : 0);
    return {
      status: near ? 'critical' : 'info',
      say,
      evidence,
      advice: `Allow ${count(to)} processes: LimitNPROC in the systemd unit.`,
      fixes: [raiseLimit('nproc', limit, to)],
    };
  },
});
