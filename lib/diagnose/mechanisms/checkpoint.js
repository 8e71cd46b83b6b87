'use strict';

const { DEFAULT_SYNCDELAY_SECONDS } = require('../../server/pure/facts');
const { percent, count } = require('../../base/pure/units');
const { NO_CASE, PHRASES, devicePhrases, evidenceOf, whereTrue } = require('../evidence');
const { isEvictionSevere } = require('../../signals/clients');
const { dirtyLimit } = require('../../signals/dirty-limit');
const {
  isStalledByCheckpoint,
  isStalledInQuiet,
  isStalledWithoutCacheWait,
  SLOWED_RATIO,
  isIntervalShort,
} = require('../../signals/stalls');
const { isDeviceAtLimit } = require('../../signals/disk');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Candidate, Case } from '../evidence'
 */

// The cost of the slowdown over the whole window (heuristic).
const MIN_LOSS = 0.1;
// A checkpoint that always runs coincides with everything.
const ALWAYS_RATIO = 0.8;

/**
 * The server slows down or stalls while checkpoints run.
 * @type {Candidate}
 */
module.exports = {
  name: 'checkpoint',
  examine(metrics) {
    const stalled = isStalledByCheckpoint(metrics)
      ? /** @type {number} */ (metrics['stalls.share'])
      : 0;
    const slowed = shareSlowed(metrics);
    if (stalled === 0 && slowed === 0) return tooOften(metrics);
    return {
      score: Math.max(stalled, slowed),
      because:
        stalled >= slowed
          ? `The server stalls during checkpoints: ${percent(stalled)} of the time, longest ` +
            `${count(metrics['stalls.longestSeconds'])} s.`
          : `Throughput drops to ${percent(metrics['checkpoint.paceRatio'])} of normal during ` +
            `checkpoints (${percent(metrics['checkpoint.runningShare'])} of the window).`,
      evidence: evidenceOf(metrics, [
        ...(stalled > 0 ? [PHRASES.stalled, PHRASES.stalledInCheckpoint] : []),
        PHRASES.pace,
        ...(isDeviceAtLimit(metrics) ? devicePhrases(metrics).slice(0, 1) : []),
        PHRASES.checkpoint,
        PHRASES.waiting,
      ]),
      against: whereTrue([
        [
          isEvictionFirst(metrics),
          'application threads evict at the dirty trigger; a checkpoint only makes it worse',
        ],
        [
          isStalledInQuiet(metrics),
          'the checkpoint wrote nothing during stalls: it waited for the disk as well',
        ],
        [
          stalled === 0 && !isSlowedMuch(metrics),
          `checkpoints reduce throughput by only ${percent(slowed)}`,
        ],
        [
          (metrics['checkpoint.runningShare'] ?? 0) > ALWAYS_RATIO,
          'a checkpoint runs almost always, so the slowdown cannot be attributed to it',
        ],
      ]),
    };
  },
};

/**
 * Whether eviction is the first reason; it is not where most of a stall passes without it.
 * @param {Metrics} metrics
 */
const isEvictionFirst = (metrics) =>
  isEvictionSevere(metrics) && dirtyLimit(metrics).isReached && !isStalledWithoutCacheWait(metrics);

// Another cause that clients feel comes first.
const OFTEN_SCORE = 0.1;

/**
 * A short interval keeps a checkpoint running most of the time.
 * @param {Metrics} metrics
 * @returns {Case}
 */
const tooOften = (metrics) =>
  isIntervalShort(metrics)
    ? {
        score: OFTEN_SCORE,
        because:
          `A checkpoint runs ${percent(metrics['checkpoint.runningShare'])} of the time, because ` +
          `syncdelay is ${count(metrics['config.syncdelaySeconds'])} s (default ` +
          `${DEFAULT_SYNCDELAY_SECONDS} s).`,
        evidence: evidenceOf(metrics, [PHRASES.checkpoint, PHRASES.writes, PHRASES.written]),
        against: [],
      }
    : NO_CASE;

/**
 * @param {Metrics} metrics
 * @returns {number} share of the work that is not done because checkpoints run
 */
function shareSlowed({ 'checkpoint.runningShare': running = 0, 'checkpoint.paceRatio': pace = 1 }) {
  return running * Math.max(0, 1 - pace);
}

/** @param {Metrics} metrics */
const isSlowedMuch = (metrics) =>
  Number(metrics['checkpoint.paceRatio']) <= SLOWED_RATIO && shareSlowed(metrics) >= MIN_LOSS;
