'use strict';

/** @typedef {import('../model/readings').Readings} Readings */

// Standstills that cost less than this share of the time are no bottleneck; ours.
const LEAST_STALL = 0.05;
// Share of the standstill inside checkpoints that makes them the cause. Where the operating system's writeback was it, half
// of it was inside (docs/evidence/stalls.md).
const INSIDE_RATIO = 0.8;

/** @param {Readings} readings @returns {boolean} */
const isStalled = (readings) => (readings['stalls.share'] ?? 0) >= LEAST_STALL;

/** @param {Readings} readings @returns {boolean} */
const isStalledByCheckpoint = (readings) => isStalled(readings) && (readings['stalls.inCheckpointRatio'] ?? 0) >= INSIDE_RATIO;

module.exports = { LEAST_STALL, isStalled, isStalledByCheckpoint };
