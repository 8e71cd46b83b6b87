'use strict';

const { defineRule } = require('../rule');
const { many } = require('../../signals/words');

module.exports = defineRule({
  id: 'transaction-rollbacks',
  area: 'history',
  title: 'Transactions rolled back to free the cache',
  why:
    'When eviction is stuck, WiredTiger rolls back the oldest transaction, because what that ' +
    'has changed and what it may still read is all that is left to free. The client gets a ' +
    'write conflict or an error for work that was right.',
  needs: ['transaction.rolledBackForEviction'],
  wants: ['cache.dirtyRatioMax', 'cache.updatesRatioMax', 'eviction.aggressiveScoreMax'],
  evidence: [
    'transaction.rolledBackForEviction',
    'cache.dirtyRatioMax',
    'cache.updatesRatioMax',
    'eviction.aggressiveScoreMax',
  ],
  threshold: 'Any in the window: warning.',
  source:
    'WiredTiger, statistic "oldest pinned transaction ID rolled back for eviction" (before ' +
    '4.4.24, 5.0.19 and 6.0.9 "transaction failures due to history store")',
  advice:
    'Make transactions smaller and shorter: fewer documents each, no waiting for a person or ' +
    'another system inside. Where they have to be large, the cache is too small for them.',
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
  `${many(transactions, 'transaction')} ${transactions === 1 ? 'was' : 'were'} rolled back to ` +
  'free the cache.';
