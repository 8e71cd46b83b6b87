'use strict';

const { percent } = require('../../base/pure/units');
const { defineRule } = require('../rule');
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
// At 100% every operation that needs room stops until there is some.
const OVERFULL_RATIO = 1;
// A full cache stays within a few points of its target; heuristic.
const NEAR_TARGET_RATIO = 0.05;

module.exports = defineRule({
  id: 'cache-fill',
  area: 'cache',
  title: 'Cache full up to its trigger',
  why:
    'A busy healthy server keeps any cache 80% full, so the fill alone says nothing. Above ' +
    'the trigger application threads must evict pages themselves, and at 100% they stop.',
  needs: ['cache.usedRatio', 'cache.usedRatioMax'],
  wants: ['clients.waitingThreads', 'cache.hardShare', 'config.targetRatio', 'config.triggerRatio'],
  evidence: ['cache.usedRatio', 'cache.usedRatioMax', 'cache.hardShare', 'clients.waitingThreads'],
  threshold:
    `Normal up to eviction_trigger (default ${whole(TRIGGER_RATIO)}). Above it, or when the ` +
    `server says in ${whole(HARD_SHARE)} of the samples that application threads are made to evict because ` +
    'it is full: information, critical once clients wait for room (more than ' +
    `${HEALTHY_THREADS} threads on average). At ${whole(OVERFULL_RATIO)}: warning at least.`,
  source:
    'WiredTiger, Cache and eviction tuning (tune-cache.dox): defaults 80/95%, operations ' +
    'stall at 100%; docs/evidence/cache-size.md',
  advice:
    'Look at cache-wait and app-eviction: they tell what the fill costs. A cache that has ' +
    'just been made smaller overflows for a second or two and needs nothing.',
  whenNot:
    'Do not enlarge a cache because it is 80% full: every measured one was, whatever its ' +
    'size, as long as the data was larger.',
  check(metrics) {
    const {
      'cache.usedRatio': usedRatio,
      'cache.usedRatioMax': usedRatioMax,
      'clients.waitingThreads': waitingThreads = null,
      'config.targetRatio': target = TARGET_RATIO,
      'config.triggerRatio': triggerRatio = TRIGGER_RATIO,
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
    busy: (values) => `${fill(values)}, which is what a busy cache of any size looks like.`,
    overfull: (values) => `${fill(values)}: there is more in it than it may hold.`,
    'above-trigger': (values) =>
      `${fill(values)}: ${whereAbove(values)}, but clients do not wait for it.`,
    'clients-wait': (values) =>
      `${fill(values)}: ${whereAbove(values)}, with ` +
      `${many(values.waitingThreads, 'application thread')} waiting for room.`,
  },
});

/** @typedef {{ usedRatioMax: number, triggerRatio: number, hardShare: number | null }} Level */

/** A busy cache is filled up to its target. @param {number} ratio @param {number} target */
const fineCode = (ratio, target) => (ratio >= target - NEAR_TARGET_RATIO ? 'busy' : 'free-space');

/** By a sample, or by what the server counted between two samples. @param {Level} values */
const isAboveTrigger = ({ usedRatioMax, triggerRatio, hardShare }) =>
  usedRatioMax >= triggerRatio || (hardShare ?? 0) >= HARD_SHARE;

/** @param {{ usedRatio: number, usedRatioMax: number }} values @returns {string} how full it is */
const fill = ({ usedRatio, usedRatioMax }) =>
  `The cache is ${percent(usedRatio)} full, at most ${percent(usedRatioMax)}`;

/**
 * By which of the two signs the cache is above its trigger.
 * @param {Level} values
 */
const whereAbove = ({ usedRatioMax, triggerRatio, hardShare }) =>
  usedRatioMax >= triggerRatio
    ? `above the trigger of ${whole(triggerRatio)}`
    : `in ${percent(hardShare)} of the samples clients were made to evict because it was full`;
