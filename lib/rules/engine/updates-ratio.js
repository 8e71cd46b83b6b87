'use strict';

const { percent, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { HEALTHY_THREADS } = require('../../signals/clients');
const {
  dirtyLimit,
  DEFAULT_TARGET_RATIO,
  DEFAULT_TRIGGER_RATIO,
  HARD_SHARE,
  OF_DIRTY,
} = require('../../signals/dirty-limit');
const { sources, wiredTigerSource, measured, ticket } = require('../sources');

// WiredTiger's defaults: half of the dirty thresholds, 2.5 and 10%.
const TARGET_RATIO = DEFAULT_TARGET_RATIO * OF_DIRTY;
const TRIGGER_RATIO = DEFAULT_TRIGGER_RATIO * OF_DIRTY;
// Three quarters of the way to the trigger a burst may reach it, as with dirty data.
const NEAR_TRIGGER = 0.75;

module.exports = defineRule({
  id: 'updates-ratio',
  area: 'cache',
  title: 'Too much update data in the cache',
  why:
    'Updates stay in memory beside their page until it is written, and old versions until no ' +
    'snapshot needs them. At the updates trigger, application threads must evict pages before ' +
    'they continue.',
  needs: ['cache.updatesRatio'],
  wants: [
    'cache.toleranceRatio',
    'cache.updatesRatioMax',
    'config.updatesTargetRatio',
    'config.updatesTriggerRatio',
    'transaction.pinnedIdsMax',
    'clients.waitingThreads',
    'clients.evictingThreads',
    'clients.busyThreads',
    'cache.updatesHardShare',
    'cache.updatesHardLevelRatio',
  ],
  thresholds: { nearTriggerRatio: NEAR_TRIGGER },
  threshold:
    `Information: above eviction_updates_target (default ${shortPercent(TARGET_RATIO)}). Warning: ` +
    `above ${shortPercent(NEAR_TRIGGER)} of eviction_updates_trigger (default ` +
    `${shortPercent(TRIGGER_RATIO)}). Critical: at the trigger, or application threads made to evict ` +
    `for it in ${shortPercent(HARD_SHARE)} of the samples. ` +
    'Warning instead, if application threads do not wait, or if a tolerance makes the trigger soft ' +
    '(cache_tolerance_for_app_eviction) and the level is below trigger and tolerance together.',
  source: sources(
    wiredTigerSource(
      'eviction_updates_target and _trigger: half of the dirty ones unless set',
      'dist/api_data.py',
    ),
    measured('dirty-thresholds'),
    ticket('WT-15843', 'the updates trigger as high as the dirty trigger'),
    ticket('WT-16004', 'reverted: other loads became slower'),
  ),
  advice:
    'Find long transactions and open snapshots first: db.currentOp({ ' +
    '"transaction.timeOpenMicros": { $gt: 1e7 } }). Then as for dirty data: a larger cache, ' +
    'then higher thresholds. Where dirty data is far below its trigger, test evictionUpdatesTrigger: 20 alone.',
  whenNot:
    'Inserts alone keep 7 to 9% update data with the default thresholds. No action is needed ' +
    'while application threads do not wait.',
  speaksFor: ['cache-dirty'],
  check(metrics, { nearTriggerRatio }) {
    const {
      'cache.updatesRatio': updatesRatio,
      'cache.updatesRatioMax': peak = null,
      'config.updatesTargetRatio': targetRatio = TARGET_RATIO,
      'config.updatesTriggerRatio': triggerRatio = TRIGGER_RATIO,
      'cache.updatesHardShare': hardShare = 0,
      'cache.toleranceRatio': toleranceRatio = 0,
      'clients.waitingThreads': waitingThreads = null,
      'transaction.pinnedIdsMax': pinned = null,
    } = metrics;
    const evidence = {
      'cache.updatesRatio': updatesRatio,
      'cache.updatesRatioMax': peak,
      updatesTriggerRatio: triggerRatio,
      'transaction.pinnedIdsMax': pinned,
    };
    const values = {
      updatesRatio,
      targetRatio,
      triggerRatio,
      hardShare,
      waitingThreads,
      toleranceRatio,
    };
    const found =
      updatesRatio >= triggerRatio || hardShare >= HARD_SHARE
        ? atTrigger(values, dirtyLimit(metrics).updates.how)
        : belowTrigger(values, triggerRatio * nearTriggerRatio);
    return { ...found, values, evidence };
  },
  messages: {
    fine: (values) =>
      `${updates(values)}, within the target of ${shortPercent(values.targetRatio)}.`,
    'above-target': (values) =>
      `${updates(values)}, above the target of ${shortPercent(values.targetRatio)}: eviction threads ` +
      'are writing.',
    'near-trigger': (values) =>
      `${updates(values)}, close to the trigger of ${shortPercent(values.triggerRatio)}.`,
    'at-trigger': (values) =>
      `${updates(values)}, at the trigger of ${shortPercent(values.triggerRatio)}${costs(values)}.`,
    'clients-evict': (values) =>
      `On average ${updates(values)}. ${percent(values.hardShare)} of the samples reach the ` +
      `${shortPercent(values.triggerRatio)} trigger: application threads evict${costs(values)}.`,
    'lowered-trigger': (values) =>
      `${updates(values)}, yet application threads evict: the updates trigger or the dirty ` +
      `trigger appears to be below its default (${shortPercent(values.triggerRatio)} for update data).`,
  },
  adviceFor: {
    'lowered-trigger': () =>
      'Return to the defaults: dirty target 5%, trigger 20%; half of both for update data.',
  },
});

/**
 * @typedef {{
 *   updatesRatio: number, targetRatio: number, triggerRatio: number, hardShare: number,
 *   waitingThreads: number | null, toleranceRatio: number
 * }} Level
 */

/** @param {Level} values @param {string} how what is known of the trigger */
function atTrigger({ updatesRatio, triggerRatio, waitingThreads, toleranceRatio }, how) {
  const hurts = waitingThreads === null || waitingThreads > HEALTHY_THREADS;
  const isSoft = toleranceRatio > 0 && updatesRatio < triggerRatio * (1 + toleranceRatio);
  const status = hurts && !isSoft ? 'critical' : 'warning';
  if (updatesRatio >= triggerRatio) return /** @type {const} */ ({ status, code: 'at-trigger' });
  return how === 'suspected-lower'
    ? /** @type {const} */ ({ status: 'critical', code: 'lowered-trigger' })
    : /** @type {const} */ ({ status, code: 'clients-evict' });
}

/** @param {Level} values @param {number} nearRatio */
function belowTrigger({ updatesRatio, targetRatio }, nearRatio) {
  if (updatesRatio > nearRatio)
    return /** @type {const} */ ({ status: 'warning', code: 'near-trigger' });
  return updatesRatio > targetRatio
    ? /** @type {const} */ ({ status: 'info', code: 'above-target' })
    : /** @type {const} */ ({ status: 'ok', code: 'fine' });
}

/** The begin of each sentence. @param {{ updatesRatio: number }} values */
const updates = ({ updatesRatio }) => `${percent(updatesRatio)} of the cache is update data`;

/** Says what it costs, where that is known. @param {{ waitingThreads: number | null }} values */
const costs = ({ waitingThreads }) =>
  waitingThreads === null
    ? ''
    : `; ${many(waitingThreads, 'application thread')} waiting for cache space on average`;
