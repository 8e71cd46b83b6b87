'use strict';

const { count } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { raiseLimit, isNear, RECOMMENDED, NEAR_RATIO } = require('../fixes');
const { whole } = require('../../signals/words');

module.exports = defineHostRule({
  id: 'host-process-limit',
  title: 'Limit of threads too low for mongod',
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
  check({ 'process.processes': limit, 'process.threads': threads = null }) {
    const evidence = { soft: limit.soft, hard: limit.hard, 'process.threads': threads };
    const isClose = isNear(threads, limit);
    const to = Math.max(RECOMMENDED, isClose ? 2 * (limit.soft ?? 0) : 0);
    const values = { limit: limit.soft, threads, to };
    if (limit.soft === null) return { status: 'ok', code: 'no-limit', values, evidence };
    if (limit.soft >= RECOMMENDED && !isClose)
      return { status: 'ok', code: 'fine', values, evidence };
    const fixes = [raiseLimit('nproc', limit, to)];
    return isClose
      ? { status: 'critical', code: 'near-limit', values, evidence, fixes }
      : { status: 'info', code: 'low', values, evidence, fixes };
  },
  messages: {
    'no-limit': () => 'Threads of mongod are not limited.',
    fine: (values) => number(values),
    low: (values) => number(values),
    'near-limit': (values) => number(values),
  },
  adviceFor: { low: (values) => raise(values), 'near-limit': (values) => raise(values) },
});

/** How many there may be, and are. @param {Record<'limit' | 'threads', number | null>} values */
const number = ({ limit, threads }) =>
  `The user of mongod may have ${count(limit)} ` +
  `threads${threads === null ? '' : `, and mongod has ${count(threads)}`}.`;

/** @param {{ to: number }} values the number advised */
const raise = ({ to }) => `Allow ${count(to)} processes: LimitNPROC in the systemd unit.`;
