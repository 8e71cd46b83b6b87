'use strict';

const { many, percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { sources, statistic, parameter } = require('../sources');

module.exports = defineRule({
  id: 'transaction-rollbacks',
  area: 'history',
  title: 'Transactions rolled back to free the cache',
  why:
    'When eviction is stuck, WiredTiger rolls back the oldest transaction to free cache space; from ' +
    '8.2 on mongod aborts the oldest ones, too. The client gets a write conflict or an error for a ' +
    'correct transaction.',
  needs: ['transaction.rolledBackForEviction'],
  wants: [
    'cachePressure.kills',
    'cachePressure.share',
    'cache.dirtyRatioMax',
    'cache.updatesRatioMax',
    'eviction.aggressiveScoreMax',
  ],
  evidence: [
    'transaction.rolledBackForEviction',
    'cachePressure.kills',
    'cachePressure.share',
    'cache.dirtyRatioMax',
    'cache.updatesRatioMax',
    'eviction.aggressiveScoreMax',
  ],
  threshold:
    "Warning: any in the window, or mongod's monitor of cache pressure sees clients wait and too much " +
    'dirty or update data (8.2 does not count what it aborts).',
  source: sources(
    statistic('oldest pinned transaction ID rolled back for eviction') +
      ', before 4.4.24, 5.0.19 and 6.0.9 "transaction failures due to history store"',
    parameter('cachePressureEvictionStallDetectionWindowSeconds'),
    'mongod source, wiredtiger_cache_pressure_monitor.cpp',
  ),
  advice:
    'Make transactions smaller and shorter: fewer documents each, and no waiting for a person ' +
    'or another system inside. If they must be large, the cache is too small for them.',
  whenNot: 'Do not raise transactionLifetimeLimitSeconds: longer transactions pin more.',
  speaksFor: ['history'],
  check({
    'transaction.rolledBackForEviction': byEngine,
    'cachePressure.kills': byServer = 0,
    'cachePressure.share': pressureShare = 0,
  }) {
    const values = { transactions: byEngine + byServer, pressureShare };
    if (values.transactions > 0) return { status: 'warning', code: 'rolled-back', values };
    return pressureShare > 0
      ? { status: 'warning', code: 'pressure', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: (values) => number(values),
    'rolled-back': (values) => number(values),
    pressure: ({ pressureShare }) =>
      `In ${percent(pressureShare)} of its samples the cache is so stuck that mongod aborts the oldest ` +
      'transactions.',
  },
});

/** @param {{ transactions: number }} values */
const number = ({ transactions }) =>
  `${many(transactions, 'transaction')} rolled back to free cache space.`;
