'use strict';

const { many, percent } = require('../../base/pure/units');
const { MIN_THREADS } = require('../../signals/clients');

/** @import { CauseCandidate } from '../cause' */

/** Connections opened in a second, and share of those that are open (heuristic). */
const MANY_CREATED = 50;
const CREATED_SHARE = 0.2;
/** Share of the clients' time that waits for the majority (heuristic). */
const MAJORITY_SHARE = 0.5;

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
    if (waiting < MIN_THREADS || share < MAJORITY_SHARE) return null;
    return {
      say: `writes wait for the majority, not for this server (${percent(share)} of their time)`,
      share,
      evidence: [`${many(waiting, 'application thread')} waiting for write concern on average`],
      remedy: 'Find the member that acknowledges late: tune.advise({ includeMembers: true })',
    };
  },
};

/** @type {CauseCandidate} */
const largeTransactions = {
  kind: 'large-transactions',
  of: 'any',
  examine(metrics) {
    const errors = metrics['transaction.tooLarge'] ?? 0;
    if (errors < 1) return null;
    return {
      say: `${many(errors, 'transaction')} did not fit into the cache (TransactionTooLargeForCache)`,
      share: null,
      evidence: [many(errors, 'transaction')],
      remedy: 'Write less in one transaction; the server does not retry these.',
    };
  },
};

module.exports = { connectionStorm, majority, largeTransactions };
