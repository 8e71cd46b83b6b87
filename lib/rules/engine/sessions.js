'use strict';

const { count, percent, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, serverStatus, parameter } = require('../sources');

// mongod opens WiredTiger with session_max=33000, or wiredTigerSessionMax (its options idl); what needs
// one more is refused.
const DEFAULT_MAX = 33_000;
const NEAR_RATIO = 0.8;
const AT_LIMIT_RATIO = 0.95;

module.exports = defineRule({
  id: 'sessions',
  area: 'concurrency',
  title: 'Storage engine sessions near their limit',
  why:
    'Every running operation and every open transaction holds a WiredTiger session. Idle ' +
    'cursors and connections hold none. Released sessions stay open for a while ' +
    '(wiredTigerSessionCloseIdleTimeSecs, 300 s). mongod allows 33,000 unless ' +
    'wiredTigerSessionMax was set at start; beyond that, operations fail.',
  needs: ['sessions.open'],
  wants: ['config.sessionMax'],
  evidence: ['sessions.open', 'config.sessionMax'],
  thresholds: { nearRatio: NEAR_RATIO, atLimitRatio: AT_LIMIT_RATIO },
  threshold:
    `Warning: from ${shortPercent(NEAR_RATIO)} of the maximum (default ${count(DEFAULT_MAX)}). Critical: from ` +
    `${shortPercent(AT_LIMIT_RATIO)}.`,
  source: sources(
    'log id 22315 of mongod: session_max when it opens WiredTiger',
    parameter('wiredTigerSessionMax'),
    serverStatus('wiredTiger.session'),
    'the shares are heuristics',
  ),
  advice:
    'Reduce concurrent operations: fewer connections (maxPoolSize of the drivers). End open ' +
    'transactions: db.currentOp({ "transaction.timeOpenMicros": { $gt: 1e7 } })',
  whenNot:
    'The limit cannot be raised at run time. A server that needs more than the default has too many ' +
    'clients at once.',
  check(
    { 'sessions.open': sessions, 'config.sessionMax': max = DEFAULT_MAX },
    { nearRatio, atLimitRatio },
  ) {
    const values = { sessions, ratio: sessions / max, max };
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

/** @param {{ sessions: number, ratio: number, max: number }} values */
const number = ({ sessions, ratio, max }) =>
  `${many(sessions, 'storage engine session')} open (${percent(ratio)} of ${count(max)}).`;
