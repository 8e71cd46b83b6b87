'use strict';

const {
  bytes,
  duration,
  secondsText,
  percent,
  count,
  many,
  shortPercent,
} = require('../base/pure/units');
const {
  dirtyLimit,
  areUpdatesAlone,
  DEFAULT_TRIGGER_RATIO,
  OF_DIRTY,
} = require('../signals/dirty-limit');
const {
  againstMoreThreads,
  allActiveWords,
  threadsNow,
  threadsWanted,
  DEFAULT_THREADS,
} = require('../signals/eviction-threads');
const { MAX_EVICTION_THREADS } = require('../config/setting-table');

/**
 * @import { Metrics } from '../server/pure/metrics'
 * @import { DirtyLimit } from '../signals/dirty-limit'
 * @import { Sizing } from './cache'
 */

/** Computes when eviction should begin, and with how many threads. */

/**
 * Computes the number of eviction threads from cores, headroom of CPUs and disk.
 * @param {Metrics} metrics
 * @returns {Sizing}
 */
function sizeEvictionThreads(metrics) {
  const against = againstMoreThreads(metrics);
  const [now, wanted] = [threadsNow(metrics), threadsWanted(metrics)];
  if (against.length > 0 || wanted === undefined)
    return { change: null, explain: ['More eviction threads are not recommended:', ...against] };
  return {
    change: { evictionThreadsMin: wanted, evictionThreadsMax: wanted },
    explain: [
      `${allActiveWords(now)}${aboutCores(metrics)}; ${aboutDisk(metrics)}.`,
      wanted === DEFAULT_THREADS && Number(now) < DEFAULT_THREADS
        ? `Recommended: ${wanted}, the default of mongod on any machine; the current value is lower.`
        : `Recommended: ${wanted} (at most twice the current number, one for each idle core, ` +
          `never more than the cores or ${MAX_EVICTION_THREADS}).`,
    ],
  };
}

/** @param {Metrics} metrics */
function aboutCores({ 'host.cores': cores, 'process.cpuCores': own, 'process.cpuRatio': ratio }) {
  if (cores === undefined || own === undefined)
    return own === undefined ? '' : `; mongod uses ${many(own, 'core')}`;
  return `; mongod uses ${count(own)} of ${many(cores, 'core')} (${percent(ratio ?? own / cores)})`;
}

/** @param {Metrics} metrics */
const aboutDisk = ({ 'eviction.pageWriteMs': writeMs, 'disk.busyRatio': busy }) =>
  writeMs === undefined
    ? `the disk is busy ${percent(busy)} of the time`
    : `a page write takes ${duration(writeMs)}`;

const DEFAULTS = Object.freeze({ evictionDirtyTarget: 5, evictionDirtyTrigger: 20 });
// 0: half of the dirty ones, as WiredTiger's defaults are.
const FOLLOW_DIRTY = Object.freeze({ evictionUpdatesTarget: 0, evictionUpdatesTrigger: 0 });

/**
 * Both gained where clients evicted at 20%: the first more, the second holds less at once (a published
 * cluster ran with it). `withinSeconds`: what may be dirty must be on disk within a checkpoint interval, or
 * within the 5 minutes from which a checkpoint is critical.
 */
const DIRTY_CANDIDATES = Object.freeze([
  {
    change: Object.freeze({ evictionDirtyTarget: 10, evictionDirtyTrigger: 40 }),
    triggerRatio: 0.4,
    withinSeconds: 60,
  },
  {
    change: Object.freeze({ evictionDirtyTarget: 3, evictionDirtyTrigger: 25 }),
    triggerRatio: 0.25,
    withinSeconds: 300,
  },
]);

/**
 * The trigger of update data as high as that of dirty data by default. As a default for all it made
 * other loads slower, so that WiredTiger went back (WT-15843, WT-16004): it is to be tried, not
 * believed.
 */
const UPDATES_STEP = Object.freeze({
  change: Object.freeze({ evictionUpdatesTrigger: 20 }),
  triggerRatio: 0.2,
  withinSeconds: 60,
});

/**
 * Sizes only the updates trigger, where update data alone is the limit.
 * @param {Metrics} metrics
 * @returns {Sizing | null} null: something else is the limit, or the step does not fit
 */
function sizeUpdates(metrics) {
  const { triggerRatio, updates } = dirtyLimit(metrics);
  const [max, perSec] = [metrics['cache.maxBytes'], metrics['cache.writtenBytesPerSec']];
  if (!areUpdatesAlone(metrics) || max === undefined || !perSec) return null;
  const now = updates.triggerRatio ?? 1;
  const mayRise = Number(triggerRatio) >= UPDATES_STEP.triggerRatio;
  const seconds = (UPDATES_STEP.triggerRatio * max) / perSec;
  if (!mayRise || now >= UPDATES_STEP.triggerRatio || seconds > UPDATES_STEP.withinSeconds)
    return null;
  return {
    change: { ...UPDATES_STEP.change },
    explain: [
      `Only update data is at its limit (max ${percent(metrics['cache.updatesRatioMax'])}, trigger ` +
        `${shortPercent(now)}); dirty data is not (max ${percent(metrics['cache.dirtyRatioMax'])}, trigger ` +
        `${shortPercent(Number(triggerRatio))}). Raise that trigger alone to ` +
        `${shortPercent(UPDATES_STEP.triggerRatio)}: ${bytes(UPDATES_STEP.triggerRatio * max)} take ` +
        `${secondsText(seconds)} to write.`,
      'Test it first: as a default for all loads it was reverted (WT-15843, WT-16004).',
    ],
  };
}

