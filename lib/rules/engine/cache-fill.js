'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../define-rule');
const { whole, many } = require('../../signals/words');
const { HEALTHY_THREADS } = require('../../signals/clients');
const { HARD_SHARE } = require('../../signals/dirty-limit');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 */

// WiredTiger's defaults (dist/api_data.py): eviction threads work above the target, clients must
// help above the trigger.
const TARGET_RATIO = 0.8;
const TRIGGER_RATIO = 0.95;
// At 100 % every operation that needs room stops until there is some.
const OVERFULL_RATIO = 1;
// A full cache stands within a few points of its target; ours.
const NEAR_TARGET_RATIO = 0.05;

module.exports = defineRule({
  id: 'cache-fill',
  area: 'cache',
  title: 'How full the cache is',
  why:
    'A busy healthy server keeps any cache 80 % full, so the fill alone says nothing. Above ' +
    'the trigger clients must evict pages themselves, and at 100 % they stop.',
  needs: ['cache.usedRatio', 'cache.usedRatioMax'],
  wants: [
    'clients.waitingForCache',
    'cache.hardShare',
    'config.targetRatio',
    'config.triggerRatio',
  ],
  threshold:
    `Normal up to eviction_trigger (default ${whole(TRIGGER_RATIO)}). Above it, or when the ` +
    `server says in ${whole(HARD_SHARE)} of the samples that clients are made to evict because ` +
    'it is full: information, critical once clients wait for room (more than ' +
    `${HEALTHY_THREADS} threads on average). At ${whole(OVERFULL_RATIO)}: warning at least.`,
  source:
    'WiredTiger, Cache and eviction tuning (tune-cache.dox): defaults 80/95 %, operations ' +
    'stall at 100 %; docs/evidence/cache-size.md',
  advice:
    'Look at cache-wait and app-eviction: they tell what the fill costs. A cache that has ' +
    'just been made smaller overflows for a second or two and needs nothing.',
  whenNot:
    'Do not enlarge a cache because it is 80 % full: every measured one was, whatever its ' +
    'size, as long as the data was larger.',
  check(metrics) {
    const {
      'cache.usedRatio': mean,
      'cache.usedRatioMax': peak,
      'clients.waitingForCache': waiting,
      'config.targetRatio': target = TARGET_RATIO,
    } = metrics;
    const evidence = {
      'cache.usedRatio': mean,
      'cache.usedRatioMax': peak,
      'cache.hardShare': metrics['cache.hardShare'] ?? null,
      'clients.waitingForCache': waiting ?? null,
    };
    const say = `The cache is ${percent(mean)} full, at most ${percent(peak)}`;
    const where = aboveTrigger(metrics);
    const hurts = waiting !== undefined && waiting > HEALTHY_THREADS;
    if (where !== null && hurts)
      return {
        status: 'critical',
        say: `${say}: ${where}, with ${many(waiting, 'client thread')} waiting for room.`,
        evidence,
      };
    if (peak >= OVERFULL_RATIO)
      return { status: 'warning', say: `${say}: there is more in it than it may hold.`, evidence };
    if (where !== null)
      return { status: 'info', say: `${say}: ${where}, but clients do not wait for it.`, evidence };
    return {
      status: 'ok',
      say: `${say}${mean >= target - NEAR_TARGET_RATIO ? ', which is what a busy cache of any size looks like' : ''}.`,
      evidence,
    };
  },
});

/**
 * By a sample, or by what the server says happened between two samples.
 * @param {Metrics} metrics
 * @returns {string | null}
 */
function aboveTrigger({
  'cache.usedRatioMax': peak = 0,
  'config.triggerRatio': trigger = TRIGGER_RATIO,
  'cache.hardShare': hard = 0,
}) {
  if (peak >= trigger) return `above the trigger of ${whole(trigger)}`;
  return hard >= HARD_SHARE
    ? `in ${percent(hard)} of the samples clients were made to evict because it was full`
    : null;
}
