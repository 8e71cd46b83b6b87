'use strict';

const { percent } = require('../base/pure/units');
const { many } = require('./words');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * What the cache costs the clients. Time tells, counts mislead: between one and eight eviction
 * threads the count of evictions by clients moved by a factor of 40 at the same throughput
 * (docs/evidence/app-eviction.md).
 *
 * @typedef {'clients.readingPages' | 'clients.evicting' | 'clients.waitingForCache' |
 *   'clients.throttled'} LossReading
 * @typedef {{ threads: number, share: number }} Loss `threads`: mean number of client threads lost;
 *   `share`: of those at work
 */

// Client threads lost, on every healthy server measured (docs/evidence/client-threads.md).
const HEALTHY_THREADS = 0.05;
// Less than this lost can hold nobody back, whatever share it is of a light load. A few cold pages
// cost a light load half a thread for seconds. Ours.
const MIN_THREADS = 0.25;
const MIN_READING_THREADS = 0.5;
// Share of the clients' time spent reading pages from which the reads are the bottleneck: their
// cure would gain a third. CPU-bound servers whose pages come from the operating system's cache
// lose 10 to 20 %; ours.
const READING_SHARE = 0.25;
// Share of the clients' time spent evicting. At 10 % of it a doubled cache already gained half as
// much again; ours.
const EVICTING_SHARE = 0.1;

/**
 * @param {Metrics} metrics @param {LossReading} name
 * @returns {Loss | undefined} undefined where the server does not tell
 */
function lossOf(metrics, name) {
  const threads = metrics[name];
  if (threads === undefined) return undefined;
  return {
    threads,
    share:
      threads === 0 ? 0 : Math.min(1, threads / Math.max(threads, metrics['clients.busy'] ?? 0)),
  };
}

/** @param {Metrics} metrics */
const readingPagesTime = (metrics) => lossOf(metrics, 'clients.readingPages');

/**
 * Waiting for the cache contains the evicting done meanwhile, forced evictions come on top: the
 * larger one counts.
 * @param {Metrics} metrics
 */
function evictionLoss(metrics) {
  const losses = /** @type {LossReading[]} */ ([
    'clients.evicting',
    'clients.waitingForCache',
  ]).flatMap((name) => lossOf(metrics, name) ?? []);
  return losses.length === 0
    ? undefined
    : losses.reduce((a, b) => (a.threads >= b.threads ? a : b));
}

/** @param {Loss | undefined} loss @param {number} threads @param {number} share */
const isSevere = (loss, threads, share) =>
  loss !== undefined && loss.threads >= threads && loss.share >= share;

/** @param {Metrics} metrics */
const isReadingPagesSevere = (metrics) =>
  isSevere(readingPagesTime(metrics), MIN_READING_THREADS, READING_SHARE);

/** @param {Metrics} metrics */
const isEvictionSevere = (metrics) => isSevere(evictionLoss(metrics), MIN_THREADS, EVICTING_SHARE);

/** @param {Loss} loss @returns {string} for the end of "…: it costs the clients" */
const lossWords = ({ threads, share }) =>
  threads < MIN_THREADS
    ? `${many(threads, 'thread')} on average`
    : `${many(threads, 'thread')} on average, ${percent(share)} of their time`;

module.exports = {
  HEALTHY_THREADS,
  MIN_THREADS,
  MIN_READING_THREADS,
  READING_SHARE,
  EVICTING_SHARE,
  lossOf,
  readingPagesTime,
  evictionLoss,
  isReadingPagesSevere,
  isEvictionSevere,
  lossWords,
};
