'use strict';

const { duration, many, percent, count } = require('../../base/pure/units');
const { MIN_THREADS } = require('../../signals/clients');

/**
 * @import { CauseCandidate, CauseCase } from '../cause'
 * @import { Metrics } from '../../server/pure/metrics'
 */

/** Documents examined in a second; fewer are no load (heuristic). */
const MANY_EXAMINED = 1000;
/**
 * Examined for each one that is returned or written (heuristic; MongoDB Atlas alerts at 1,000 for one
 * query, while this is of all of them: targeted reads beside it dilute it).
 */
const POOR_TARGETING = 20;
/** Documents of one query that reads everything (heuristic). */
const MANY_RETURNED = 100;
/** Up to this ratio a query reads everything, such as a dump (heuristic). */
const ALL_RETURNED = 3;
/**
 * Conflicts in a second, and for each write: each makes a write begin again (heuristic; a small
 * document that 24 clients increment had 0.02 for each write, and none of them waited).
 */
const MANY_CONFLICTS = 20;
const CONFLICTS_PER_WRITE = 0.1;

/** @param {number} conflicts a second @param {number} writes a second */
const areConflictsMany = (conflicts, writes) =>
  conflicts >= MANY_CONFLICTS && conflicts >= CONFLICTS_PER_WRITE * writes;

/** @param {Metrics} metrics @returns {number | undefined} documents examined for each that is used */
function examinedPerUsed(metrics) {
  const { 'query.examinedPerSec': examined, 'documents.returnedPerSec': returned } = metrics;
  if (examined === undefined || returned === undefined) return undefined;
  return examined / Math.max(1, returned + (metrics['documents.writtenPerSec'] ?? 0));
}

/**
 * Queries that examine more than they use.
 * @param {string} say
 * @param {{ perUsed: number, examined: number, metrics: Metrics }} seen
 * @returns {CauseCase}
 */
const queryCase = (say, { perUsed, examined, metrics }) => ({
  say,
  share: 1 - 1 / perUsed,
  evidence: examinedEvidence(metrics, examined),
  remedy: 'The query first: tune.who() names it, and the index to try where one helps.',
});

/** Queries that examine far more than they return. @type {CauseCandidate} */
const scans = {
  kind: 'scans',
  of: ['cache-read', 'disk', 'cpu', 'concurrency', 'eviction-threads', 'cache-dirty', 'unknown'],
  examine(metrics) {
    const perUsed = examinedPerUsed(metrics);
    const examined = metrics['query.examinedPerSec'] ?? 0;
    if (perUsed === undefined || perUsed < POOR_TARGETING || examined < MANY_EXAMINED) return null;
    return queryCase(
      `queries examine ${many(perUsed, 'document')} for each one they return or write`,
      { perUsed, examined, metrics },
    );
  },
};

/** Collection scans in a second, and documents that each can have examined (heuristic). */
const MANY_SCANS = 1;
const LARGE_SCAN = 1000;

/**
 * Whole collections are read for a part of them: to sort, or for every tenth document. The ratio of
 * all queries is not high, so it only explains busy CPUs.
 * @type {CauseCandidate}
 */
const largeScans = {
  kind: 'scans',
  of: ['cpu', 'unknown'],
  examine(metrics) {
    const perUsed = examinedPerUsed(metrics) ?? 0;
    const { 'query.examinedPerSec': examined = 0, 'query.scansPerSec': scansPerSec = 0 } = metrics;
    if (perUsed <= ALL_RETURNED || scansPerSec < MANY_SCANS) return null;
    if (examined / scansPerSec < LARGE_SCAN) return null;
    return queryCase(
      `queries read whole collections (${many(scansPerSec, 'collection scan')}/s) and return a part`,
      { perUsed, examined, metrics },
    );
  },
};

/** @param {Metrics} metrics @param {number} examined @returns {string[]} */
const examinedEvidence = (metrics, examined) => [
  `${many(examined, 'document')}/s examined, ` +
    `${count(metrics['documents.returnedPerSec'])}/s returned`,
  ...(metrics['query.scansPerSec']
    ? [`${many(metrics['query.scansPerSec'], 'collection scan')}/s`]
    : []),
];

