'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole, many } = require('../../signals/words');
const { HEALTHY_THREADS, evictionLoss } = require('../../signals/clients');
const { dirtyLimit, HARD_SHARE } = require('../../signals/dirty-limit');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Judgement } from '../define-rule'
 */

// WiredTiger's defaults (dist/api_data.py): eviction threads write above the target, clients must
// help above the trigger.
const TARGET_RATIO = 0.05;
const TRIGGER_RATIO = 0.2;
// Three quarters of the way to the trigger (15 % by default) a burst of writes may reach it.
const NEAR_TRIGGER = 0.75;

module.exports = defineRule({
  id: 'dirty-ratio',
  area: 'cache',
  title: 'How much of the cache is dirty',
  why:
    'Dirty pages must be written before they can leave the cache. At the dirty trigger clients ' +
    "must evict pages before they may go on, so the disk's write rate becomes theirs.",
  needs: ['cache.dirtyRatio'],
  wants: [
    'cache.dirtyRatioMax',
    'config.dirtyTargetRatio',
    'config.dirtyTriggerRatio',
    'clients.waitingForCache',
    'clients.evicting',
    'clients.busy',
    'cache.dirtyHardShare',
    'cache.dirtyHardLevelRatio',
    'cache.updatesHardShare',
    'cache.usedRatioMax',
    'cache.updatesRatioMax',
    'config.targetRatio',
    'eviction.modifiedPagesPerSec',
    'eviction.forcedPerSec',
  ],
  limits: { nearTriggerRatio: NEAR_TRIGGER },
  threshold:
    `Above eviction_dirty_target (default ${whole(TARGET_RATIO)}): information. Above ` +
    `${whole(NEAR_TRIGGER)} of eviction_dirty_trigger (default ${whole(TRIGGER_RATIO)}): ` +
    `warning. At the trigger, or when the server says in ${whole(HARD_SHARE)} of the samples ` +
    'that clients are made to evict for it: critical, unless it tells that clients lose no ' +
    'time to eviction; so too far below it, where the trigger in force is not known and ' +
    'clients evict all the same.',
  source:
    'WiredTiger, Cache and eviction tuning: defaults 5/20 %; docs/evidence/dirty-thresholds.md',
  advice:
    'The disk takes pages more slowly than writers dirty them. In this order: a larger cache ' +
    'where memory is free; then a higher trigger (10/40, or 3/25) where the disk can write ' +
    'that much within a checkpoint interval; then fewer or smaller writes.',
  whenNot:
    'Never lower the trigger below its default: 1/5 instead of 5/20 cost 29 % of the ' +
    'throughput in the one pair of runs that compares, and stalls of 3 s in both. To lower ' +
    'the level, lower the target alone.',
  speaksFor: ['cache-dirty', 'eviction-threads'],
  check(metrics, { nearTriggerRatio }) {
    const {
      'cache.dirtyRatio': dirty,
      'cache.dirtyRatioMax': peak = null,
      'config.dirtyTriggerRatio': trigger = TRIGGER_RATIO,
    } = metrics;
    const evidence = {
      'cache.dirtyRatio': dirty,
      'cache.dirtyRatioMax': peak,
      dirtyTriggerRatio: trigger,
    };
    const say = `${percent(dirty)} of the cache is dirty`;
    return {
      evidence,
      ...(dirty >= trigger || isHard(metrics)
        ? atTrigger(metrics, trigger, say)
        : belowTrigger(metrics, { trigger, nearTriggerRatio }, say)),
    };
  },
});

/** The server says so, and the default may be what it means. @param {Metrics} metrics */
const isHard = (metrics) =>
  (metrics['cache.dirtyHardShare'] ?? 0) >= HARD_SHARE &&
  dirtyLimit(metrics).how !== 'suspected-lower';

/** @param {Metrics} metrics @param {number} trigger @param {string} say @returns {Judgement} */
function atTrigger(metrics, trigger, say) {
  const lost = evictionLoss(metrics)?.threads;
  const hurts = lost === undefined || lost > HEALTHY_THREADS;
  return {
    status: hurts ? 'critical' : 'warning',
    say:
      `${say}: ` +
      `${whereAt(metrics, trigger)}${lost === undefined ? '' : `, and eviction costs the clients ${many(lost, 'thread')}`}.`,
  };
}

/** @param {Metrics} metrics @param {number} trigger */
function whereAt(metrics, trigger) {
  const { 'cache.dirtyRatio': dirty = 0, 'cache.dirtyHardShare': hard = 0 } = metrics;
  if (dirty < trigger)
    return (
      `below the trigger of ${whole(trigger)}, but in ${percent(hard)} of the samples clients ` +
      'were made to evict for it'
    );
  return dirtyLimit(metrics).how === 'raised'
    ? `far above the default trigger of ${whole(trigger)}, which seems to have been raised`
    : `at the trigger of ${whole(trigger)}`;
}

/**
 * @param {Metrics} metrics
 * @param {{ trigger: number, nearTriggerRatio: number }} at
 * @param {string} say
 * @returns {Judgement}
 */
function belowTrigger(metrics, { trigger, nearTriggerRatio }, say) {
  const { 'cache.dirtyRatio': dirty = 0, 'config.dirtyTargetRatio': target = TARGET_RATIO } =
    metrics;
  if (dirtyLimit(metrics).how === 'suspected-lower') {
    return {
      status: 'critical',
      say:
        `${say}, and clients evict all the same, at the price of ` +
        `${many(evictionLoss(metrics)?.threads, 'thread')}: somebody seems to have lowered ` +
        `the trigger of ${whole(trigger)}.`,
      advice: 'Return to the default: 5/20.',
    };
  }
  if (dirty > trigger * nearTriggerRatio)
    return { status: 'warning', say: `${say}: close to the trigger of ${whole(trigger)}.` };
  if (dirty > target)
    return {
      status: 'info',
      say: `${say}: above the target of ${whole(target)}, so eviction threads are writing.`,
    };
  return { status: 'ok', say: `${say}: below the target of ${whole(target)}.` };
}
