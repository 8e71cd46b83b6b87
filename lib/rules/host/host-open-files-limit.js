'use strict';

const { count } = require('../../base/pure/units');
const { defineHostRule } = require('../rule');
const { raiseLimit, isNear, RECOMMENDED, NEAR_RATIO } = require('../fixes');
const { whole } = require('../../signals/words');

module.exports = defineHostRule({
  id: 'host-open-files-limit',
  title: 'Limit of open files too low for mongod',
  why:
    'Each collection and each index is a file, and each connection counts as one too. At the ' +
    'limit mongod refuses connections, and ends when it cannot open a file of its own.',
  needs: ['process.files'],
  wants: ['process.openFiles'],
  threshold: `Warning below ${count(RECOMMENDED)}; critical when ${whole(NEAR_RATIO)} of the limit are open.`,
  source: 'MongoDB manual, UNIX ulimit settings; mongod log id 22184',
  advice: `Allow ${count(RECOMMENDED)} open files: LimitNOFILE in the systemd unit.`,
  whenNot: 'On a test server with a handful of collections and connections.',
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
    'no-limit': () => 'Open files of mongod are not limited.',
    fine: (values) => files(values),
    low: (values) => files(values),
    'near-limit': (values) => files(values),
  },
  adviceFor: { low: (values) => raise(values), 'near-limit': (values) => raise(values) },
});

/** How many there may be, and are. @param {Record<'limit' | 'open', number | null>} values */
const files = ({ limit, open }) =>
  'The limit of open files and connections is ' +
  `${count(limit)}${open === null ? '' : `, and mongod has ${count(open)}`}.`;

/** @param {{ to: number }} values the number advised */
const raise = ({ to }) => `Allow ${count(to)} open files: LimitNOFILE in the systemd unit.`;
