'use strict';

const { bytes } = require('../model/units');
const { sizeCache } = require('./sizing/cache');
const { cacheEffectWords } = require('./sizing/cache-effect');
const { sizeDirty } = require('./sizing/dirty');
const { sizeEvictionThreads } = require('./sizing/eviction-threads');
const { dirtyLimit } = require('./dirty-limit');
const { isMemoryFull } = require('./memory');

/**
 * @typedef {import('../model/readings').Readings} Readings
 * @typedef {import('../model/finding').Bottleneck} Bottleneck
 * @typedef {import('./sizing/cache').Sizing} Sizing
 */

/** What to do where no knob of WiredTiger is the answer. @satisfies {Partial<Record<Bottleneck, string[]>>} */
const WITHOUT_KNOB = Object.freeze({
  disk: ['No WiredTiger setting makes a disk faster. Look at what else uses it, at its limits (IOPS, MB/s), and at vm.dirty_background_bytes and vm.dirty_bytes: by default the kernel writes back late and in one burst.'],
  cpu: ['No cache setting makes processors faster. Look for missing indexes and for what else runs on the machine.'],
  concurrency: ['Look for long operations and for what holds locks: db.currentOp({ waitingForLock: true }). More tickets do not make a slow operation faster.'],
  history: ['Find the oldest transaction or cursor and end it: db.currentOp({ "transaction.timeOpenMicros": { $gt: 1e7 } }), then db.killOp(opid). On a replica set look for a lagging member: rs.printSecondaryReplicationInfo().'],
  checkpoint: ['A checkpoint writes what is dirty, all at once. Look at the disk\'s write rate first; a shorter interval needs storage.syncPeriodSecs and a restart, and did not help where it was measured.'],
});

/**
 * The one change whose mechanism is the bottleneck, or what to do instead.
 * @param {Bottleneck} bottleneck @param {Readings} readings
 * @returns {Sizing}
 */
function findCure(bottleneck, readings) {
  switch (bottleneck) {
    case 'cache-read': return cureReading(readings);
    case 'cache-dirty': return cureDirty(readings);
    case 'eviction-threads': return sizeEvictionThreads(readings);
    case 'disk': return { change: null, explain: [...(isMemoryFull(readings) ? [`There are ${bytes(readings['data.bytes'])} of data for ${bytes(readings['host.memoryBytes'])} of memory: more memory, or less data read, is the cure.`] : []), ...WITHOUT_KNOB.disk] };
    case 'cpu': case 'concurrency': case 'history': case 'checkpoint': return { change: null, explain: [...WITHOUT_KNOB[bottleneck]] };
    default: return { change: null, explain: [] };
  }
}

/** The size, and what it and others would change. @param {Readings} readings @returns {Sizing} */
function cureReading(readings) {
  const { change, explain } = sizeCache(readings, 'read');
  const effect = cacheEffectWords(readings);
  return { change, explain: effect === null ? explain : [...explain, effect] };
}

/** A lowered trigger goes back to its default; else the cache comes first, since its gain was the larger one, and the thresholds second. @param {Readings} readings @returns {Sizing} */
function cureDirty(readings) {
  if (dirtyLimit(readings).isLowered) return sizeDirty(readings);
  const cache = sizeCache(readings, 'write');
  if (cache.change !== null) return cache;
  const dirty = sizeDirty(readings);
  return { change: dirty.change, explain: [...cache.explain, ...dirty.explain] };
}

module.exports = { findCure };
