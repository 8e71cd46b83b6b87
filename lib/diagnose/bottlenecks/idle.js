'use strict';

const { HEALTHY_THREADS } = require('../losses');

/** @typedef {import('../candidate').Readings} Readings */

// Heartbeats, monitors and a shell make a few operations a second; below this nobody works with the server. Ours.
const IDLE_OPS_PER_SEC = 10;
// One client busy for a fifth of the time may be a slow query now and then; more is work. Ours.
const IDLE_CLIENTS = 0.2;

/** @param {Readings} readings @returns {boolean} next to no operations, and none of them long */
function isIdle(readings) {
  const { 'ops.perSec': ops = Infinity, 'ops.replicatedPerSec': replicated = 0 } = readings;
  return Math.max(ops, replicated) < IDLE_OPS_PER_SEC && clientsAtWork(readings) <= IDLE_CLIENTS && threadsLost(readings) <= HEALTHY_THREADS;
}

/** The gauge may have caught our own call, the operations may only have waited for news: the lower one counts. @param {Readings} readings */
const clientsAtWork = (readings) => Math.min(readings['clients.inOperations'] ?? 0, readings['clients.active'] ?? Infinity);

/** @param {Readings} readings */
const threadsLost = (readings) => Math.max(readings['clients.readingPages'] ?? 0, readings['clients.evicting'] ?? 0, readings['clients.waitingForCache'] ?? 0);

module.exports = { isIdle };