/**
 * The dirty thresholds, with their arithmetic. A trigger is never lowered: below the default it
 * cost 29% of the throughput in one pair of runs, and stalls of seconds in both
 * (docs/evidence/dirty-thresholds.md).
 * @param {Metrics} metrics
 * @returns {Sizing}
 */
function sizeDirty(metrics) {
  const limit = dirtyLimit(metrics);
  if (limit.isLowered)
    return limit.by === 'updates'
      ? raiseUpdates(metrics, limit)
      : { change: { ...DEFAULTS }, explain: [lowered(limit, metrics)] };
  const { triggerRatio } = limit;
  if (triggerRatio === null)
    return {
      change: null,
      explain: [
        `${percent(metrics['cache.dirtyRatio'])} of the cache is dirty: the trigger was already ` +
          'raised, to a value that is not known.',
      ],
    };
  const [max, perSec] = [metrics['cache.maxBytes'], metrics['cache.writtenBytesPerSec']];
  if (max === undefined || !perSec)
    return {
      change: null,
      explain: ['The write rate is not known: no threshold can be computed.'],
    };
  const tried = DIRTY_CANDIDATES.filter((candidate) => candidate.triggerRatio > triggerRatio).map(
    (candidate) => ({ ...candidate, seconds: (candidate.triggerRatio * max) / perSec }),
  );
  const fits = tried.find(({ seconds, withinSeconds }) => seconds <= withinSeconds);
  const written = `The cache writes ${bytes(perSec)}/s.`;
  if (fits === undefined)
    return {
      change: null,
      explain: [
        `${written} A trigger above ${shortPercent(triggerRatio)} would accumulate more dirty data than ` +
          'the disk can write in time: the disk is the limit.',
      ],
    };
  return {
    change: { ...fits.change, ...follow(metrics, limit) },
    explain: [
      `${written} At a trigger of ${shortPercent(fits.triggerRatio)}, up to ` +
        `${bytes(fits.triggerRatio * max)} may be dirty: ${secondsText(fits.seconds)} to ` +
        `write (limit: ${fits.withinSeconds} s).`,
    ],
  };
}

/**
 * The trigger of update data that clients run into must rise with the dirty one, where it has been
 * set to a value of its own.
 * @param {Metrics} metrics
 * @param {DirtyLimit} limit
 */
function follow(
  { 'config.dirtyTriggerRatio': dirty, 'config.updatesTriggerRatio': updates },
  { by },
) {
  return by === 'updates' &&
    dirty !== undefined &&
    updates !== undefined &&
    updates !== dirty * OF_DIRTY
    ? FOLLOW_DIRTY
    : {};
}

/**
 * Raises the threshold that was lowered; only the configuration shows which of the two that is.
 * @param {Metrics} metrics
 * @param {DirtyLimit} limit
 * @returns {Sizing}
 */
function raiseUpdates(metrics, { triggerRatio, how, updates }) {
  const isDirtyFine = how === 'known' && Number(triggerRatio) >= DEFAULT_TRIGGER_RATIO;
  const now =
    updates.triggerRatio === null
      ? `Application threads evict at ${percent(metrics['cache.updatesRatio'])} update data`
      : `The trigger of update data is ${shortPercent(updates.triggerRatio)}`;
  return {
    change: { ...(isDirtyFine ? {} : DEFAULTS), ...FOLLOW_DIRTY },
    explain: [
      `${now}; the default is ${shortPercent(DEFAULT_TRIGGER_RATIO * OF_DIRTY)}, half of the dirty ` +
        'trigger. A low trigger makes application threads do the work of eviction threads, and ' +
        'stalls them. The value 0 means that half.',
    ],
  };
}

/** @param {DirtyLimit} limit @param {Metrics} metrics */
function lowered({ triggerRatio }, metrics) {
  const now =
    triggerRatio === null
      ? `Application threads evict at ${percent(metrics['cache.dirtyRatio'])} dirty`
      : `The trigger is ${shortPercent(triggerRatio)}`;
  return (
    `${now}; the default is ${shortPercent(DEFAULT_TRIGGER_RATIO)}. A low trigger makes application ` +
    'threads do the work of eviction threads, and stalls them. Return to target 5%, trigger 20%.'
  );
}

module.exports = { sizeDirty, sizeUpdates, sizeEvictionThreads };
