'use strict';

const { testRule } = require('../../../support/rule-tester');

/**
 * @import { Metrics } from '../../../../lib/server/pure/metrics'
 */

const updates = (/** @type {number} */ ratio, /** @type {number} */ waiting = 0) => ({
  'cache.updatesRatio': ratio,
  'clients.waitingForCache': waiting,
});

/** @param {Metrics} [more] */
const lowered = (more = {}) => ({
  ...updates(0.02, 2),
  'cache.updatesRatioMax': 0.03,
  'cache.updatesHardShare': 0.05,
  'clients.busy': 8,
  ...more,
});

testRule(__filename, [
  ['below the target', updates(0.025), 'ok', /below the target of 2\.5 %/],
  ['above it', updates(0.026), 'info'],
  ['three quarters of the way', updates(0.075), 'info'],
  ['beyond them', updates(0.076), 'warning', /close to the trigger of 10 %/],
  ['just below the trigger', updates(0.099), 'warning'],
  [
    'at the trigger, harmless',
    updates(0.1, 0.05),
    'warning',
    /waiting for the cache costs the clients 0\.05 threads/,
  ],
  ['at the trigger, and clients wait', updates(0.1, 0.06), 'critical', /10\.0 %/, /currentOp/],
  [
    'at the trigger, and what it costs is not known',
    { 'cache.updatesRatio': 0.1 },
    'critical',
    /trigger of 10 %\.$/,
  ],
  ['just above the target', updates(0.0252), 'info'],
  ['just above three quarters', updates(0.0752), 'warning', /close to/],
  [
    'the server says that it was there between two samples',
    { ...updates(0.08, 1), 'cache.updatesHardShare': 0.05 },
    'critical',
    /below the trigger of 10 %, but in 5\.0 % of the samples clients were made to evict for it, and waiting for the cache costs the clients 1 thread/,
  ],
  [
    '… at no price',
    { ...updates(0.08, 0.05), 'cache.updatesHardShare': 0.05 },
    'warning',
    /made to evict/,
  ],
  [
    'far below it, and clients are made to evict for it',
    lowered(),
    'critical',
    /2\.0 % of the cache is update data, and clients are made to evict for it: somebody seems to have lowered its trigger of 10 %, or the dirty one/,
  ],
  ['… in fewer than one sample of 20', lowered({ 'cache.updatesHardShare': 0.04 }), 'ok'],
  [
    '… not so far',
    lowered({ 'cache.updatesRatio': 0.075 }),
    'critical',
    /below the trigger of 10 %, but/,
  ],
  [
    '… under a trigger that is known',
    lowered({ 'config.updatesTriggerRatio': 0.1 }),
    'critical',
    /below the trigger of 10 %, but/,
  ],
  [
    'a trigger of its own counts',
    { ...updates(0.1, 1), 'config.updatesTriggerRatio': 0.2, 'config.updatesTargetRatio': 0.1 },
    'ok',
  ],
]);
