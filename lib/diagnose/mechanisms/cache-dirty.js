'use strict';

const { duration, percent, many, shortPercent } = require('../../base/pure/units');
const { NO_CASE, PHRASES, evidenceOf, whereTrue } = require('../evidence');
const {
  evictionDoing,
  evictionLoss,
  isEvictionSevere,
  timeSpent,
  HEALTHY_THREADS,
} = require('../../signals/clients');
const {
  dirtyLimit,
  DEFAULT_TRIGGER_RATIO,
  NEAR_RATIO,
  OF_DIRTY,
} = require('../../signals/dirty-limit');
const { churnLoss, isChurnSevere } = require('../../signals/cache');
const { areThreadsShort, headroomWords, FAST_WRITE_MS } = require('../../signals/eviction-threads');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Loss } from '../../signals/clients'
 * @import { Candidate, Case } from '../evidence'
 */

/**
 * Dirty or update data outruns eviction: at the trigger application threads must evict pages before
 * they continue.
 * @type {Candidate}
 */
module.exports = {
  name: 'cache-dirty',
  examine(metrics) {
    if (isChurnSevere(metrics) && !isEvictionSevere(metrics)) return churn(metrics);
    const loss = evictionLoss(metrics);
    if (loss === undefined || loss.threads <= HEALTHY_THREADS) return NO_CASE;
    const onDisk = aboutDisk(metrics);
    return {
      score: loss.share,
      because: `${atLimit(metrics)}: ${timeSpent(loss, evictionDoing(metrics))}.${onDisk}`,
      ...(onDisk !== '' && { limitedBy: /** @type {const} */ ('disk') }),
      evidence: evidenceOf(metrics, [
        dirtyLimit(metrics).by === 'updates' ? PHRASES.updates : PHRASES.dirty,
        loss.threads === metrics['clients.waitingThreads'] ? PHRASES.waiting : PHRASES.evicting,
        PHRASES.writeMs,
        PHRASES.written,
        PHRASES.used,
      ]),
      against: whereTrue([
        [!isEvictionSevere(metrics), timeSpent(loss, evictionDoing(metrics))],
        [!dirtyLimit(metrics).isReached, notAtLimit(metrics)],
        [
          areThreadsShort(metrics),
          `${headroomWords(metrics)}, so more eviction threads would keep up`,
        ],
      ]),
    };
  },
};

/**
 * Clients wait little for the limit itself, and more for the pages that it pushed out.
 * @param {Metrics} metrics
 * @returns {Case}
 */
function churn(metrics) {
  const loss = /** @type {Loss} */ (churnLoss(metrics));
  return {
    score: loss.share,
    because:
      `Up to ${percent(metrics['cache.dirtyRatioMax'])} of the cache is dirty, and at most ` +
      `${percent(metrics['cache.usedRatioMax'])} is used: eviction removes pages because they are ` +
      `dirty, not because the cache is full. ${many(metrics['cache.pagesReadPerSec'], 'page')}/s are read ` +
      `back: ${timeSpent(loss, 'on these reads')}.`,
    evidence: evidenceOf(metrics, [
      PHRASES.dirty,
      PHRASES.reads,
      (metrics['clients.waitingThreads'] ?? 0) > HEALTHY_THREADS
        ? PHRASES.waiting
        : PHRASES.reading,
      PHRASES.used,
    ]),
    against: [],
  };
}

/** @param {Metrics} metrics */
function notAtLimit({ 'cache.dirtyRatio': dirty, 'cache.updatesRatio': updates }) {
  const both = updates === undefined ? '' : ` and ${percent(updates)} is update data`;
  return `only ${percent(dirty)} of the cache is dirty${both}: not the cause of eviction`;
}

/** @param {Metrics} metrics */
const atLimit = (metrics) =>
  dirtyLimit(metrics).by === 'updates' ? atUpdates(metrics) : atDirty(metrics);

/** @param {Metrics} metrics */
function atDirty(metrics) {
  const { how, triggerRatio, isLowered } = dirtyLimit(metrics);
  const { 'cache.dirtyRatio': median, 'cache.dirtyRatioMax': peak = 0 } = metrics;
  if (median === undefined) return 'The server reports too much dirty data in the cache';
  if (how === 'suspected-lower')
    return (
      `The dirty trigger appears to be set below its default of ` +
      `${shortPercent(DEFAULT_TRIGGER_RATIO)}: application threads evict at ${percent(median)} dirty`
    );
  if (isLowered)
    return (
      `${percent(median)} of the cache is dirty, and the dirty trigger is set to only ` +
      `${shortPercent(Number(triggerRatio))}`
    );
  return (
    `${percent(median)} of the cache is ` +
    `dirty${atTimes(median, peak, triggerRatio)}` +
    fromOn(triggerRatio, metrics['cache.dirtyHardShare'])
  );
}

/**
 * Examines update data, which has its own trigger; unless that is set, it follows the dirty one.
 * @param {Metrics} metrics
 */
function atUpdates(metrics) {
  const {
    updates: { how, triggerRatio },
    isLowered,
  } = dirtyLimit(metrics);
  const {
    'cache.updatesRatio': median,
    'cache.updatesRatioMax': peak = 0,
    'config.dirtyTriggerRatio': dirty,
  } = metrics;
  if (median === undefined) return 'The server reports too much update data in the cache';
  if (how === 'suspected-lower')
    return (
      'The updates trigger or the dirty trigger appears to be below its default ' +
      `(${shortPercent(DEFAULT_TRIGGER_RATIO * OF_DIRTY)} for update data): application threads evict ` +
      `at ${percent(median)} update data`
    );
  if (isLowered)
    return (
      `${percent(median)} of the cache is update data, and its trigger ` +
      `${dirty !== undefined && triggerRatio === dirty * OF_DIRTY ? `is half of the dirty trigger, which is set to only ${shortPercent(dirty)}` : `is set to only ${shortPercent(Number(triggerRatio))}`}`
    );
  return (
    `${percent(median)} of the cache is update ` +
    `data${atTimes(median, peak, triggerRatio)}` +
    fromOn(triggerRatio, metrics['cache.updatesHardShare'])
  );
}

/** @param {number | null} triggerRatio @param {number} [share] of the samples that are at it */
const fromOn = (triggerRatio, share = 0) => {
  if (triggerRatio === null) return '';
  return share > 0
    ? ` (${percent(share)} of the samples reach the ${shortPercent(triggerRatio)} trigger)`
    : ` (trigger ${shortPercent(triggerRatio)})`;
};

/**
 * A level that goes to its trigger and back: half of the samples saw less.
 * @param {number} median
 * @param {number} peak
 * @param {number | null} triggerRatio
 */
const atTimes = (median, peak, triggerRatio) =>
  triggerRatio !== null && median < triggerRatio - NEAR_RATIO && peak >= median + NEAR_RATIO
    ? `, max ${percent(peak)}`
    : '';

/** @param {Metrics} metrics */
function aboutDisk(metrics) {
  const writeMs = metrics['eviction.pageWriteMs'];
  return writeMs !== undefined && writeMs > FAST_WRITE_MS
    ? ` A page write takes ${duration(writeMs)}: the write rate of the disk is the underlying limit.`
    : '';
}
