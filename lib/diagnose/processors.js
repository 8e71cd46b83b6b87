'use strict';

// Share of all processors that mongod alone must keep busy to be limited by them; beside it there are the system and, often,
// the client. Ours.
const BUSY_RATIO = 0.8;

/** @param {import('../model/readings').Readings} readings @returns {boolean} known to be busy */
const isCpuBusy = (readings) => (readings['process.cpuRatio'] ?? 0) >= BUSY_RATIO;

module.exports = { BUSY_RATIO, isCpuBusy };
