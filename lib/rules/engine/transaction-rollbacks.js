'use strict';

const { defineRule } = require('../define-rule');
const { many } = require('../../signals/words');

module.exports = defineRule({
  id: 'transaction-rollbacks',
  area: 'history',
  title: 'Whether transactions are rolled back to free the cache',
  why:
    'When eviction is stuck, WiredTiger rolls back the oldest transaction, because what that ' +
    'has changed and what it may still read is all that is left to free. The client gets a ' +
    'write conflict or an error for work that was right.',
  needs: ['transaction.rolledBackForEviction'],
  wants: ['cache.dirtyRatioMax', 'cache.updatesRatioMax', 'eviction.aggressiveMax'],
  threshold: 'Any in the window: warning.',
  source:
    'WiredTiger, statistic "oldest pinned transaction ID rolled back for eviction" (before ' +
    '4.4.24, 5.0.19 and 6.0.9 "transaction failures due to history store")',
  advice:
    'Make transactions smaller and shorter: fewer documents each, no waiting for a person or ' +
    'another system inside. Where they have to be large, the cache is too small for them.',
  whenNot: 'Do not raise transactionLifetimeLimitSeconds: longer transactions pin more.',
  speaksFor: ['history'],
  check({
    'transaction.rolledBackForEviction': number,
    'cache.dirtyRatioMax': dirty,
    'cache.updatesRatioMax': updates,
    'eviction.aggressiveMax': score,
  }) {
    const evidence = {
      'transaction.rolledBackForEviction': number,
      'cache.dirtyRatioMax': dirty ?? null,
      'cache.updatesRatioMax': updates ?? null,
      'eviction.aggressiveMax': score ?? null,
    };
    const say = `${many(number, 'transaction')} ${number === 1 ? 'was' : 'were'} rolled back to free the cache.`;
    return { status: number > 0 ? 'warning' : 'ok', say, evidence };
  },
});
