'use strict';

const { MIN_THREADS } = require('./wait-time');

/**
 * @import { Metrics } from '../server/pure/metrics'
 */

/**
 * Whether writers wait for the journal.
 */

// A journal sync on a disk with room takes 1 to 3 ms; from 10 ms on writers feel it.
const SLOW_SYNC_MS = 10;
// A write that waits for a sync takes at least half of one (it may come while the sync is on its
// way), and spends at least half of its time so. Ours.
const MOSTLY_RATIO = 0.5;
// The gauge of active clients looked at fewer times than this is chance: five looks in which less
// than half of the writers were active, while all of them were, happen once in a hundred times.
// Ours.
const MIN_SAMPLES = 5;
// A sync is under way for this share of the time: whoever waits for one waits for more than one,
// and a mean over quick and slow ones says too little (0.9 seen, with writes that took three syncs:
// docs/evidence/stalls.md). Ours.
const ALWAYS_RATIO = 0.7;
// Share of the clients' time that the syncs must account for; ours.
const JOURNAL_SHARE = 0.4;

/**
 * And writes take so long that they may wait for one.
 * @param {Metrics} metrics
 * @returns {boolean}
 */
const areSyncsSlow = ({ 'log.syncMs': sync = 0, 'ops.writeLatencyMs': write = 0 }) =>
  sync >= SLOW_SYNC_MS && write >= sync * MOSTLY_RATIO;

/**
 * @param {Metrics} metrics
 * @returns {number} share of the clients' time that they wait for the journal, if they do
 */
function journalShare({
  'log.syncMs': sync = 0,
  'log.syncingRatio': syncing = 0,
  'ops.writeLatencyMs': write = Infinity,
  'clients.writing': writing = 0,
  'clients.busy': busy = 0,
}) {
  const ofWrite = Math.max(sync / write, syncing >= ALWAYS_RATIO ? syncing : 0);
  return writing === 0 ? 0 : (Math.min(1, ofWrite) * writing) / Math.max(writing, busy);
}

/**
 * A write much shorter than a sync does not wait for one, and one much longer waits for something
 * else. A client that waits for the journal holds no lock meanwhile, so it is in an operation but
 * not active; a batch of inserts that takes as long as a sync by itself is both.
 * @param {Metrics} metrics
 */
function isWritingBySync(metrics) {
  const { 'clients.writing': writing = 0 } = metrics;
  return (
    threadsAsleep(metrics) >= Math.max(MIN_THREADS, writing * MOSTLY_RATIO) &&
    journalShare(metrics) >= JOURNAL_SHARE
  );
}

/**
 * Client threads in an operation that hold no lock; unknown counts as none.
 * @param {Metrics} metrics
 * @returns {number}
 */
function threadsAsleep({
  'clients.busy': busy,
  'clients.active': active,
  'window.samples': samples,
}) {
  return busy === undefined ||
    active === undefined ||
    samples === undefined ||
    samples < MIN_SAMPLES
    ? 0
    : busy - active;
}

/** @param {Metrics} metrics @returns {boolean} */
const isJournalWaitedFor = (metrics) => areSyncsSlow(metrics) && isWritingBySync(metrics);

module.exports = { areSyncsSlow, journalShare, isWritingBySync, isJournalWaitedFor };
