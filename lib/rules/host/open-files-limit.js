'use strict';

const { count } = require('../../base/pure/units');
const { defineHostRule } = require('../define-host-rule');
const { raiseLimit, isNear, RECOMMENDED, NEAR_RATIO } = require('../mongod-limits');
const { whole } = require('../../signals/words');

module.exports = defineHostRule({
  id: 'open-files-limit',
  area: 'host',
  title: 'How many files and connections mongod may have open',
  why:
    'Each collection and each index is a file, and each connection counts as one too. At the ' +
    'limit mongod refuses connections, and ends when it cannot open a file of its own.',
  needs: ['process.files'],
  wants: ['process.openFiles'],
  threshold: `Warning below ${count(RECOMMENDED)}; critical when ${whole(NEAR_RATIO)} of the limit are open.`,
  source: 'MongoDB manual, UNIX ulimit settings; mongod log id 22184',
  advice: `Allow ${count(RECOMMENDED)} open files: LimitNOFILE in the systemd unit.`,
  whenNot: 'On a test server with a handful of collections and connections.',
  check({ 'process.files': limit, 'process.openFiles': open }) {
    const evidence = { soft: limit.soft, hard: limit.hard, 'process.openFiles': open ?? null };
    if (limit.soft === null)
      return { status: 'ok', say: 'Open files of mongod are not limited.', evidence };
    const say =
      'The limit of open files and connections is ' +
      `${count(limit.soft)}${open === undefined ? '' : `, and mongod has ${count(open)}`}.`;
    const near = isNear(open, limit);
    if (limit.soft >= RECOMMENDED && !near) return { status: 'ok', say, evidence };
    const to = Math.max(RECOMMENDED, near ? 2 * limit.soft : 0);
    return {
      status: near ? 'critical' : 'warning',
      say,
      evidence,
      advice: `Allow ${count(to)} open files: LimitNOFILE in the systemd unit.`,
      fixes: [raiseLimit('nofile', limit, to)],
    };
  },
});
