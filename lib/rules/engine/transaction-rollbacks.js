'use strict';

const { many } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, statistic } = require('../sources');

module.exports = defineRule({
  id: 'transaction-rollbacks',
  area: 'history',
  title: 'Transactions rolled back to free the cache',
  why:
    'When eviction is stuck, WiredTiger rolls back the oldest transaction to free cache space. ' +
    'The client gets a write conflict or an error for a correct transaction.',
  needs: ['transaction.rolledBackForEviction'],
  wants: ['cache.dirtyRatioMax', 'cache.updatesRatioMax', 'eviction.aggressiveScoreMax'],
  evidence: [
    'transaction.rolledBackForEviction',
    'cache.dirtyRatioMax',
    'cache.updatesRatioMax',
    'eviction.aggressiveScoreMax',
  ],
  threshold: 'Warning: any in the window.',
  source: sources(
    statistic('oldest pinned transaction ID rolled back for eviction') +
      ', before 4.4.24, 5.0.19 and 6.0.9 "transaction failures due to history store"',
  ),
  advice:
    'Make transactions smaller and shorter: fewer documents each, and no waiting for a person ' +
    'or another system inside. If they must be large, the cache is too small for them.',
  whenNot: 'Do not raise transactionLifetimeLimitSeconds: longer transactions pin more.',
  speaksFor: ['history'],
  check({ 'transaction.rolledBackForEviction': transactions }) {
    const values = { transactions };
    return transactions > 0
      ? { status: 'warning', code: 'rolled-back', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: { fine: (values) => number(values), 'rolled-back': (values) => number(values) },
});

/** How many were rolled back. @param {{ transactions: number }} values */
const number = ({ transactions }) =>
  `${many(transactions, 'transaction')} rolled back to free cache space.`;
