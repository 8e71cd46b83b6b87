'use strict';

const { HEALTHY_THREADS } = require('../../signals/losses');

/** @typedef {import('../candidate').Readings} Readings */

// Heartbeats, monitors and a shell make a few operations a second; below this nobody works with the
// server. Ours.
const IDLE_OPS_PER_SEC = 10;
// One client busy for a fifth of the time may be a slow query now and then; more is work. Ours.
const IDLE_CLIENTS = 0.2;
// An idle mongod uses a hundredth of a core, with heartbeats and monitors a few; an index build a
// good part of one. Ours.
const IDLE_CORES = 0.2;
// What clients wait for without an operation that ends.
const WAITING = /** @type {const} */ ([
  'clients.readingPages',
  'clients.evicting',
  'clients.waitingForCache',
  'clients.throttled',
]);

/** @param {Readings} readings @returns {boolean} next to no operations, and none of them long */
function isIdle(readings) {
  const { 'ops.perSec': ops = Infinity, 'ops.replicatedPerSec': replicated = 0 } = readings;
  return (
    Math.max(ops, replicated) < IDLE_OPS_PER_SEC &&
    (readings['clients.busy'] ?? 0) <= IDLE_CLIENTS &&
    (readings['process.cpuCores'] ?? 0) <= IDLE_CORES &&
    threadsLost(readings) <= HEALTHY_THREADS
  );
}

/** @param {Readings} readings */
const threadsLost = (readings) => Math.max(...WAITING.map((name) => readings[name] ?? 0));

module.exports = { isIdle };
