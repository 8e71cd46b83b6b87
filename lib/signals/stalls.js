'use strict';

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

// Standstills that cost less than this share of the time are no bottleneck; ours.
const MIN_STALL = 0.05;
// Share of the standstill inside checkpoints that makes them the cause. Where the operating
// system's writeback was it, half of it was inside (docs/evidence/stalls.md).
const INSIDE_RATIO = 0.8;

/** @param {Metrics} metrics @returns {boolean} */
const isStalled = (metrics) => (metrics['stalls.share'] ?? 0) >= MIN_STALL;

// A checkpoint that is the cause writes pages meanwhile. Where it had written all of them a second
// before, and then waited six for the disk to take what the kernel had let pile up, everybody else
// did so too (docs/evidence/stalls.md). Ours.
const QUIET_RATIO = 0.5;

/**
 * @param {Metrics} metrics
 * @returns {boolean} the engine wrote nothing meanwhile: its checkpoint, if there was one, waited
 *   for the disk itself
 */
const isStalledInQuiet = (metrics) =>
  isStalled(metrics) && (metrics['stalls.quietRatio'] ?? 0) >= QUIET_RATIO;

/** @param {Metrics} metrics @returns {boolean} */
const isStalledByCheckpoint = (metrics) =>
  isStalled(metrics) &&
  (metrics['stalls.inCheckpointRatio'] ?? 0) >= INSIDE_RATIO &&
  !isStalledInQuiet(metrics);

// While a checkpoint runs the server must do no more than half of its usual work; a third less is
// normal under load (ours).
const SLOWED_RATIO = 0.5;

/**
 * Between checkpoints work goes on as usual: whatever is waited for meanwhile, such as the journal,
 * waits behind what they write. A disk that is always at its limit holds up as much at any time.
 * @param {Metrics} metrics
 * @returns {boolean}
 */
const isHeldByCheckpoint = (metrics) =>
  isStalledByCheckpoint(metrics) && (metrics['checkpoint.paceRatio'] ?? 1) <= SLOWED_RATIO;

module.exports = {
  MIN_STALL,
  isStalled,
  isStalledInQuiet,
  isStalledByCheckpoint,
  isHeldByCheckpoint,
  SLOWED_RATIO,
};
