'use strict';

const { testRule } = require('../../../support/rule-tester');

/**
 * @import { Metrics } from '../../../../lib/server/pure/metrics'
 */

const updates = (/** @type {number} */ ratio, /** @type {number} */ waiting = 0) => ({
  'cache.updatesRatio': ratio,
  'clients.waitingThreads': waiting,
});

/** @param {Metrics} [more] */
const lowered = (more = {}) => ({
  ...updates(0.02, 2),
  'cache.updatesRatioMax': 0.03,
  'cache.updatesHardShare': 0.05,
  'clients.busyThreads': 8,
  ...more,
});

testRule(__filename, [
  ['below the target', updates(0.025), 'ok', 'fine', { updatesRatio: 0.025, targetRatio: 0.025 }],
  ['above it', updates(0.026), 'info', 'above-target'],
  ['three quarters of the way', updates(0.075), 'info', 'above-target'],
  ['beyond them', updates(0.076), 'warning', 'near-trigger', { triggerRatio: 0.1 }],
  ['just below the trigger', updates(0.099), 'warning', 'near-trigger'],
  [
    'at the trigger, harmless',
    updates(0.1, 0.05),
    'warning',
    'at-trigger',
    { waitingThreads: 0.05 },
  ],
  [
    'at the trigger, and clients wait',
    updates(0.1, 0.06),
    'critical',
    'at-trigger',
    { updatesRatio: 0.1, triggerRatio: 0.1 },
  ],
  [
    'at the trigger, and what it costs is not known',
    { 'cache.updatesRatio': 0.1 },
    'critical',
    'at-trigger',
    { updatesRatio: 0.1, triggerRatio: 0.1 },
  ],
  ['just above the target', updates(0.0252), 'info', 'above-target'],
  ['just above three quarters', updates(0.0752), 'warning', 'near-trigger'],
  [
    'the server says that it was there between two samples',
    { ...updates(0.08, 1), 'cache.updatesHardShare': 0.05 },
    'critical',
    'clients-evict',
    { triggerRatio: 0.1, hardShare: 0.05, waitingThreads: 1 },
  ],
  [
    '… at no price',
    { ...updates(0.08, 0.05), 'cache.updatesHardShare': 0.05 },
    'warning',
    'clients-evict',
  ],
  [
    'far below it, and application threads are made to evict for it',
    lowered(),
    'critical',
    'lowered-trigger',
    { updatesRatio: 0.02, triggerRatio: 0.1 },
  ],
  ['… in fewer than one sample of 20', lowered({ 'cache.updatesHardShare': 0.04 }), 'ok', 'fine'],
  [
    '… not so far',
    lowered({ 'cache.updatesRatio': 0.075 }),
    'critical',
    'clients-evict',
    { triggerRatio: 0.1 },
  ],
  [
    '… under a trigger that is known',
    lowered({ 'config.updatesTriggerRatio': 0.1 }),
    'critical',
    'clients-evict',
    { triggerRatio: 0.1 },
  ],
  [
    'a trigger of its own counts',
    { ...updates(0.1, 1), 'config.updatesTriggerRatio': 0.2, 'config.updatesTargetRatio': 0.1 },
    'ok',
    'fine',
  ],
  [
    'a soft trigger is drawn in step by step',
    {
      'cache.updatesRatio': 0.119,
      'config.updatesTriggerRatio': 0.1,
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
      'cache.updatesRatio': 0.12,
      'config.updatesTriggerRatio': 0.1,
      'cache.toleranceRatio': 0.2,
      'clients.waitingThreads': 3,
      'clients.busyThreads': 9,
    },
    'critical',
    'at-trigger',
    { toleranceRatio: 0.2 },
  ],
]);
