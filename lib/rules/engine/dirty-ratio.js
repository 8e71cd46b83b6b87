'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { whole, many } = require('../../signals/words');
const { HEALTHY_THREADS, evictionLoss } = require('../../signals/clients');
const { dirtyLimit, HARD_SHARE } = require('../../signals/dirty-limit');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Judgement } from '../rule'
 */

// WiredTiger's defaults (dist/api_data.py): eviction threads write above the target, clients must
// help above the trigger.
const TARGET_RATIO = 0.05;
const TRIGGER_RATIO = 0.2;
// Three quarters of the way to the trigger (15% by default) a burst of writes may reach it.
const NEAR_TRIGGER = 0.75;

module.exports = defineRule({
  id: 'dirty-ratio',
  area: 'cache',
  title: 'Too much of the cache dirty',
  why:
    'Dirty pages must be written before they can leave the cache. At the dirty trigger clients ' +
    "must evict pages before they may go on, so the disk's write rate becomes theirs.",
  needs: ['cache.dirtyRatio'],
  wants: [
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
    `Above eviction_dirty_target (default ${whole(TARGET_RATIO)}): information. Above ` +
    `${whole(NEAR_TRIGGER)} of eviction_dirty_trigger (default ${whole(TRIGGER_RATIO)}): ` +
    `warning. At the trigger, or when the server says in ${whole(HARD_SHARE)} of the samples ` +
    'that application threads are made to evict for it: critical, unless it tells that clients lose no ' +
    'time to eviction; so too far below it, where the trigger in effect is not known and ' +
    'application threads evict all the same.',
  source:
    'WiredTiger, Cache and eviction tuning: defaults 5/20%; docs/evidence/dirty-thresholds.md',
  advice:
    'The disk takes pages more slowly than writers dirty them. In this order: a larger cache ' +
    'where memory is free; then a higher trigger (10/40, or 3/25) where the disk can write ' +
    'that much within a checkpoint interval; then fewer or smaller writes.',
  whenNot:
    'Never lower the trigger below its default: 1/5 instead of 5/20 cost 29% of the ' +
    'throughput in the one pair of runs that compares, and stalls of 3 s in both. To lower ' +
    'the level, lower the target alone.',
  speaksFor: ['cache-dirty', 'eviction-threads'],
  check(metrics, { nearTriggerRatio }) {
    const {
      'cache.dirtyRatio': dirtyRatio,
      'cache.dirtyRatioMax': peak = null,
      'config.dirtyTargetRatio': targetRatio = TARGET_RATIO,
      'config.dirtyTriggerRatio': triggerRatio = TRIGGER_RATIO,
      'cache.dirtyHardShare': hardShare = 0,
    } = metrics;
    const lostThreads = evictionLoss(metrics)?.threads ?? null;
    const evidence = {
      'cache.dirtyRatio': dirtyRatio,
      'cache.dirtyRatioMax': peak,
      dirtyTriggerRatio: triggerRatio,
    };
    const values = { dirtyRatio, targetRatio, triggerRatio, hardShare, lostThreads };
    const { how } = dirtyLimit(metrics);
    const found = isAtTrigger(values, how)
      ? atTrigger(values, how)
      : belowTrigger(values, how, triggerRatio * nearTriggerRatio);
    return { ...found, values, evidence };
  },
  messages: {
    fine: (values) => `${dirty(values)}: below the target of ${whole(values.targetRatio)}.`,
    'above-target': (values) =>
      `${dirty(values)}: above the target of ${whole(values.targetRatio)}, so eviction threads ` +
      'are writing.',
    'near-trigger': (values) =>
      `${dirty(values)}: close to the trigger of ${whole(values.triggerRatio)}.`,
    'lowered-trigger': (values) =>
      `${dirty(values)}, and application threads evict all the same, at the price of ` +
      `${many(values.lostThreads, 'thread')}: the trigger appears to be set below its default of ` +
      `${whole(values.triggerRatio)}.`,
    'at-trigger': (values) =>
      `${dirty(values)}: at the trigger of ${whole(values.triggerRatio)}${costs(values)}.`,
    'raised-trigger': (values) =>
      `${dirty(values)}: far above the default trigger of ${whole(values.triggerRatio)}, which ` +
      `seems to have been raised${costs(values)}.`,
    'clients-evict': (values) =>
      `${dirty(values)}: below the trigger of ${whole(values.triggerRatio)}, but in ` +
      `${percent(values.hardShare)} of the samples clients were made to evict for it` +
      `${costs(values)}.`,
  },
  adviceFor: { 'lowered-trigger': () => 'Return to the default: 5/20.' },
});

/**
 * @typedef {{
 *   dirtyRatio: number, targetRatio: number, triggerRatio: number, hardShare: number,
 *   lostThreads: number | null
 * }} Level
 */

/**
 * By a sample, or by the samples in which clients had to evict, where the trigger is known.
 * @param {Level} values
 * @param {string} how what is known of the trigger
 */
const isAtTrigger = ({ dirtyRatio, triggerRatio, hardShare }, how) =>
  dirtyRatio >= triggerRatio || (hardShare >= HARD_SHARE && how !== 'suspected-lower');

/** @param {Level} values @param {string} how what is known of the trigger */
function atTrigger({ dirtyRatio, triggerRatio, lostThreads }, how) {
  const hurts = lostThreads === null || lostThreads > HEALTHY_THREADS;
  const status = hurts ? 'critical' : 'warning';
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

/** What it costs the clients, where that is known. @param {{ lostThreads: number | null }} values */
const costs = ({ lostThreads }) =>
  lostThreads === null ? '' : `, and eviction costs the clients ${many(lostThreads, 'thread')}`;
