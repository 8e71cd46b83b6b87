'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole, many } = require('../../signals/words');
const { HEALTHY_THREADS } = require('../../signals/clients');
const { dirtyLimit, HARD_SHARE } = require('../../signals/dirty-limit');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Judgement } from '../rule'
 */

// WiredTiger's defaults: half of the dirty thresholds, 2.5 and 10%.
const TARGET_RATIO = 0.025;
const TRIGGER_RATIO = 0.1;
// Three quarters of the way to the trigger a burst may reach it, as with dirty data.
const NEAR_TRIGGER = 0.75;

module.exports = defineRule({
  id: 'updates-ratio',
  area: 'cache',
  title: 'Too much update data in the cache',
  why:
    'Changes wait in memory beside their pages until the pages are written, and old ones until ' +
    'no snapshot needs them. At the updates trigger application threads must evict pages before they may go on.',
  needs: ['cache.updatesRatio'],
  wants: [
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
    `Above eviction_updates_target (default ${whole(TARGET_RATIO)}): information. Above ` +
    `${whole(NEAR_TRIGGER)} of eviction_updates_trigger (default ${whole(TRIGGER_RATIO)}): ` +
    `warning. At the trigger, or when the server says in ${whole(HARD_SHARE)} of the samples ` +
    'that application threads are made to evict for it: critical, unless it tells that clients lose no ' +
    'time to eviction; so too far below it, where the trigger in effect is not known and ' +
    'application threads are made to evict for update data.',
  source:
    'WiredTiger, dist/api_data.py: updates thresholds are half of the dirty ones unless set; ' +
    'docs/evidence/dirty-thresholds.md',
  advice:
    'Look for long transactions and open snapshots first: db.currentOp({ ' +
    '"transaction.timeOpenMicros": { $gt: 1e7 } }). Then as for dirty data: a larger cache, ' +
    'then higher thresholds.',
  whenNot:
    'Inserts alone hold 7 to 9% with the default thresholds; that needs nothing while ' +
    'clients lose no time.',
  speaksFor: ['cache-dirty'],
  check(metrics, { nearTriggerRatio }) {
    const {
      'cache.updatesRatio': updatesRatio,
      'cache.updatesRatioMax': peak = null,
      'config.updatesTargetRatio': targetRatio = TARGET_RATIO,
      'config.updatesTriggerRatio': triggerRatio = TRIGGER_RATIO,
      'cache.updatesHardShare': hardShare = 0,
      'clients.waitingThreads': waitingThreads = null,
      'transaction.pinnedIdsMax': pinned = null,
    } = metrics;
    const evidence = {
      'cache.updatesRatio': updatesRatio,
      'cache.updatesRatioMax': peak,
      updatesTriggerRatio: triggerRatio,
      'transaction.pinnedIdsMax': pinned,
    };
    const values = { updatesRatio, targetRatio, triggerRatio, hardShare, waitingThreads };
    const found =
      updatesRatio >= triggerRatio || hardShare >= HARD_SHARE
        ? atTrigger(values, dirtyLimit(metrics).updates.how)
        : belowTrigger(values, triggerRatio * nearTriggerRatio);
    return { ...found, values, evidence };
  },
  messages: {
    fine: (values) => `${updates(values)}: below the target of ${whole(values.targetRatio)}.`,
    'above-target': (values) =>
      `${updates(values)}: above the target of ${whole(values.targetRatio)}, so eviction threads ` +
      'are at it.',
    'near-trigger': (values) =>
      `${updates(values)}: close to the trigger of ${whole(values.triggerRatio)}.`,
    'at-trigger': (values) =>
      `${updates(values)}: at the trigger of ${whole(values.triggerRatio)}${costs(values)}.`,
    'clients-evict': (values) =>
      `${updates(values)}: below the trigger of ${whole(values.triggerRatio)}, but in ` +
      `${percent(values.hardShare)} of the samples clients were made to evict for it` +
      `${costs(values)}.`,
    'lowered-trigger': (values) =>
      `${updates(values)}, and application threads are made to evict for it: somebody seems to have lowered ` +
      `its trigger of ${whole(values.triggerRatio)}, or the dirty one.`,
  },
  adviceFor: {
    'lowered-trigger': () => 'Return to the defaults: 5/20, and half of that for update data.',
  },
});

/**
 * @typedef {{
 *   updatesRatio: number, targetRatio: number, triggerRatio: number, hardShare: number,
 *   waitingThreads: number | null
 * }} Level
 */

/** @param {Level} values @param {string} how what is known of the trigger */
function atTrigger({ updatesRatio, triggerRatio, waitingThreads }, how) {
  const hurts = waitingThreads === null || waitingThreads > HEALTHY_THREADS;
  const status = hurts ? 'critical' : 'warning';
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

/** What it costs, where that is known. @param {{ waitingThreads: number | null }} values */
const costs = ({ waitingThreads }) =>
  waitingThreads === null
    ? ''
    : `, and waiting for the cache costs the clients ${many(waitingThreads, 'thread')}`;
