'use strict';

const { testRule } = require('../../../support/rule-tester');

/**
 * @import { Metrics } from '../../../../lib/server/pure/metrics'
 */

const dirty = (/** @type {number} */ ratio, /** @type {number} */ waiting = 0) => ({
  'cache.dirtyRatio': ratio,
  'clients.waitingThreads': waiting,
});

/** @param {Metrics} [more] */
const lowered = (more = {}) => ({
  ...dirty(0.05, 2),
  'cache.dirtyRatioMax': 0.06,
  'cache.dirtyHardShare': 0.05,
  'clients.busyThreads': 8,
  ...more,
});

const ALL_LOW = {
  'cache.dirtyHardShare': 0.02,
  'cache.dirtyRatio': 0.02,
  'cache.dirtyRatioMax': 0.049,
  'cache.usedRatioMax': 0.7,
  'cache.updatesRatioMax': 0.024,
  'eviction.modifiedPagesPerSec': 20,
  'eviction.forcedPerSec': 10,
};

testRule(__filename, [
  ['below the target', dirty(0.05), 'ok', 'fine', { dirtyRatio: 0.05, targetRatio: 0.05 }],
  [
    'above the target eviction threads write',
    dirty(0.051),
    'info',
    'above-target',
    { dirtyRatio: 0.051 },
  ],
  ['three quarters of the way', dirty(0.15), 'info', 'above-target'],
  ['beyond them', dirty(0.151), 'warning', 'near-trigger', { triggerRatio: 0.2 }],
  ['just below the trigger', dirty(0.199), 'warning', 'near-trigger'],
  [
    'at the trigger, but nobody loses time',
    dirty(0.2, 0.05),
    'warning',
    'at-trigger',
    { targetRatio: 0.05, lostThreads: 0.05 },
  ],
  [
    'at the trigger, and clients lose time',
    dirty(0.2, 0.06),
    'critical',
    'at-trigger',
    { dirtyRatio: 0.2, triggerRatio: 0.2 },
  ],
  [
    'evicting counts as well as waiting',
    { 'cache.dirtyRatio': 0.2, 'clients.evictingThreads': 1 },
    'critical',
    'at-trigger',
    { lostThreads: 1 },
  ],
  [
    'at the trigger, and what it costs is not known',
    { 'cache.dirtyRatio': 0.2 },
    'critical',
    'at-trigger',
    { dirtyRatio: 0.2, triggerRatio: 0.2 },
  ],
  [
    'so far above it that it was raised',
    dirty(0.231, 1),
    'critical',
    'raised-trigger',
    { triggerRatio: 0.2, lostThreads: 1 },
  ],
  ['not so far', dirty(0.23, 1), 'critical', 'at-trigger', { triggerRatio: 0.2 }],
  [
    'a trigger that is known was not raised',
    { ...dirty(0.26, 1), 'config.dirtyTriggerRatio': 0.25 },
    'critical',
    'at-trigger',
    { triggerRatio: 0.25 },
  ],
  [
    'the server says that it was there between two samples',
    { ...dirty(0.16, 1), 'cache.dirtyHardShare': 0.05 },
    'critical',
    'clients-evict',
    { dirtyRatio: 0.16, targetRatio: 0.05, triggerRatio: 0.2, hardShare: 0.05, lostThreads: 1 },
  ],
  [
    '… at no price',
    { ...dirty(0.16, 0.05), 'cache.dirtyHardShare': 0.05 },
    'warning',
    'clients-evict',
  ],
  [
    '… in fewer samples',
    { ...dirty(0.16, 1), 'cache.dirtyHardShare': 0.049 },
    'warning',
    'near-trigger',
  ],
  [
    'far below it, and application threads are made to evict',
    lowered(),
    'critical',
    'lowered-trigger',
    { dirtyRatio: 0.05, targetRatio: 0.05, triggerRatio: 0.2, hardShare: 0.05, lostThreads: 2 },
  ],
  ['… in fewer than one sample of 20', lowered({ 'cache.dirtyHardShare': 0.04 }), 'ok', 'fine'],
  [
    '… at a small price',
    lowered({ 'clients.waitingThreads': 0.2 }),
    'critical',
    'clients-evict',
    { dirtyRatio: 0.05, targetRatio: 0.05, triggerRatio: 0.2, hardShare: 0.05, lostThreads: 0.2 },
  ],
  [
    '… not so far',
    lowered({ 'cache.dirtyRatio': 0.15 }),
    'critical',
    'clients-evict',
    { triggerRatio: 0.2 },
  ],
  [
    '… and the peak is not known',
    lowered({ 'cache.dirtyRatioMax': undefined }),
    'critical',
    'clients-evict',
    { triggerRatio: 0.2 },
  ],
  [
    '… update data it is that application threads are made to evict for',
    lowered({ ...ALL_LOW, 'cache.updatesHardShare': 0.05 }),
    'ok',
    'fine',
  ],
  [
    '… below all default targets, and dirty pages are evicted',
    lowered(ALL_LOW),
    'critical',
    'lowered-trigger',
  ],
  [
    '… fewer than ten a second',
    lowered({ ...ALL_LOW, 'eviction.modifiedPagesPerSec': 19 }),
    'ok',
    'fine',
  ],
  ['… the cache at its target', lowered({ ...ALL_LOW, 'cache.usedRatioMax': 0.8 }), 'ok', 'fine'],
  [
    '… dirty data at its target',
    lowered({ ...ALL_LOW, 'cache.dirtyRatioMax': 0.05 }),
    'ok',
    'fine',
  ],
  [
    '… update data at its target',
    lowered({ ...ALL_LOW, 'cache.updatesRatioMax': 0.025 }),
    'ok',
    'fine',
  ],
  ['… a target of its own', lowered({ ...ALL_LOW, 'config.targetRatio': 0.7 }), 'ok', 'fine'],
  [
    '… under a trigger that is known',
    lowered({ 'config.dirtyTriggerRatio': 0.2 }),
    'critical',
    'clients-evict',
    { triggerRatio: 0.2 },
  ],
  [
    'a lower trigger of its own counts',
    { ...dirty(0.05, 1), 'config.dirtyTriggerRatio': 0.05, 'config.dirtyTargetRatio': 0.01 },
    'critical',
    'at-trigger',
    { dirtyRatio: 0.05, triggerRatio: 0.05 },
  ],
  [
    'a higher one too',
    { ...dirty(0.2, 1), 'config.dirtyTriggerRatio': 0.4 },
    'info',
    'above-target',
  ],
  [
    'a soft trigger is drawn in step by step',
    {
      'cache.dirtyRatio': 0.239,
      'config.dirtyTriggerRatio': 0.2,
      'cache.toleranceRatio': 0.2,
      'clients.waitingThreads': 3,
      'clients.busyThreads': 9,
    },
    'warning',
    'at-trigger',
    { toleranceRatio: 0.2 },
  ],
  [
    'trigger and tolerance together',
    {
      'cache.dirtyRatio': 0.24,
      'config.dirtyTriggerRatio': 0.2,
      'cache.toleranceRatio': 0.2,
      'clients.waitingThreads': 3,
      'clients.busyThreads': 9,
    },
    'critical',
    'at-trigger',
    { toleranceRatio: 0.2 },
  ],
]);
