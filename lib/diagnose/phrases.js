'use strict';

const { bytes, count, duration, percent } = require('../model/units');

/**
 * How evidence is worded: the same reading reads the same everywhere.
 * @typedef {readonly [import('../model/readings').Reading, (value: number) => string]} Phrase
 */

/** @satisfies {Record<string, Phrase>} */
const PHRASES = Object.freeze({
  reading: ['clients.readingPages', (n) => `${count(n)} client threads on average are reading pages into the cache`],
  evicting: ['clients.evicting', (n) => `${count(n)} client threads on average are evicting pages`],
  waiting: ['clients.waitingForCache', (n) => `${count(n)} client threads on average wait for room in the cache`],
  readMs: ['eviction.pageReadMs', (n) => `one page read takes ${duration(n)}`],
  writeMs: ['eviction.pageWriteMs', (n) => `one page written by a client takes ${duration(n)}`],
  reads: ['eviction.appReadsPerSec', (n) => `${count(n)} pages a second are read for clients`],
  misses: ['cache.missRatio', (n) => `${percent(n)} of the page requests miss the cache`],
  fill: ['cache.usedRatio', (n) => `the cache is ${percent(n)} full`],
  dirty: ['cache.dirtyRatio', (n) => `${percent(n)} of the cache is dirty`],
  updates: ['cache.updatesRatio', (n) => `${percent(n)} of the cache is update data`],
  cpu: ['process.cpuRatio', (n) => `mongod uses ${percent(n)} of all processors`],
  cores: ['process.cpuCores', (n) => `mongod uses ${count(n)} cores`],
  ops: ['ops.perSec', (n) => `${count(n)} operations a second`],
  stalled: ['stalls.share', (n) => `the server stood still for ${percent(n)} of the time while clients waited`],
  longest: ['stalls.longestSeconds', (n) => `the longest standstill lasted ${count(n)} s`],
  stalledInCheckpoint: ['stalls.inCheckpointRatio', (n) => `${percent(n)} of the standstill fell into a checkpoint`],
  pace: ['checkpoint.paceRatio', (n) => `while a checkpoint runs the server does ${percent(n)} of its usual work`],
  checkpoint: ['checkpoint.windowMaxMs', (n) => `a checkpoint took ${duration(n)}`],
  sync: ['log.syncMs', (n) => `one sync of the journal takes ${duration(n)}`],
  writeLatency: ['ops.writeLatencyMs', (n) => `a write takes ${duration(n)}`],
  queued: ['clients.queued', (n) => `${count(n)} operations on average queue for a ticket or a lock`],
  busy: ['clients.busy', (n) => `${count(n)} client threads on average are at work in the server`],
  pinned: ['transaction.pinnedIdsMax', (n) => `${count(n)} transaction ids are pinned by the oldest snapshot`],
  history: ['cache.historyRatio', (n) => `${percent(n)} of the cache is old versions`],
  writes: ['ops.writesPerSec', (n) => `${count(n)} writes a second`],
  written: ['cache.writtenBytesPerSec', (n) => `${bytes(n)} a second are written from the cache`],
  threads: ['eviction.threadsActive', (n) => `${count(n)} eviction threads are at work`],
  seconds: ['window.seconds', (n) => `the window is ${count(n)} s long`],
  samples: ['window.samples', (n) => `it has ${count(n)} samples`],
});

module.exports = { PHRASES };
