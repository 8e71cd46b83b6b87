'use strict';

const { count, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { raiseLimit, isNear, RECOMMENDED, NEAR_RATIO } = require('../fixes');
const { sources, manual } = require('../sources');

module.exports = defineHostRule({
  id: 'host-process-limit',
  title: 'Thread limit too low for mongod',
  why:
    'Each connection is a thread, and the kernel counts threads as processes. The limit ' +
    'applies to all threads of the user. At the limit mongod cannot accept connections.',
  needs: ['process.processes'],
  wants: ['process.threads'],
  threshold:
    `Information: below ${count(RECOMMENDED)}. Critical: mongod alone uses ` +
    `${shortPercent(NEAR_RATIO)} of the limit.`,
  source: sources(manual('UNIX ulimit Settings', 'manual/reference/ulimit/'), '80% is a heuristic'),
  advice: `Set LimitNPROC to ${RECOMMENDED} in the systemd unit.`,
  whenNot: 'Not with few connections. root is not limited.',
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
    'no-limit': () => 'Threads of mongod are unlimited.',
    fine: (values) => number(values),
    low: (values) => number(values),
    'near-limit': (values) => number(values),
  },
  adviceFor: { low: (values) => raise(values), 'near-limit': (values) => raise(values) },
});

/** @param {Record<'limit' | 'threads', number | null>} values */
const number = ({ limit, threads }) =>
  `Thread limit of the mongod user: ${count(limit)}` +
  `${threads === null ? '' : `; mongod has ${count(threads)}`}.`;

/** @param {{ to: number }} values the number advised */
const raise = ({ to }) => `Set LimitNPROC to ${to} in the systemd unit.`;
