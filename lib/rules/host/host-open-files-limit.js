'use strict';

const { count, shortPercent } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { raiseLimit, isNear, RECOMMENDED, NEAR_RATIO } = require('../fixes');
const { sources, manual } = require('../sources');

module.exports = defineHostRule({
  id: 'host-open-files-limit',
  title: 'Open-files limit too low for mongod',
  why:
    'Each collection, index and connection needs a file descriptor. At the limit mongod ' +
    'refuses connections, and terminates when it cannot open a data file.',
  needs: ['process.files'],
  wants: ['process.openFiles'],
  threshold: `Warning: below ${count(RECOMMENDED)}. Critical: ${shortPercent(NEAR_RATIO)} of the limit open.`,
  source: sources(
    manual('UNIX ulimit Settings', 'manual/reference/ulimit/'),
    'mongod log id 22184',
    '80% is a heuristic',
  ),
  advice: `Set LimitNOFILE to ${RECOMMENDED} in the systemd unit.`,
  whenNot: 'Not on a test server with few collections and connections.',
  check({ 'process.files': limit, 'process.openFiles': open = null }) {
    const evidence = { soft: limit.soft, hard: limit.hard, 'process.openFiles': open };
    const isClose = isNear(open, limit);
    const to = Math.max(RECOMMENDED, isClose ? 2 * (limit.soft ?? 0) : 0);
    const values = { limit: limit.soft, open, to };
    if (limit.soft === null) return { status: 'ok', code: 'no-limit', values, evidence };
    if (limit.soft >= RECOMMENDED && !isClose)
      return { status: 'ok', code: 'fine', values, evidence };
    const fixes = [raiseLimit('nofile', limit, to)];
    return isClose
      ? { status: 'critical', code: 'near-limit', values, evidence, fixes }
      : { status: 'warning', code: 'low', values, evidence, fixes };
  },
  messages: {
    'no-limit': () => 'Open files of mongod are unlimited.',
    fine: (values) => files(values),
    low: (values) => files(values, `, below the recommended ${count(RECOMMENDED)}`),
    'near-limit': (values) => files(values),
  },
  adviceFor: { low: (values) => raise(values), 'near-limit': (values) => raise(values) },
});

/** @param {Record<'limit' | 'open', number | null>} values */
const files = ({ limit, open }, judged = '') =>
  `Open-files limit: ${count(limit)}${judged}${open === null ? '' : `; mongod has ${count(open)} open`}.`;

/** @param {{ to: number }} values the number advised */
const raise = ({ to }) => `Set LimitNOFILE to ${to} in the systemd unit.`;
