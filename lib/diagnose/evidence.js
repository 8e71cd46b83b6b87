'use strict';

const { bytes, count, duration, secondsText, percent, many } = require('../base/pure/units');
const { named } = require('../signals/disk');

/**
 * @import { Bottleneck } from '../base/pure/finding'
 * @import { Metric, Metrics } from '../server/pure/metrics'
 */

/**
 * A mechanism that could be the bottleneck. Each examines the metrics by itself. `score`: share of
 * the clients' time (or of all time, for stalls) that it accounts for, 0 to 1; 0 is "nothing speaks
 * for it". `against`: what contradicts it; a candidate that is contradicted is never chosen.
 *
 * @typedef {{ metric: string, value: number, say: string }} Evidence
 * @typedef {{
 *   score: number, because: string, evidence: Evidence[], against: string[], limitedBy?: Bottleneck
 * }} Case `limitedBy`: what its sentence names as the limit underneath, so that it is no rival
 * @typedef {{ name: Bottleneck, examine(metrics: Metrics): Case }}
 *   Candidate
 */

/** A verdict shows this many pieces of evidence. */
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
const whereTrue = (list) => list.filter(([holds]) => holds).map(([, say]) => say);

/**
 * Orders candidates: those that nothing contradicts come first, then the higher score.
 * @param {Case} it
 */
const weight = ({ score, against }) => (score === 0 ? 0 : score + (against.length === 0 ? 1 : 0));

/** @param {Case} it @returns {boolean} something speaks for it, and nothing against it */
const isActive = ({ score, against }) => score > 0 && against.length === 0;

/**
 * Words evidence: one wording for each metric.
 * @typedef {readonly [Metric, (value: number) => string]} Phrase
 */

/** @satisfies {Record<string, Phrase>} */
const PHRASES = Object.freeze({
  reading: [
    'clients.readingThreads',
    (n) => `${many(n, 'application thread')} reading pages into cache on average`,
  ],
  evicting: [
    'clients.evictingThreads',
    (n) => `${many(n, 'application thread')} evicting pages on average`,
  ],
  waiting: [
    'clients.waitingThreads',
    (n) => `${many(n, 'application thread')} waiting for cache space on average`,
  ],
  readMs: ['eviction.pageReadMs', (n) => `a page read takes ${duration(n)}`],
  writeMs: [
    'eviction.pageWriteMs',
    (n) => `a page write by an application thread takes ${duration(n)}`,
  ],
  reads: [
    'eviction.appReadsPerSec',
    (n) => `application threads read ${many(n, 'page')}/s into cache`,
  ],
  misses: ['cache.missRatio', (n) => `${percent(n)} of page requests miss the cache`],
  used: ['cache.usedRatio', (n) => `${percent(n)} of the cache is used`],
  dirty: ['cache.dirtyRatio', (n) => `${percent(n)} of the cache is dirty`],
  updates: ['cache.updatesRatio', (n) => `${percent(n)} of the cache is update data`],
  cpu: ['process.cpuRatio', (n) => `mongod uses ${percent(n)} of CPU time`],
  cpuOfAll: ['process.machineRatio', (n) => `mongod uses ${percent(n)} of CPU time`],
  cpuOfMachine: ['cpu.busyRatio', (n) => `${percent(n)} of the machine's CPU time is used`],
  dirtyPageCache: [
    'writeback.dirtyPageBytesMax',
    (n) => `up to ${bytes(n)} of dirty page cache; it fell by half or more during stalls`,
  ],
  diskWriteMs: ['disk.writeMs', (n) => `a disk write takes ${duration(n)}`],
  cores: ['process.cpuCores', (n) => `mongod uses ${many(n, 'core')}`],
  ops: ['ops.perSec', (n) => `${many(n, 'operation')}/s`],
  stalled: [
    'stalls.share',
    (n) => `the server stalled for ${percent(n)} of the time while clients waited`,
  ],
  longest: ['stalls.longestSeconds', (n) => `the longest stall lasted ${count(n)} s`],
  stalledInCheckpoint: [
    'stalls.inCheckpointRatio',
    (n) => `${percent(n)} of stall time was during checkpoints`,
  ],
  pace: ['checkpoint.paceRatio', (n) => `throughput is ${percent(n)} of normal during checkpoints`],
  checkpoint: ['checkpoint.windowMaxMs', (n) => `a checkpoint took ${duration(n)}`],
  sync: ['log.syncMs', (n) => `a journal sync takes ${duration(n)}`],
  syncing: ['log.syncingRatio', (n) => `a journal sync is running ${percent(n)} of the time`],
  writeLatency: ['ops.writeLatencyMs', (n) => `a write takes ${duration(n)}`],
  throttled: [
    'clients.throttledThreads',
    (n) => `${many(n, 'application thread')} throttled by flow control on average`,
  ],
  lagged: ['flowControl.laggedShare', (n) => `the majority lagged in ${percent(n)} of the samples`],
  queued: [
    'clients.queued',
    (n) => `${many(n, 'operation')} queued for tickets and locks on average`,
  ],
  busy: ['clients.busyThreads', (n) => `${many(n, 'application thread')} active on average`],
  pinned: [
    'transaction.pinnedIdsMax',
    (n) => `the oldest snapshot pins ${many(n, 'transaction id')}`,
  ],
  history: ['cache.historyRatio', (n) => `${percent(n)} of the cache is history store data`],
  kept: ['transaction.pinnedSeconds', (n) => `old versions are kept for ${secondsText(n)}`],
  historyGrown: ['history.grownBytes', (n) => `the history store grew by ${bytes(n)}`],
  writes: ['ops.writesPerSec', (n) => `${many(n, 'write')}/s`],
  written: ['cache.writtenBytesPerSec', (n) => `the cache writes ${bytes(n)}/s`],
  threads: ['eviction.threadsActive', (n) => `${many(n, 'eviction thread')} active`],
  seconds: ['window.seconds', (n) => `the window is ${count(n)} s`],
  samples: ['window.samples', (n) => `${many(n, 'sample')} in the window`],
});

/**
 * @param {Metrics} metrics
 * @returns {Phrase[]} how it is worded as evidence, with the disk's name
 */
const devicePhrases = (metrics) => [
  ['disk.busyRatio', (n) => `the disk${named(metrics)} is busy ${percent(n)} of the time`],
  ['disk.readMs', (n) => `a read of the disk${named(metrics)} takes ${duration(n)}`],
];

module.exports = {
  MAX_EVIDENCE,
  NO_CASE,
  PHRASES,
  devicePhrases,
  evidenceOf,
  whereTrue,
  weight,
  isActive,
};
