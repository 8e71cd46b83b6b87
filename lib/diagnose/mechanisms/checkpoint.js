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
          ? `The server stalls while checkpoints run: ${percent(stalled)} of the time, ` +
            `at most ${count(metrics['stalls.longestSeconds'])} s in one piece.`
          : `While a checkpoint runs (${percent(metrics['checkpoint.runningShare'])} of the ` +
            `time) the server does ${percent(metrics['checkpoint.paceRatio'])} of its usual work.`,
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
          'application threads evict at the dirty limit, which a checkpoint only makes worse',
        ],
        [
          isStalledInQuiet(metrics),
          'while the server stalled the checkpoint wrote nothing: it waited for the disk as well',
        ],
        [
          stalled === 0 && !isSlowedMuch(metrics),
          `checkpoints cost ${percent(slowed)} of the work`,
        ],
        [
          (metrics['checkpoint.runningShare'] ?? 0) > ALWAYS_RATIO,
          'a checkpoint runs nearly all the time, so nothing can be laid at its door',
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
