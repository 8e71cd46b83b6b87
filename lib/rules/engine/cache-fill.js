'use strict';

const { percent, many, shortPercent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
const { HEALTHY_THREADS } = require('../../signals/clients');
const { NEAR_TARGET_RATIO } = require('../../signals/cache');
const {
  DEFAULT_FILL_TARGET_RATIO,
  DEFAULT_FILL_TRIGGER_RATIO,
  HARD_SHARE,
} = require('../../signals/dirty-limit');
const { sources, wiredTiger, measured } = require('../sources');

// At 100% every operation that needs cache space stops until there is some.
const OVERFULL_RATIO = 1;

module.exports = defineRule({
  id: 'cache-fill',
  area: 'cache',
  title: 'Cache used above its trigger',
  why:
    'A busy healthy server uses 80% of any cache, so that level alone is normal. Above the ' +
    'trigger, application threads must evict pages. At 100% they stop.',
  needs: ['cache.usedRatio', 'cache.usedRatioMax'],
  wants: ['clients.waitingThreads', 'cache.hardShare', 'config.targetRatio', 'config.triggerRatio'],
  evidence: ['cache.usedRatio', 'cache.usedRatioMax', 'cache.hardShare', 'clients.waitingThreads'],
  threshold:
    `Healthy: below eviction_trigger (default ${shortPercent(DEFAULT_FILL_TRIGGER_RATIO)}). Information: above it, ` +
    `or application threads made to evict for it in ${shortPercent(HARD_SHARE)} of the samples. ` +
    `Warning: at ${shortPercent(OVERFULL_RATIO)}. Critical: above the trigger with more than ` +
    `${HEALTHY_THREADS} application threads waiting for cache space.`,
  source: sources(wiredTiger('Cache and eviction tuning', 'tune_cache'), measured('cache-size')),
  advice:
    'Check cache-wait and app-eviction for the effect on clients. A cache that was just made ' +
    'smaller is above its trigger for 1 to 2 s: no action needed.',
  whenNot:
    'Do not enlarge a cache because it is 80% used. Every cache measured was, at any size, ' +
    'while the data was larger.',
  check(metrics) {
    const {
      'cache.usedRatio': usedRatio,
      'cache.usedRatioMax': usedRatioMax,
      'clients.waitingThreads': waitingThreads = null,
      'config.targetRatio': target = DEFAULT_FILL_TARGET_RATIO,
      'config.triggerRatio': triggerRatio = DEFAULT_FILL_TRIGGER_RATIO,
    } = metrics;
    const hardShare = metrics['cache.hardShare'] ?? null;
    const values = { usedRatio, usedRatioMax, triggerRatio, hardShare, waitingThreads };
    const isAbove = isAboveTrigger(values);
    if (isAbove && (waitingThreads ?? 0) > HEALTHY_THREADS)
      return { status: 'critical', code: 'clients-wait', values };
    if (usedRatioMax >= OVERFULL_RATIO) return { status: 'warning', code: 'overfull', values };
    if (isAbove) return { status: 'info', code: 'above-trigger', values };
    return { status: 'ok', code: fineCode(usedRatio, target), values };
  },
  messages: {
    'free-space': (values) => `${fill(values)}.`,
    busy: (values) => `${fill(values)}: normal for a busy server.`,
    overfull: (values) => `${fill(values)}: the cache exceeds its configured size.`,
    'above-trigger': (values) =>
      `${fill(values)}: ${whereAbove(values)}. Application threads do not wait for cache space.`,
    'clients-wait': (values) =>
      `${fill(values)}: ${whereAbove(values)}. ` +
      `${many(values.waitingThreads, 'application thread')} waiting for cache space.`,
  },
});

/** @typedef {{ usedRatioMax: number, triggerRatio: number, hardShare: number | null }} Level */

/** A busy cache is filled up to its target. @param {number} ratio @param {number} target */
const fineCode = (ratio, target) => (ratio >= target - NEAR_TARGET_RATIO ? 'busy' : 'free-space');

/** Whether a sample, or the server's count between two samples, shows it. @param {Level} values */
const isAboveTrigger = ({ usedRatioMax, triggerRatio, hardShare }) =>
  usedRatioMax >= triggerRatio || (hardShare ?? 0) >= HARD_SHARE;

/** @param {{ usedRatio: number, usedRatioMax: number }} values @returns {string} how much is used */
const fill = ({ usedRatio, usedRatioMax }) =>
  `${percent(usedRatio)} of the cache is used (max ${percent(usedRatioMax)})`;

/**
 * Says which of the two signs shows the cache above its trigger.
 * @param {Level} values
 */
const whereAbove = ({ usedRatioMax, triggerRatio, hardShare }) =>
  usedRatioMax >= triggerRatio
    ? `trigger of ${shortPercent(triggerRatio)} reached`
    : `application threads were made to evict in ${percent(hardShare)} of the samples`;
