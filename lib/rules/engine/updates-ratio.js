'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole, many } = require('../../signals/words');
const { HEALTHY_THREADS } = require('../../signals/clients');
const { dirtyLimit, HARD_SHARE } = require('../../signals/dirty-limit');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Judgement } from '../define-rule'
 */

// WiredTiger's defaults: half of the dirty thresholds, 2.5 and 10 %.
const TARGET_RATIO = 0.025;
const TRIGGER_RATIO = 0.1;
// Three quarters of the way to the trigger a burst may reach it, as with dirty data.
const NEAR_TRIGGER = 0.75;

module.exports = defineRule({
  id: 'updates-ratio',
  area: 'cache',
  title: 'How much of the cache is update data',
  why:
    'Changes wait in memory beside their pages until the pages are written, and old ones until ' +
    'no snapshot needs them. At the updates trigger clients must evict pages before they may go on.',
  needs: ['cache.updatesRatio'],
  wants: [
    'cache.updatesRatioMax',
    'config.updatesTargetRatio',
    'config.updatesTriggerRatio',
    'transaction.pinnedIdsMax',
    'clients.waitingForCache',
    'clients.evicting',
    'clients.busy',
    'cache.updatesHardShare',
    'cache.updatesHardLevelRatio',
  ],
  limits: { nearTriggerRatio: NEAR_TRIGGER },
  threshold:
    `Above eviction_updates_target (default ${whole(TARGET_RATIO)}): information. Above ` +
    `${whole(NEAR_TRIGGER)} of eviction_updates_trigger (default ${whole(TRIGGER_RATIO)}): ` +
    `warning. At the trigger, or when the server says in ${whole(HARD_SHARE)} of the samples ` +
    'that clients are made to evict for it: critical, unless it tells that clients lose no ' +
    'time to eviction; so too far below it, where the trigger in force is not known and ' +
    'clients are made to evict for update data.',
  source:
    'WiredTiger, dist/api_data.py: updates thresholds are half of the dirty ones unless set; ' +
    'docs/evidence/dirty-thresholds.md',
  advice:
    'Look for long transactions and open snapshots first: db.currentOp({ ' +
    '"transaction.timeOpenMicros": { $gt: 1e7 } }). Then as for dirty data: a larger cache, ' +
    'then higher thresholds.',
  whenNot:
    'Inserts alone hold 7 to 9 % with the default thresholds; that needs nothing while ' +
    'clients lose no time.',
  speaksFor: ['cache-dirty'],
  check(metrics, { nearTriggerRatio }) {
    const {
      'cache.updatesRatio': updates,
      'cache.updatesRatioMax': peak = null,
      'config.updatesTriggerRatio': trigger = TRIGGER_RATIO,
      'transaction.pinnedIdsMax': pinned = null,
    } = metrics;
    const evidence = {
      'cache.updatesRatio': updates,
      'cache.updatesRatioMax': peak,
      updatesTriggerRatio: trigger,
      'transaction.pinnedIdsMax': pinned,
    };
    return {
      evidence,
      ...(updates >= trigger || isHard(metrics)
        ? atTrigger(metrics, trigger)
        : belowTrigger(metrics, { trigger, nearTriggerRatio })),
    };
  },
});

/** The server says that clients are made to evict for it. @param {Metrics} metrics */
const isHard = (metrics) => (metrics['cache.updatesHardShare'] ?? 0) >= HARD_SHARE;

/** @param {Metrics} metrics @param {number} trigger @returns {Judgement} */
function atTrigger(metrics, trigger) {
  const {
    'cache.updatesRatio': updates = 0,
    'cache.updatesHardShare': hard = 0,
    'clients.waitingForCache': waiting,
  } = metrics;
  const say = `${percent(updates)} of the cache is update data`;
  if (updates < trigger && dirtyLimit(metrics).updates.how === 'suspected-lower') {
    return {
      status: 'critical',
      say:
        `${say}, and clients are made to evict for it: somebody seems to have lowered its ` +
        `trigger of ${whole(trigger)}, or the dirty one.`,
      advice: 'Return to the defaults: 5/20, and half of that for update data.',
    };
  }
  const where =
    updates >= trigger
      ? `at the trigger of ${whole(trigger)}`
      : `below the trigger of ${whole(trigger)}, but in ${percent(hard)} of the samples clients ` +
        'were made to evict for it';
  if (waiting === undefined) return { status: 'critical', say: `${say}: ${where}.` };
  return {
    status: waiting > HEALTHY_THREADS ? 'critical' : 'warning',
    say:
      `${say}: ${where}, and waiting for the cache costs the clients ` +
      `${many(waiting, 'thread')}.`,
  };
}

/**
 * @param {Metrics} metrics
 * @param {{ trigger: number, nearTriggerRatio: number }} at
 * @returns {Judgement}
 */
function belowTrigger(
  { 'cache.updatesRatio': updates = 0, 'config.updatesTargetRatio': target = TARGET_RATIO },
  { trigger, nearTriggerRatio },
) {
  const say = `${percent(updates)} of the cache is update data`;
  if (updates > trigger * nearTriggerRatio)
    return { status: 'warning', say: `${say}: close to the trigger of ${whole(trigger)}.` };
  if (updates > target)
    return {
      status: 'info',
      say: `${say}: above the target of ${whole(target)}, so eviction threads are at it.`,
    };
  return { status: 'ok', say: `${say}: below the target of ${whole(target)}.` };
}
