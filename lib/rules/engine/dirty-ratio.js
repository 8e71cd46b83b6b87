'use strict';

const { percent, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { HEALTHY_THREADS, evictionLoss } = require('../../signals/clients');
const {
  dirtyLimit,
  DEFAULT_TARGET_RATIO,
  DEFAULT_TRIGGER_RATIO,
  HARD_SHARE,
} = require('../../signals/dirty-limit');
const { sources, wiredTiger, measured } = require('../sources');

// Three quarters of the way to the trigger (15% by default) a burst of writes may reach it.
const NEAR_TRIGGER = 0.75;

module.exports = defineRule({
  id: 'dirty-ratio',
  area: 'cache',
  title: 'Too much of the cache dirty',
  why:
    'Dirty pages must be written before they can leave the cache. At the dirty trigger, ' +
    'application threads must evict pages before they continue: clients then run at the write ' +
    'rate of the disk.',
  needs: ['cache.dirtyRatio'],
  wants: [
    'cache.toleranceRatio',
    'cache.dirtyRatioMax',
    'config.dirtyTargetRatio',
    'config.dirtyTriggerRatio',
    'clients.waitingThreads',
    'clients.evictingThreads',
    'clients.busyThreads',
    'cache.dirtyHardShare',
    'cache.dirtyHardLevelRatio',
    'cache.updatesHardShare',
    'cache.usedRatioMax',
    'cache.updatesRatioMax',
    'config.targetRatio',
    'eviction.modifiedPagesPerSec',
    'eviction.forcedPerSec',
  ],
  thresholds: { nearTriggerRatio: NEAR_TRIGGER },
  threshold:
    `Information: above eviction_dirty_target (default ${shortPercent(DEFAULT_TARGET_RATIO)}). Warning: above ` +
    `${shortPercent(NEAR_TRIGGER)} of eviction_dirty_trigger (default ${shortPercent(DEFAULT_TRIGGER_RATIO)}). ` +
    'Critical: at the trigger, or application threads made to evict for it in ' +
    `${shortPercent(HARD_SHARE)} of the samples. ` +
    'Warning instead, if application threads do not wait, or if a tolerance makes the trigger soft ' +
    '(cache_tolerance_for_app_eviction) and the level is below trigger and tolerance together.',
  source: sources(
    wiredTiger('Cache and eviction tuning', 'tune_cache'),
    measured('dirty-thresholds'),
  ),
  advice:
    'Dirty data is produced faster than the disk can write it. 1. Enlarge the cache if RAM is ' +
    'free. 2. Raise the trigger (target 3% and trigger 25%, or 10% and 40%) if the disk can write ' +
    'that much within a checkpoint interval. 3. Reduce writes.',
  whenNot:
    'Never lower the trigger below its default: a trigger of 5% (target 1%) reduced throughput by ' +
    '29% and caused stalls of 3 s. To reduce dirty data, lower only the target.',
  speaksFor: ['cache-dirty', 'eviction-threads'],
  check(metrics, { nearTriggerRatio }) {
    const {
      'cache.dirtyRatio': dirtyRatio,
      'cache.dirtyRatioMax': peak = null,
      'config.dirtyTargetRatio': targetRatio = DEFAULT_TARGET_RATIO,
      'config.dirtyTriggerRatio': triggerRatio = DEFAULT_TRIGGER_RATIO,
      'cache.dirtyHardShare': hardShare = 0,
      'cache.toleranceRatio': toleranceRatio = 0,
    } = metrics;
    const lostThreads = evictionLoss(metrics)?.threads ?? null;
    const evidence = {
      'cache.dirtyRatio': dirtyRatio,
      'cache.dirtyRatioMax': peak,
      dirtyTriggerRatio: triggerRatio,
    };
    const values = {
      dirtyRatio,
      targetRatio,
      triggerRatio,
      hardShare,
      lostThreads,
      toleranceRatio,
    };
    const { how } = dirtyLimit(metrics);
    const found = isAtTrigger(values, how)
      ? atTrigger(values, how)
      : belowTrigger(values, how, triggerRatio * nearTriggerRatio);
    return { ...found, values, evidence };
  },
  messages: {
    fine: (values) => `${dirty(values)}, within the target of ${shortPercent(values.targetRatio)}.`,
    'above-target': (values) =>
      `${dirty(values)}, above the target of ${shortPercent(values.targetRatio)}: eviction threads ` +
      'are writing.',
    'near-trigger': (values) =>
      `${dirty(values)}, close to the trigger of ${shortPercent(values.triggerRatio)}.`,
    'lowered-trigger': (values) =>
      `${dirty(values)}, yet application threads evict (${many(values.lostThreads, 'thread')} ` +
      'on average): the trigger appears to be below its default of ' +
      `${shortPercent(values.triggerRatio)}.`,
    'at-trigger': (values) =>
      `${dirty(values)}, at the trigger of ${shortPercent(values.triggerRatio)}.`,
    'raised-trigger': (values) =>
      `${dirty(values)}, far above the default trigger of ${shortPercent(values.triggerRatio)}: the ` +
      `trigger appears to be raised.`,
    'clients-evict': (values) =>
      `On average ${dirty(values)}. ${percent(values.hardShare)} of the samples reach the ` +
      `${shortPercent(values.triggerRatio)} trigger: application threads evict.`,
  },
  adviceFor: { 'lowered-trigger': () => 'Return to the default: target 5%, trigger 20%.' },
});

/**
 * @typedef {{
 *   dirtyRatio: number, targetRatio: number, triggerRatio: number, hardShare: number,
 *   lostThreads: number | null, toleranceRatio: number
 * }} Level
 */

/**
 * Whether a sample, or the samples in which clients had to evict, show it, where the trigger is
 * known.
 * @param {Level} values
 * @param {string} how what is known of the trigger
 */
const isAtTrigger = ({ dirtyRatio, triggerRatio, hardShare }, how) =>
  dirtyRatio >= triggerRatio || (hardShare >= HARD_SHARE && how !== 'suspected-lower');

/** @param {Level} values @param {string} how what is known of the trigger */
function atTrigger({ dirtyRatio, triggerRatio, lostThreads, toleranceRatio }, how) {
  const hurts = lostThreads === null || lostThreads > HEALTHY_THREADS;
  const isSoft = toleranceRatio > 0 && dirtyRatio < triggerRatio * (1 + toleranceRatio);
  const status = hurts && !isSoft ? 'critical' : 'warning';
  if (dirtyRatio < triggerRatio) return /** @type {const} */ ({ status, code: 'clients-evict' });
  return how === 'raised'
    ? /** @type {const} */ ({ status, code: 'raised-trigger' })
    : /** @type {const} */ ({ status, code: 'at-trigger' });
}

/** @param {Level} values @param {string} how @param {number} nearRatio */
function belowTrigger({ dirtyRatio, targetRatio }, how, nearRatio) {
  if (how === 'suspected-lower')
    return /** @type {const} */ ({ status: 'critical', code: 'lowered-trigger' });
  if (dirtyRatio > nearRatio)
    return /** @type {const} */ ({ status: 'warning', code: 'near-trigger' });
  return dirtyRatio > targetRatio
    ? /** @type {const} */ ({ status: 'info', code: 'above-target' })
    : /** @type {const} */ ({ status: 'ok', code: 'fine' });
}

/** The begin of each sentence. @param {{ dirtyRatio: number }} values */
const dirty = ({ dirtyRatio }) => `${percent(dirtyRatio)} of the cache is dirty`;
