'use strict';

const { bytes, percent, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { HEALTHY_THREADS } = require('../../signals/clients');
const { sources, parameter } = require('../sources');

// WiredTiger begins to evict at this share by default (eviction_target).
const FULL_RATIO = 0.8;

module.exports = defineRule({
  id: 'spill-cache',
  area: 'memory',
  title: 'Cache for spilled sorts and groups full',
  why:
    'From 8.2 on, sorts and groups that exceed their memory spill into a WiredTiger of their own, ' +
    'with a small cache. When that is full they evict its pages themselves, and stall.',
  needs: ['spill.usedRatio'],
  wants: ['spill.evictingThreads', 'spill.maxBytes'],
  evidence: ['spill.usedRatio', 'spill.evictingThreads', 'spill.maxBytes'],
  thresholds: { fullRatio: FULL_RATIO },
  threshold:
    `Information: ${shortPercent(FULL_RATIO)} full. Warning: operations evict from it with more than ` +
    `${HEALTHY_THREADS} threads on average. Servers before 8.2 do not have it.`,
  source: sources(
    parameter('spillWiredTigerCacheSizePercentage'),
    `${shortPercent(FULL_RATIO)} is eviction_target`,
  ),
  advice:
    'Let fewer operations spill: an index for the sort, $match before $group, $limit beside $sort. ' +
    'db.currentOp() and the slow query log show usedDisk. A larger cache for them takes memory from ' +
    'the rest.',
  whenNot: 'A report that runs once a night may spill.',
  check(
    {
      'spill.usedRatio': usedRatio,
      'spill.evictingThreads': evictingThreads = 0,
      'spill.maxBytes': maxBytes = null,
    },
    { fullRatio },
  ) {
    const values = { usedRatio, evictingThreads, maxBytes };
    if (evictingThreads > HEALTHY_THREADS) return { status: 'warning', code: 'stalls', values };
    return usedRatio >= fullRatio
      ? { status: 'info', code: 'full', values }
      : { status: 'ok', code: 'fine', values };
  },
  messages: {
    fine: (values) => `${used(values)}.`,
    full: (values) => `${used(values)}.`,
    stalls: (values) =>
      `${used(values)}, and ${many(values.evictingThreads, 'thread')} of operations evict from it.`,
  },
});

/** @param {{ usedRatio: number, maxBytes: number | null }} values */
const used = ({ usedRatio, maxBytes }) =>
  `${percent(usedRatio)} of the cache for spilling${maxBytes === null ? '' : ` (${bytes(maxBytes)})`} ` +
  'is used';
