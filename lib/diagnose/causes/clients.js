'use strict';

const { duration, many, percent } = require('../../base/pure/units');
const { MIN_THREADS } = require('../../signals/clients');

/** @import { CauseCandidate } from '../cause' */

/** Connections opened in a second, and share of those that are open (heuristic). */
const MANY_CREATED = 50;
const CREATED_SHARE = 0.2;
/** Share of the clients' time that waits for the majority (heuristic). */
const MAJORITY_SHARE = 0.5;
/**
 * Milliseconds that a write waits for the majority on average. A round trip and a journal write on the
 * other member are part of each such write: about 47 ms (computed: two writers that pause for 50 ms
 * were 0.97 threads) on a machine of 2 CPUs with 30 tasks in its queue. Twice that (heuristic).
 */
const LATE_MS = 100;

/** @type {CauseCandidate} */
const connectionStorm = {
  kind: 'connection-storm',
  of: 'any',
  examine(metrics) {
    const created = metrics['connections.createdPerSec'] ?? 0;
    const ratio = metrics['connections.createdRatio'] ?? 1;
    if (created < MANY_CREATED || ratio < CREATED_SHARE) return null;
    return {
      say: `clients open ${many(created, 'connection')} a second instead of using those they have`,
      share: null,
      evidence: [`${percent(ratio)} of those that are open are new in each second`],
      remedy:
        'Use one MongoClient for each process, with minPoolSize and a larger maxIdleTimeMS; check ' +
        'for clients that connect for each request.',
    };
  },
};

/** @type {CauseCandidate} */
const majority = {
  kind: 'majority',
  of: 'any',
  examine(metrics) {
    const waiting = metrics['clients.majorityThreads'] ?? 0;
    const busy = metrics['clients.busyThreads'] ?? 0;
    const share = waiting / Math.max(waiting, busy);
    const { 'majority.meanMs': meanMs = LATE_MS } = metrics;
    if (waiting < MIN_THREADS || share < MAJORITY_SHARE || meanMs < LATE_MS) return null;
    return {
      say: `writes wait for the majority, not for this server (${percent(share)} of their time)`,
      share,
      evidence: [
        `${many(waiting, 'application thread')} waiting for write concern on average` +
          (metrics['majority.meanMs'] === undefined ? '' : `, each write ${duration(meanMs)}`),
      ],
      remedy: 'Find the member that acknowledges late: tune.advise({ includeMembers: true })',
    };
  },
};

/**
 * Until a transaction ends, what it changed cannot leave the cache. Before it is as large as the
 * server's own limit (transactionTooLargeForCacheThreshold) the engine mostly rolls it back: seen
 * on 6.0.5 with transactions of 400 MB in a cache of 256 MB.
 * @type {CauseCandidate}
 */
const largeTransactions = {
  kind: 'large-transactions',
  of: 'any',
  examine(metrics) {
    const errors = metrics['transaction.tooLarge'] ?? 0;
    const rolledBack = metrics['transaction.rolledBackForEviction'] ?? 0;
    if (errors + rolledBack < 1) return null;
    return {
      say:
        `${many(errors + rolledBack, 'transaction')} did not fit into the cache, and ` +
        `${errors + rolledBack === 1 ? 'was' : 'were'} rolled back`,
      share: null,
      evidence: [
        ...(errors > 0 ? [`${many(errors, 'error')} TransactionTooLargeForCache`] : []),
        ...(rolledBack > 0
          ? [`${many(rolledBack, 'transaction')} rolled back by the engine to free cache space`]
          : []),
      ],
      remedy:
        'Write less in one transaction, and commit sooner; the application must retry the whole ' +
        'transaction. tune.who() names the collection.',
    };
  },
};

module.exports = { connectionStorm, majority, largeTransactions };
