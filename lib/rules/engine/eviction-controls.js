'use strict';

const { percent, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { evictionLoss, isEvictionSevere } = require('../../signals/clients');
const { HARD_SHARE } = require('../../signals/dirty-limit');
const { TARGET_SHARE } = require('../../signals/cache');
const { sources, ticket, wiredTigerSource } = require('../sources');

// At this score every client evicts, with or without the control (WiredTiger's evict_inline.h).
const ALL_CLIENTS_SCORE = 20;
// The releases that have the controls for certain, by changelog; see versionNumber.
const SINCE_8_0 = 80_016;
const END_OF_8_0 = 80_100;

module.exports = defineRule({
  id: 'eviction-controls',
  area: 'eviction',
  title: 'All application threads stall at a trigger of a cache with free space',
  why:
    'At the dirty or updates trigger every application thread evicts, although the cache has free ' +
    'space. incremental_app_eviction draws in a part of them first, the more the longer eviction ' +
    'makes no progress.',
  needs: ['server.versionNumber', 'cache.usedRatioMax', 'eviction.aggressiveScoreMax'],
  wants: [
    'config.targetRatio',
    'cache.dirtyHardShare',
    'cache.updatesHardShare',
    'clients.waitingThreads',
    'clients.evictingThreads',
    'clients.busyThreads',
  ],
  threshold:
    `Information: application threads evict for dirty or update data in ${shortPercent(HARD_SHARE)} of the ` +
    'samples and spend a tenth of their time on it. The cache is below eviction_target, the eviction score ' +
    `below ${ALL_CLIENTS_SCORE}. Releases from 8.0.16 on, within 8.0.`,
  source: sources(
    ticket('WT-15210', 'incremental eviction by application threads, in 8.0.16'),
    wiredTigerSource('cache_eviction_controls', 'src/evict/evict_inline.h'),
  ),
  advice: 'Try incremental_app_eviction on a test server first.',
  whenNot:
    'It is experimental in WiredTiger. A full cache, or a disk that cannot write what is changed, is ' +
    'not helped by it: see dirty-ratio first.',
  check(metrics) {
    const {
      'server.versionNumber': version,
      'cache.usedRatioMax': usedRatio,
      'eviction.aggressiveScoreMax': score,
      'config.targetRatio': targetRatio = TARGET_SHARE,
    } = metrics;
    const values = { usedRatio, lostThreads: evictionLoss(metrics)?.threads ?? null };
    const evidence = { 'cache.usedRatioMax': usedRatio, 'eviction.aggressiveScoreMax': score };
    if (version < SINCE_8_0 || version >= END_OF_8_0)
      return { status: 'ok', code: 'not-there', values, evidence };
    return usedRatio < targetRatio && score < ALL_CLIENTS_SCORE && stallsAtTrigger(metrics)
      ? { status: 'info', code: 'worth-trying', values, evidence }
      : { status: 'ok', code: 'no-need', values, evidence };
  },
  messages: {
    'not-there': () => 'The controls of eviction are not known to be in this release.',
    'no-need': ({ usedRatio }) =>
      `At most ${percent(usedRatio)} of the cache was used; no stall that the controls are for.`,
    'worth-trying': ({ usedRatio, lostThreads }) =>
      `${many(Number(lostThreads), 'application thread')} waiting for cache space at a trigger on average, while ` +
      `at most ${percent(usedRatio)} of the cache is used.`,
  },
  adviceFor: {
    'worth-trying': () =>
      'On a test server with this load: db.adminCommand({ setParameter: 1, wiredTigerEngineRuntimeConfig: ' +
      '"cache_eviction_controls=(incremental_app_eviction=true)" }), back with =false. Compare the ' +
      'latency of both for some minutes each.',
  },
});

/**
 * Whether application threads lose much time to a trigger of dirty or update data.
 * @param {import('../../server/pure/metrics').Metrics} metrics
 */
const stallsAtTrigger = (metrics) =>
  Math.max(metrics['cache.dirtyHardShare'] ?? 0, metrics['cache.updatesHardShare'] ?? 0) >=
    HARD_SHARE && isEvictionSevere(metrics);
