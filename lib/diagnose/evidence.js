'use strict';

const { bytes, count, duration, percent } = require('../base/pure/units');
const { named } = require('../signals/disk');
const { many } = require('../signals/words');

/**
 * @import { Bottleneck } from '../base/pure/finding'
 * @import { Metric, Metrics } from '../server/pure/metrics'
 */

/**
 * A mechanism that could be the bottleneck. Each examines the readings for itself. `score`: share
 * of the clients' time (or of all time, for stalls) that it accounts for, 0 to 1; 0 is "nothing
 * speaks for it". `against`: what contradicts it; a candidate that is contradicted is never chosen.
 *
 * @typedef {{ metric: string, value: number, say: string }} Evidence
 * @typedef {{ score: number, because: string, evidence: Evidence[], against: string[] }} Case
 * @typedef {{ name: Bottleneck, examine(metrics: Metrics): Case }}
 *   Candidate
 */

/** How many pieces of evidence a verdict shows. */
const MAX_EVIDENCE = 3;

/** @type {Readonly<Case>} */
const NO_CASE = Object.freeze({ score: 0, because: '', evidence: [], against: [] });

/**
 * The strongest pieces of evidence that are known, strongest first.
 * @param {Metrics} metrics
 * @param {readonly (readonly [Metric, (value: number) => string])[]} list
 * @returns {Evidence[]}
 */
function evidenceOf(metrics, list) {
  return list
    .flatMap(([metric, say]) => {
      const value = metrics[metric];
      return value === undefined ? [] : [{ metric, value, say: say(value) }];
    })
    .slice(0, MAX_EVIDENCE);
}

/** @param {readonly (readonly [boolean, string])[]} list @returns {string[]} what holds */
const holding = (list) => list.filter(([holds]) => holds).map(([, say]) => say);

/** For ordering: what nothing contradicts comes first, then the higher score. @param {Case} it */
const weight = ({ score, against }) => (score === 0 ? 0 : score + (against.length === 0 ? 1 : 0));

/** @param {Case} it @returns {boolean} something speaks for it, and nothing against it */
const isActive = ({ score, against }) => score > 0 && against.length === 0;

/**
 * How evidence is worded: the same reading reads the same everywhere.
 * @typedef {readonly [Metric, (value: number) => string]} Phrase
 */

/** @satisfies {Record<string, Phrase>} */
const PHRASES = Object.freeze({
  reading: [
    'clients.readingThreads',
    (n) => `reading pages keeps ${many(n, 'application thread')} busy on average`,
  ],
  evicting: [
    'clients.evictingThreads',
    (n) => `evicting keeps ${many(n, 'application thread')} busy on average`,
  ],
  waiting: [
    'clients.waitingThreads',
    (n) => `waiting for cache space holds up ${many(n, 'application thread')} on average`,
  ],
  readMs: ['eviction.pageReadMs', (n) => `one page read takes ${duration(n)}`],
  writeMs: ['eviction.pageWriteMs', (n) => `one page written by a client takes ${duration(n)}`],
  reads: ['eviction.appReadsPerSec', (n) => `${many(n, 'page')} a second are read for clients`],
  misses: ['cache.missRatio', (n) => `${percent(n)} of the page requests miss the cache`],
  fill: ['cache.usedRatio', (n) => `the cache is ${percent(n)} full`],
  dirty: ['cache.dirtyRatio', (n) => `${percent(n)} of the cache is dirty`],
  updates: ['cache.updatesRatio', (n) => `${percent(n)} of the cache is update data`],
  cpu: ['process.cpuRatio', (n) => `mongod uses ${percent(n)} of all CPUs`],
  cpuOfAll: ['process.machineRatio', (n) => `mongod uses ${percent(n)} of all CPUs`],
  machine: ['cpu.busyRatio', (n) => `${percent(n)} of the machine's CPUs are busy`],
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
    (n) => `the server stalled for ${percent(n)} of the time while clients waited`,
  ],
  longest: ['stalls.longestSeconds', (n) => `the longest stall lasted ${count(n)} s`],
  stalledInCheckpoint: [
    'stalls.inCheckpointRatio',
    (n) => `${percent(n)} of the stall fell into a checkpoint`,
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
    'clients.throttledThreads',
    (n) => `waiting for a permit to write holds up ${many(n, 'application thread')} on average`,
  ],
  lagged: ['flowControl.laggedShare', (n) => `the majority lagged in ${percent(n)} of the samples`],
  queued: [
    'clients.queued',
    (n) => `the queue for tickets and locks is ${many(n, 'operation')} long on average`,
  ],
  busy: [
    'clients.busyThreads',
    (n) => `the server has ${many(n, 'application thread')} active on average`,
  ],
  pinned: [
    'transaction.pinnedIdsMax',
    (n) => `the oldest snapshot pins ${many(n, 'transaction id')}`,
  ],
  history: ['cache.historyRatio', (n) => `${percent(n)} of the cache is old versions`],
  kept: ['transaction.pinnedSeconds', (n) => `versions of the last ${duration(n * 1000)} are kept`],
  historyGrown: ['history.grownBytes', (n) => `the table of old versions grew by ${bytes(n)}`],
  writes: ['ops.writesPerSec', (n) => `${many(n, 'write')} a second`],
  written: ['cache.writtenBytesPerSec', (n) => `${bytes(n)} a second are written from the cache`],
  threads: ['eviction.threadsActive', (n) => `${many(n, 'eviction thread')} active`],
  seconds: ['window.seconds', (n) => `the window is ${count(n)} s long`],
  samples: ['window.samples', (n) => `it has ${many(n, 'sample')}`],
});

/**
 * @param {Metrics} metrics
 * @returns {Phrase[]} how it is worded as evidence, with the disk's name
 */
const devicePhrases = (metrics) => [
  ['disk.busyRatio', (n) => `the disk${named(metrics)} is busy ${percent(n)} of the time`],
  ['disk.readMs', (n) => `one read of the disk${named(metrics)} takes ${duration(n)}`],
];

module.exports = { NO_CASE, PHRASES, devicePhrases, evidenceOf, holding, weight, isActive };
