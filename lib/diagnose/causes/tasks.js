'use strict';

const { secondsText, many, percent } = require('../../base/pure/units');
const { DEFAULT_SYNCDELAY_SECONDS } = require('../../server/pure/facts');

/**
 * @import { CauseCandidate } from '../cause'
 * @import { Metrics } from '../../server/pure/metrics'
 */

/** Documents deleted in a second by a task of the server; fewer are no load (heuristic). */
const MANY_DELETED = 200;
/**
 * Times in a second that a pass yields; it does after 10 ms of work (internalQueryExecYieldPeriodMS), so
 * that this is a tenth of its time or more (heuristic).
 */
const MANY_YIELDS = 10;
/** Share of all documents that are written (heuristic). */
const DELETED_SHARE = 0.3;
/** Share of the samples in which an index was being built (heuristic). */
const BUILDING_SHARE = 0.3;
/** Checkpoints in a window, and times as many as the interval explains (heuristic). */
const MANY_CHECKPOINTS = 3;
const TIMES_AS_MANY = 3;
/** Seconds after its start in which a server reads its data for the first time (heuristic). */
const COLD_SECONDS = 600;
/** A cache that is filled so far is warm: WiredTiger's default target. */
const WARM_RATIO = 0.75;

/** Pages evicted for each that is read, while a cache is filled (heuristic). */
const FILLING_RATIO = 0.2;

const WRITING = Object.freeze(
  /** @type {const} */ ([
    'cache-dirty',
    'disk',
    'checkpoint',
    'cache-read',
    'eviction-threads',
    'cpu',
    'history',
    'unknown',
  ]),
);

/**
 * @param {Metrics} metrics @param {number} deleted a second
 * @returns {number | null} share of all documents written; null: too few
 */
function shareOfWrites(metrics, deleted) {
  if (deleted < MANY_DELETED) return null;
  const share = deleted / (deleted + (metrics['documents.writtenPerSec'] ?? 0));
  return share < DELETED_SHARE ? null : share;
}

const TTL_REMEDY = 'Move the deletes to a quiet window: tune.ttl()';

/** A pass that outlasts the window is counted, until 6.0, at its end only. @param {Metrics} metrics */
const longTtlPass = ({ 'ttl.passYieldsPerSec': yields = 0, 'window.seconds': seconds = 0 }) =>
  yields < MANY_YIELDS
    ? null
    : {
        say: 'a pass of the TTL monitor is deleting documents',
        share: null,
        evidence: [`the pass had not ended when the window of ${secondsText(seconds)} did`],
        remedy: TTL_REMEDY,
      };

/** @type {CauseCandidate} */
const ttl = {
  kind: 'ttl',
  of: WRITING,
  examine(metrics) {
    const deleted = metrics['ttl.deletedPerSec'] ?? 0;
    const share = shareOfWrites(metrics, deleted);
    if (share === null) return longTtlPass(metrics);
    return {
      say: `the TTL monitor writes ${percent(share)} of all documents`,
      share,
      evidence: [`${many(deleted, 'document')}/s deleted by the TTL monitor`],
      remedy: TTL_REMEDY,
    };
  },
};

/** @type {CauseCandidate} */
const rangeDeleter = {
  kind: 'range-deleter',
  of: WRITING,
  examine(metrics) {
    const deleted = metrics['rangeDeleter.deletedPerSec'] ?? 0;
    const share = shareOfWrites(metrics, deleted);
    if (share === null) return null;
    return {
      say: `the range deleter removes migrated documents: ${percent(share)} of all writes`,
      share,
      evidence: [`${many(deleted, 'document')}/s deleted by the range deleter`],
      remedy:
        'Slow it down: rangeDeleterBatchDelayMS, rangeDeleterBatchSize, orphanCleanupDelaySecs; ' +
        'or give the balancer a window at a quiet hour.',
    };
  },
};

/**
 * Samples of 6.0 show builds. Other releases count one at its start (later ones), and $currentOp shows
 * those that run at both ends of the window.
 * @param {Metrics} metrics
 * @returns {string[]} empty: none is known
 */
function signsOfBuild(metrics) {
  const {
    'indexBuilds.activeShare': active,
    'indexBuilds.started': started = 0,
    'indexBuilds.runningShare': running = 0,
    'window.seconds': seconds = 0,
  } = metrics;
  const begun = started > 0 ? [`${many(started, 'build')} started`] : [];
  if (active !== undefined)
    return active < BUILDING_SHARE
      ? []
      : [`a build ran in ${percent(active)} of the samples`, ...begun];
  return running < 1
    ? begun
    : [`a build ran at both ends of a window of ${secondsText(seconds)}`, ...begun];
}

/** @type {CauseCandidate} */
const indexBuild = {
  kind: 'index-build',
  of: WRITING,
  examine(metrics) {
    const evidence = signsOfBuild(metrics);
    if (evidence.length === 0) return null;
    return {
      say: 'an index is being built',
      share: metrics['indexBuilds.activeShare'] ?? null,
      evidence,
      remedy: 'Let it end. Next time build at a quiet hour, or member by member.',
    };
  },
};

/** Checkpoints come more often than the interval: backups and fsync force them. @type {CauseCandidate} */
const forcedCheckpoints = {
  kind: 'forced-checkpoints',
  of: 'any',
  examine(metrics) {
    const { 'checkpoint.seen': seen = 0, 'window.seconds': seconds = 0 } = metrics;
    // 0 switches the timer off: each of them is forced.
    const every = metrics['config.syncdelaySeconds'] ?? DEFAULT_SYNCDELAY_SECONDS;
    const expected = every === 0 ? 0 : seconds / every + 1;
    if (seen < MANY_CHECKPOINTS || seen < TIMES_AS_MANY * expected) return null;
    return {
      say: `${many(seen, 'checkpoint')} in ${secondsText(seconds)}: something forces them`,
      share: null,
      evidence: [`a checkpoint is due every ${secondsText(every)}`],
      remedy:
        'Find what calls fsync or takes backups (db.currentOp(), cron, backup agents), and let it ' +
        'do so less often.',
    };
  },
};

/** Whether the cache is filling: pages that are read stay. @param {Metrics} metrics */
const isFilling = (metrics) =>
  (metrics['eviction.pagesPerSec'] ?? Infinity) <
  FILLING_RATIO * (metrics['cache.pagesReadPerSec'] ?? 0);

/** @type {CauseCandidate} */
const coldStart = {
  kind: 'cold-start',
  of: ['cache-read', 'disk', 'unknown'],
  examine(metrics) {
    const { 'window.uptimeSeconds': up = Infinity, 'cache.usedRatio': used = 1 } = metrics;
    if (up > COLD_SECONDS || used >= WARM_RATIO || !isFilling(metrics)) return null;
    return {
      say: `the server started ${secondsText(up)} ago and still fills its cache`,
      share: null,
      evidence: [`${percent(used)} of the cache is used`],
      remedy: 'Wait until the cache is filled, then run tune.advise() again.',
    };
  },
};

module.exports = { ttl, rangeDeleter, indexBuild, forcedCheckpoints, coldStart };
