'use strict';

const { percent, count } = require('../../base/pure/units');
const { NO_CASE, PHRASES, devicePhrases, evidenceOf, holding } = require('../evidence');
const { isEvictionSevere } = require('../../signals/clients');
const { dirtyLimit } = require('../../signals/dirty-limit');
const { isStalledByCheckpoint, isStalledInQuiet, SLOWED_RATIO } = require('../../signals/stalls');
const { isDeviceAtLimit } = require('../../signals/disk');

/**
 * @import { Metrics } from '../../server/pure/metrics'
 * @import { Candidate } from '../evidence'
 */

// What the slowdown costs over the whole window (heuristic).
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
    if (stalled === 0 && slowed === 0) return NO_CASE;
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
      against: holding([
        [
          isEvictionSevere(metrics) && dirtyLimit(metrics).isReached,
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
 * @param {Metrics} metrics
 * @returns {number} share of the work that is not done because checkpoints run
 */
function shareSlowed({ 'checkpoint.runningShare': running = 0, 'checkpoint.paceRatio': pace = 1 }) {
  return running * Math.max(0, 1 - pace);
}

/** @param {Metrics} metrics */
const isSlowedMuch = (metrics) =>
  Number(metrics['checkpoint.paceRatio']) <= SLOWED_RATIO && shareSlowed(metrics) >= MIN_LOSS;
