'use strict';

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

// storage.syncPeriodSecs, and syncdelay
const DEFAULT_SYNCDELAY_SECONDS = 60;
// Share of the samples with a checkpoint under way (heuristic).
const MOSTLY_RATIO = 0.5;

/** @param {Metrics} metrics @returns {boolean} checkpoints run most of the time since they start so often */
function isIntervalShort({
  'config.syncdelaySeconds': seconds,
  'checkpoint.runningShare': running = 0,
}) {
  return (
    seconds !== undefined &&
    seconds > 0 &&
    seconds < DEFAULT_SYNCDELAY_SECONDS &&
    running > MOSTLY_RATIO
  );
}

module.exports = { isIntervalShort, DEFAULT_SYNCDELAY_SECONDS };
