'use strict';

const { testRule } = require('../../../support/rule-tester');

/**
 * @import { Metrics } from '../../../../lib/server/pure/metrics'
 */

const dirty = (/** @type {number} */ ratio, /** @type {number} */ waiting = 0) => ({
  'cache.dirtyRatio': ratio,
  'clients.waitingForCache': waiting,
});

/** @param {Metrics} [more] */
const lowered = (more = {}) => ({
  ...dirty(0.05, 2),
  'cache.dirtyRatioMax': 0.06,
  'cache.dirtyHardShare': 0.05,
  'clients.busy': 8,
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
  ['below the target', dirty(0.05), 'ok', /below the target of 5 %/],
  ['above the target eviction threads write', dirty(0.051), 'info', /5\.1 % .*above the target/],
  ['three quarters of the way', dirty(0.15), 'info'],
  ['beyond them', dirty(0.151), 'warning', /close to the trigger of 20 %/],
  ['just below the trigger', dirty(0.199), 'warning'],
  [
    'at the trigger, but nobody loses time',
    dirty(0.2, 0.05),
    'warning',
    /eviction costs the clients 0\.05 threads\.$/,
  ],
  [
    'at the trigger, and clients lose time',
    dirty(0.2, 0.06),
    'critical',
    /20\.0 % .*trigger of 20 %/,
    /larger cache/,
  ],
  [
    'evicting counts as well as waiting',
    { 'cache.dirtyRatio': 0.2, 'clients.evicting': 1 },
    'critical',
    /costs the clients 1 thread\./,
  ],
  [
    'at the trigger, and what it costs is not known',
    { 'cache.dirtyRatio': 0.2 },
    'critical',
    /trigger of 20 %\.$/,
  ],
  [
    'so far above it that it was raised',
    dirty(0.231, 1),
    'critical',
    /far above the default trigger of 20 %, which seems to have been raised, and eviction costs the clients 1 thread/,
  ],
  ['not so far', dirty(0.23, 1), 'critical', /at the trigger of 20 %/],
  [
    'a trigger that is known was not raised',
    { ...dirty(0.26, 1), 'config.dirtyTriggerRatio': 0.25 },
    'critical',
    /at the trigger of 25 %/,
  ],
  [
    'the server says that it was there between two samples',
    { ...dirty(0.16, 1), 'cache.dirtyHardShare': 0.05 },
    'critical',
    /16\.0 % of the cache is dirty: below the trigger of 20 %, but in 5\.0 % of the samples clients were made to evict for it, and eviction costs the clients 1 thread/,
  ],
  [
    '… at no price',
    { ...dirty(0.16, 0.05), 'cache.dirtyHardShare': 0.05 },
    'warning',
    /made to evict/,
  ],
  [
    '… in fewer samples',
    { ...dirty(0.16, 1), 'cache.dirtyHardShare': 0.049 },
    'warning',
    /close to/,
  ],
  [
    'far below it, and clients are made to evict',
    lowered(),
    'critical',
    /5\.0 % of the cache is dirty, and clients evict all the same, at the price of 2 threads: somebody seems to have lowered the trigger of 20 %/,
    /5\/20/,
  ],
  ['… in fewer than one sample of 20', lowered({ 'cache.dirtyHardShare': 0.04 }), 'ok'],
  [
    '… at a small price',
    lowered({ 'clients.waitingForCache': 0.2 }),
    'critical',
    /below the trigger of 20 %, but in 5\.0 %/,
  ],
  [
    '… not so far',
    lowered({ 'cache.dirtyRatio': 0.15 }),
    'critical',
    /below the trigger of 20 %, but/,
  ],
  [
    '… and the peak is not known',
    lowered({ 'cache.dirtyRatioMax': undefined }),
    'critical',
    /below the trigger of 20 %, but/,
  ],
  [
    '… update data it is that clients are made to evict for',
    lowered({ ...ALL_LOW, 'cache.updatesHardShare': 0.05 }),
    'ok',
  ],
  ['… below all default targets, and dirty pages are evicted', lowered(ALL_LOW), 'critical'],
  ['… fewer than ten a second', lowered({ ...ALL_LOW, 'eviction.modifiedPagesPerSec': 19 }), 'ok'],
  ['… the cache at its target', lowered({ ...ALL_LOW, 'cache.usedRatioMax': 0.8 }), 'ok'],
  ['… dirty data at its target', lowered({ ...ALL_LOW, 'cache.dirtyRatioMax': 0.05 }), 'ok'],
  ['… update data at its target', lowered({ ...ALL_LOW, 'cache.updatesRatioMax': 0.025 }), 'ok'],
  ['… a target of its own', lowered({ ...ALL_LOW, 'config.targetRatio': 0.7 }), 'ok'],
  [
    '… under a trigger that is known',
    lowered({ 'config.dirtyTriggerRatio': 0.2 }),
    'critical',
    /below the trigger of 20 %, but/,
  ],
  [
    'a lower trigger of its own counts',
    { ...dirty(0.05, 1), 'config.dirtyTriggerRatio': 0.05, 'config.dirtyTargetRatio': 0.01 },
    'critical',
    /trigger of 5 %/,
  ],
  ['a higher one too', { ...dirty(0.2, 1), 'config.dirtyTriggerRatio': 0.4 }, 'info'],
]);
