'use strict';

const { bytes, count, duration, percent } = require('../base/pure/units');
const { many } = require('./words');

/**
 * @import { Metric } from '../server/pure/metrics'
 */

/**
 * How evidence is worded: the same reading reads the same everywhere.
 * @typedef {readonly [Metric, (value: number) => string]} Phrase
 */

/** @satisfies {Record<string, Phrase>} */
const PHRASES = Object.freeze({
  reading: [
    'clients.readingPages',
    (n) => `reading pages keeps ${many(n, 'client thread')} busy on average`,
  ],
  evicting: [
    'clients.evicting',
    (n) => `evicting keeps ${many(n, 'client thread')} busy on average`,
  ],
  waiting: [
    'clients.waitingForCache',
    (n) => `waiting for room in the cache holds up ${many(n, 'client thread')} on average`,
  ],
  readMs: ['eviction.pageReadMs', (n) => `one page read takes ${duration(n)}`],
  writeMs: ['eviction.pageWriteMs', (n) => `one page written by a client takes ${duration(n)}`],
  reads: ['eviction.appReadsPerSec', (n) => `${many(n, 'page')} a second are read for clients`],
  misses: ['cache.missRatio', (n) => `${percent(n)} of the page requests miss the cache`],
  fill: ['cache.usedRatio', (n) => `the cache is ${percent(n)} full`],
  dirty: ['cache.dirtyRatio', (n) => `${percent(n)} of the cache is dirty`],
  updates: ['cache.updatesRatio', (n) => `${percent(n)} of the cache is update data`],
  cpu: ['process.cpuRatio', (n) => `mongod uses ${percent(n)} of all processors`],
  cpuOfAll: ['process.machineRatio', (n) => `mongod uses ${percent(n)} of all processors`],
  machine: ['cpu.busyRatio', (n) => `${percent(n)} of the machine's processors are busy`],
  unwritten: [
    'writeback.dirtyPageBytesMax',
    (n) =>
      `up to ${bytes(n)} written to files and not yet to the disk; it fell by half or more ` +
      'meanwhile',
  ],
  diskWriteMs: ['disk.writeMs', (n) => `one write of the disk takes ${duration(n)}`],
  cores: ['process.cpuCores', (n) => `mongod uses ${many(n, 'core')}`],
  ops: ['ops.perSec', (n) => `${many(n, 'operation')} a second`],
  stalled: [
    'stalls.share',
    (n) => `the server stood still for ${percent(n)} of the time while clients waited`,
  ],
  longest: ['stalls.longestSeconds', (n) => `the longest standstill lasted ${count(n)} s`],
  stalledInCheckpoint: [
    'stalls.inCheckpointRatio',
    (n) => `${percent(n)} of the standstill fell into a checkpoint`,
  ],
  pace: [
    'checkpoint.paceRatio',
    (n) => `while a checkpoint runs the server does ${percent(n)} of its usual work`,
  ],
  checkpoint: ['checkpoint.windowMaxMs', (n) => `a checkpoint took ${duration(n)}`],
  sync: ['log.syncMs', (n) => `one sync of the journal takes ${duration(n)}`],
  syncing: [
    'log.syncingRatio',
    (n) => `a sync of the journal is under way for ${percent(n)} of the time`,
  ],
  writeLatency: ['ops.writeLatencyMs', (n) => `a write takes ${duration(n)}`],
  throttled: [
    'clients.throttled',
    (n) => `waiting for a permit to write holds up ${many(n, 'client thread')} on average`,
  ],
  lagged: ['flowControl.laggedShare', (n) => `the majority lagged in ${percent(n)} of the samples`],
  queued: [
    'clients.queued',
    (n) => `the queue for tickets and locks is ${many(n, 'operation')} long on average`,
  ],
  busy: ['clients.busy', (n) => `the server has ${many(n, 'client thread')} at work on average`],
  pinned: [
    'transaction.pinnedIdsMax',
    (n) => `the oldest snapshot pins ${many(n, 'transaction id')}`,
  ],
  history: ['cache.historyRatio', (n) => `${percent(n)} of the cache is old versions`],
  kept: ['transaction.pinnedSeconds', (n) => `versions of the last ${duration(n * 1000)} are kept`],
  historyGrown: ['history.grownBytes', (n) => `the table of old versions grew by ${bytes(n)}`],
  writes: ['ops.writesPerSec', (n) => `${many(n, 'write')} a second`],
  written: ['cache.writtenBytesPerSec', (n) => `${bytes(n)} a second are written from the cache`],
  threads: ['eviction.threadsActive', (n) => `${many(n, 'eviction thread')} at work`],
  seconds: ['window.seconds', (n) => `the window is ${count(n)} s long`],
  samples: ['window.samples', (n) => `it has ${many(n, 'sample')}`],
});

module.exports = { PHRASES };
