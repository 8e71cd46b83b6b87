'use strict';

const { first, last, delta, rate, share } = require('./window');
const { readEvictionState, ratio, difference, perSec } = require('./metric-kit');
const { MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { Counter } from './counters'
 * @import { Read } from './metric-kit'
 * @import { Window } from './window'
 */

/** Readings that show the cause of a load; a part of metrics.js. */
const CAUSE_METRICS = Object.freeze(
  /** @satisfies {Record<string, Read>} */ ({
    'query.examinedPerSec': perSec('query.examined'),
    'query.scansPerSec': perSec('query.collectionScans'),
    'query.sortedPerSec': perSec('query.sortedBatches'),
    'query.sortSpills': (w) => delta(w, 'query.sortSpills'),
    'documents.returnedPerSec': perSec('documents.returned'),
    'documents.writtenPerSec': perSec(
      'documents.inserted',
      'documents.updated',
      'documents.deleted',
    ),
    'ttl.deletedPerSec': perSec('ttl.deleted'),
    'ttl.passYieldsPerSec': (w) => ratio(yieldsOfPass(w), w.seconds),
    'rangeDeleter.deletedPerSec': perSec('rangeDeleter.deleted'),
    'migrations.sentPerSec': perSec('migrations.sent'),
    'migrations.receivedPerSec': perSec('migrations.received'),
    // 1: they do; 0: they could.
    'tickets.prioritizing': (w) => last(w, 'tickets.gate'),
    'mirrored.sentPerSec': perSec('mirrored.sent'),
    'mirrored.processedPerSec': perSec('mirrored.processed'),
    'transaction.tooLarge': (w) => delta(w, 'transaction.tooLarge'),
    'indexBuilds.activeShare': (w) => share(w, 'indexBuilds.active', (n) => n > 0),
    'indexBuilds.started': (w) => delta(w, 'indexBuilds.started'),
    'indexBuilds.runningShare': (w) => share(w, 'indexBuilds.running', (n) => n > 0),
    'connections.open': (w) => last(w, 'connections.current'),
    'connections.createdPerSec': perSec('connections.created'),
    'connections.createdRatio': (w) =>
      ratio(rate(w, 'connections.created'), last(w, 'connections.current')),
    'window.uptimeSeconds': (w) => ratio(w.samples[w.samples.length - 1].uptimeMs, MS_PER_SECOND),
    'conflicts.perSec': perSec('conflicts.writes'),
    'majority.meanMs': (w) => ratio(delta(w, 'majority.waitMs'), delta(w, 'majority.waits')),
    'clients.majorityThreads': (w) => ratio(rate(w, 'majority.waitMs'), MS_PER_SECOND),
  }),
);

/**
 * Times that the TTL pass at the end of the window yielded in it. One that began within the window
 * began at 0.
 * @param {Window} w
 */
function yieldsOfPass({ samples }) {
  const [before, after] = [samples[0].counters, samples[samples.length - 1].counters];
  const yields = after['ttl.passYields'];
  if (samples.length < 2 || yields === undefined) return undefined;
  const isSame = before['ttl.passOpid'] === after['ttl.passOpid'];
  return isSame ? yields - (before['ttl.passYields'] ?? 0) : yields;
}

/** Metrics that take more than a line. */

/**
 * WiredTiger's dirty trigger compares leaf bytes; older servers report leaf and internal pages
 * together.
 * @param {Window} w
 * @returns {Counter}
 */
const dirtyInput = (w) =>
  last(w, 'cache.dirtyLeafBytes') === undefined ? 'cache.dirtyBytes' : 'cache.dirtyLeafBytes';
/**
 * @param {'cleanHard' | 'dirtyHard' | 'updatesHard'} bit
 * @returns {Read} share of the samples in which application threads are made to evict for this reason
 */
const hardShare = (bit) => (w) => {
  const states = w.samples.flatMap((sample) => readEvictionState(sample.counters) ?? []);
  return states.length === 0
    ? undefined
    : states.filter((state) => state[bit]).length / states.length;
};

/**
 * Samples in which application threads had to evict for dirty or update data show where its trigger
 * is; fewer are chance, and older ones may be of another trigger.
 */
const LAST_HARD_SAMPLES = 5;
/**
 * @param {'dirtyHard' | 'updatesHard'} bit
 * @param {(w: Window) => Counter} input
 * @returns {Read} the highest share of the last such samples
 */
const hardLevel = (bit, input) => (w) => {
  const levels = w.samples
    .flatMap(({ counters }) =>
      readEvictionState(counters)?.[bit] ? (counters[input(w)] ?? []) : [],
    )
    .slice(-LAST_HARD_SAMPLES);
  return levels.length < LAST_HARD_SAMPLES
    ? undefined
    : ratio(Math.max(...levels), last(w, 'cache.maxBytes'));
};

/** What the process holds beside its cache: connections, sorts, index builds. @param {Window} w */
const beyondCache = (w) => {
  const [resident, used] = [last(w, 'process.residentBytes'), last(w, 'cache.usedBytes')];
  return resident === undefined || used === undefined
    ? undefined
    : Math.max(0, resident - used - (last(w, 'process.freeHeapBytes') ?? 0));
};

/** What diagnostic data tells where hostInfo is not known. @type {Read} */
const memoryBytes = (w, f) => f.memLimitBytes ?? f.memoryBytes ?? last(w, 'memory.totalBytes');
/** @type {Read} */
const cores = (w, f) => f.cores ?? last(w, 'cpu.allowed') ?? last(w, 'cpu.logical');

/** @type {Read} bytes per second by which the cache filled or emptied */
const usedGrowth = (w) =>
  ratio(difference(last(w, 'cache.usedBytes'), first(w, 'cache.usedBytes')), w.seconds);

/** @param {'read' | 'write'} kind @returns {Read} */
const isSetAtStart =
  (kind) =>
  (w, { ticketsAtStart }) => {
    const total = last(w, `tickets.${kind}Total`);
    if (total === undefined || !ticketsAtStart) return undefined;
    return ticketsAtStart[kind] === total ? 1 : 0;
  };

module.exports = {
  dirtyInput,
  hardShare,
  hardLevel,
  beyondCache,
  memoryBytes,
  cores,
  usedGrowth,
  isSetAtStart,
  CAUSE_METRICS,
};