/** Dumps, exports and reports: what they examine they return. @type {CauseCandidate} */
const fullReads = {
  kind: 'full-reads',
  of: ['cache-read', 'disk', 'unknown'],
  examine(metrics) {
    const perUsed = examinedPerUsed(metrics);
    const examined = metrics['query.examinedPerSec'] ?? 0;
    const perQuery = (metrics['documents.returnedPerSec'] ?? 0) / (metrics['ops.readsPerSec'] || 1);
    if (perUsed === undefined || perUsed > ALL_RETURNED || examined < MANY_EXAMINED) return null;
    if (perQuery < MANY_RETURNED) return null;
    return {
      say: `a dump, an export or a report reads whole collections (${many(perQuery, 'document')} a query)`,
      share: 1,
      evidence: examinedEvidence(metrics, examined),
      remedy:
        'Read from a hidden secondary, or at a quiet hour: tune.who() names the application. A ' +
        'larger cache does not help a read of everything.',
    };
  },
};

/** @type {CauseCandidate} */
const sortSpills = {
  kind: 'sort-spills',
  of: ['disk', 'cpu', 'cache-read', 'unknown'],
  examine(metrics) {
    const spills = metrics['query.sortSpills'] ?? 0;
    if (spills < 1) return null;
    return {
      say: `sorts were larger than their memory and spilled to disk ${many(spills, 'time')}`,
      share: null,
      evidence: [many(spills, 'spill')],
      remedy: 'An index on the sort fields first: tune.who() names the query.',
    };
  },
};

/** Batches of sorts in a second, and documents that each is sorted from (heuristics). */
const MANY_SORTED = 0.1;
const LARGE_SORT = 1000;
/**
 * Sorts are at least this share of the collection scans, or of the reads where there are none: with
 * fewer, other operations examine the documents (heuristics).
 */
const SORTED_SCANS = 0.5;
const SORTED_READS = 0.1;

/**
 * Until 6.1 no counter shows that a sort spills, only how many documents each one reads.
 * @type {CauseCandidate}
 */
const largeSorts = {
  kind: 'large-sorts',
  of: ['disk', 'cpu', 'cache-read', 'unknown'],
  examine(metrics) {
    const {
      'query.sortedPerSec': sorted = 0,
      'query.sortSpills': spills,
      'query.examinedPerSec': examined = 0,
      'query.scansPerSec': scansPerSec = 0,
      'ops.readsPerSec': reads = 0,
    } = metrics;
    const perSort = examined / sorted;
    const areOthers =
      sorted < (scansPerSec > 0 ? SORTED_SCANS * scansPerSec : SORTED_READS * reads);
    if (spills !== undefined || sorted < MANY_SORTED || perSort < LARGE_SORT || areOthers)
      return null;
    return {
      say: `queries sort without an index, each batch from ${many(perSort, 'document')} or more`,
      share: null,
      evidence: [
        `${many(sorted, 'sorted batch', 'sorted batches')}/s`,
        `${many(examined, 'document')}/s examined`,
      ],
      remedy:
        'An index on the sort fields first: tune.who() names the query, and whether its sort spills ' +
        'to disk.',
    };
  },
};

/** @type {CauseCandidate} */
const writeConflicts = {
  kind: 'write-conflicts',
  of: 'any',
  examine(metrics) {
    const conflicts = metrics['conflicts.perSec'] ?? 0;
    const written = metrics['documents.writtenPerSec'] ?? 0;
    if (!areConflictsMany(conflicts, written)) return null;
    return /** @type {CauseCase} */ ({
      say: 'writes to the same few documents conflict, and each begins again',
      share: conflicts / (conflicts + written),
      evidence: [
        `${many(conflicts, 'write conflict')}/s, ${many(written, 'document')}/s written`,
        `${percent(conflicts / (conflicts + written))} of the attempts are lost`,
      ],
      remedy:
        'Spread these writes over several documents, or combine them: no setting removes ' +
        'conflicts. tune.who() names the collection.',
    });
  },
};

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
 * What a transaction changed cannot leave the cache until it ends. Before it reaches the server's
 * own limit (transactionTooLargeForCacheThreshold) the engine mostly rolls it back: seen on 6.0.5
 * with transactions of 400 MB in a cache of 256 MB.
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

module.exports = {
  areConflictsMany,
  connectionStorm,
  majority,
  largeScans,
  largeSorts,
  largeTransactions,
  scans,
  fullReads,
  sortSpills,
  writeConflicts,
};
