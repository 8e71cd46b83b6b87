'use strict';

const { first, last } = require('./window');
const { readEvictionState, ratio, difference } = require('./metric-kit');

/**
 * @import { Counter } from './counters'
 * @import { Read } from './metric-kit'
 * @import { Window } from './window'
 */

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

/** Memory of the process beside its cache: connections, sorts, index builds. @param {Window} w */
const beyondCache = (w) => {
  const [resident, used] = [last(w, 'process.residentBytes'), last(w, 'cache.usedBytes')];
  return resident === undefined || used === undefined
    ? undefined
    : Math.max(0, resident - used - (last(w, 'process.freeHeapBytes') ?? 0));
};

/** Diagnostic data has the memory where hostInfo is not known. @type {Read} */
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
};
