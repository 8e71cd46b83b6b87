'use strict';

const { percent } = require('../../model/units');
const { defineRule } = require('../define-rule');
const { whole, many } = require('../words');
const { HEALTHY_THREADS } = require('../losses');
const { ABOVE_DEFAULT_RATIO } = require('../dirty-limit');

// WiredTiger's defaults (dist/api_data.py): eviction threads write above the target, clients must help above the trigger.
const TARGET_RATIO = 0.05;
const TRIGGER_RATIO = 0.2;
// Three quarters of the way to the trigger (15 % by default) a burst of writes may reach it.
const NEAR_TRIGGER = 0.75;

module.exports = defineRule({
  id: 'dirty-ratio',
  area: 'cache',
  title: 'How much of the cache is dirty',
  why: 'Dirty pages must be written before they can leave the cache. At the dirty trigger clients must evict pages before they may go on, so the disk\'s write rate becomes theirs.',
  needs: ['cache.dirtyRatio'],
  wants: ['cache.dirtyRatioMax', 'config.dirtyTargetRatio', 'config.dirtyTriggerRatio', 'clients.waitingForCache', 'clients.evicting'],
  threshold: `Above eviction_dirty_target (default ${whole(TARGET_RATIO)}): information. Above ${whole(NEAR_TRIGGER)} of eviction_dirty_trigger (default ${whole(TRIGGER_RATIO)}): warning. At the trigger: critical, unless the server tells that clients lose no time by it.`,
  source: 'WiredTiger, Cache and eviction tuning: defaults 5/20 %; docs/evidence/dirty-thresholds.md',
  advice: 'The disk takes pages more slowly than writers dirty them. In this order: a larger cache where memory is free; then a higher trigger (10/40, or 3/25) where the disk can write that much within a checkpoint interval; then fewer or smaller writes.',
  whenNot: 'Never lower the trigger below its default: 1/5 instead of 5/20 cost 29 % of the throughput and stalls of 3 s. To lower the level, lower the target alone.',
  speaksFor: ['cache-dirty', 'eviction-threads'],
  check(readings) {
    const { 'cache.dirtyRatio': dirty, 'config.dirtyTargetRatio': target = TARGET_RATIO, 'config.dirtyTriggerRatio': trigger = TRIGGER_RATIO } = readings;
    const lost = lostThreads(readings);
    const evidence = { 'cache.dirtyRatio': dirty, 'cache.dirtyRatioMax': readings['cache.dirtyRatioMax'] ?? null, dirtyTriggerRatio: trigger };
    const say = `${percent(dirty)} of the cache is dirty`;
    if (dirty >= trigger) {
      const hurts = lost === undefined || lost > HEALTHY_THREADS;
      return { status: hurts ? 'critical' : 'warning', say: `${say}: ${atTrigger(readings, trigger)}${lost === undefined ? '' : `, and clients lose ${many(lost, 'thread')} by it`}.`, evidence };
    }
    if (dirty > trigger * NEAR_TRIGGER) return { status: 'warning', say: `${say}: close to the trigger of ${whole(trigger)}.`, evidence };
    if (dirty > target) return { status: 'info', say: `${say}: above the target of ${whole(target)}, so eviction threads are writing.`, evidence };
    return { status: 'ok', say: `${say}: below the target of ${whole(target)}.`, evidence };
  },
});

/** @param {{ 'cache.dirtyRatio': number, 'config.dirtyTriggerRatio'?: number }} readings @param {number} trigger */
function atTrigger({ 'cache.dirtyRatio': dirty, 'config.dirtyTriggerRatio': known }, trigger) {
  return known === undefined && dirty > ABOVE_DEFAULT_RATIO ? `far above the default trigger of ${whole(trigger)}, which seems to have been raised` : `at the trigger of ${whole(trigger)}`;
}

/** @param {{ 'clients.waitingForCache'?: number, 'clients.evicting'?: number }} readings */
function lostThreads({ 'clients.waitingForCache': waiting, 'clients.evicting': evicting }) {
  return waiting === undefined && evicting === undefined ? undefined : Math.max(waiting ?? 0, evicting ?? 0);
}
