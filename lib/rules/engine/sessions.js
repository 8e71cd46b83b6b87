'use strict';

const { count, percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole, many } = require('../../signals/words');

// mongod opens WiredTiger with session_max=33000; what needs one more is refused.
const MAX = 33_000;
const NEAR_RATIO = 0.8;
const AT_LIMIT_RATIO = 0.95;

module.exports = defineRule({
  id: 'sessions',
  area: 'concurrency',
  title: 'Storage engine sessions near their limit',
  why:
    'Every operation at work and every open transaction, an idle one too, holds a session of ' +
    'WiredTiger. Idle cursors and idle connections hold none; what operations gave back is ' +
    'kept open for a while (wiredTigerSessionCloseIdleTimeSecs, 300 s). mongod allows 33,000 ' +
    'of them; beyond that operations fail.',
  needs: ['sessions.open'],
  evidence: ['sessions.open'],
  thresholds: { nearRatio: NEAR_RATIO, atLimitRatio: AT_LIMIT_RATIO },
  threshold:
    `From ${whole(NEAR_RATIO)} of ${count(MAX)} on: warning; from ${whole(AT_LIMIT_RATIO)}: ` +
    'critical.',
  source: 'The string mongod opens WiredTiger with (log id 22315: session_max=33000)',
  advice:
    'Find what is at work all at once: more connections than the server can serve ' +
    '(maxPoolSize of the drivers), and transactions that stay open: db.currentOp({ ' +
    '"transaction.timeOpenMicros": { $gt: 1e7 } })',
  whenNot:
    'The limit cannot be raised at run time; a server that needs it has too many clients at once.',
  check({ 'sessions.open': sessions }, { nearRatio, atLimitRatio }) {
    const values = { sessions, ratio: sessions / MAX };
    if (values.ratio >= atLimitRatio) return { status: 'critical', code: 'at-limit', values };
    return values.ratio >= nearRatio
      ? { status: 'warning', code: 'near-limit', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: (values) => number(values),
    'near-limit': (values) => number(values),
    'at-limit': (values) => number(values),
  },
});

/** How many are open. @param {{ sessions: number, ratio: number }} values */
const number = ({ sessions, ratio }) =>
  `${many(sessions, 'session')} of the storage engine ${sessions === 1 ? 'is' : 'are'} open, ` +
  `${percent(ratio)} of ${count(MAX)}.`;
