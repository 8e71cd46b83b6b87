'use strict';

/**
 * What mongod 9.0.2 answers to serverStatus, as far as this project reads it: the names and the
 * nesting are those of a real 9.0.2 (a primary of a set of three, published by its owner), read on
 * the page and not copied; all values are made. Sections that the published answer lacks (all of
 * wiredTiger but `cache`, metrics, opLatencies, tcmalloc) are left out here.
 */

const MiB = 2 ** 20;

/** One pool of tickets. @param {{ out?: number, total?: number, queueLength?: number }} [pool] */
const pool = ({ out = 0, total = 4, queueLength = 0 } = {}) => ({
  out,
  available: total - out,
  totalTickets: total,
  addedToQueue: queueLength,
  removedFromQueue: 0,
  queueLength,
  queuedOperationsTotalAdmissions: 0,
  startedProcessing: 0,
  processing: out,
  finishedProcessing: 0,
  totalTimeProcessingMicros: 0,
  canceled: 0,
  newAdmissions: 0,
  totalTimeQueuedMicros: 0,
  totalDelinquentAcquisitions: 0,
  totalAcquisitionDelinquencyMillis: 0,
  maxAcquisitionDelinquencyMillis: 0,
});

/** @param {{ normal?: Parameters<typeof pool>[0], low?: Parameters<typeof pool>[0] }} [pools] */
const side = ({ normal = {}, low = { total: 2 } } = {}) => ({
  normalPriority: pool(normal),
  lowPriority: pool({ total: 2, ...low }),
  exempt: pool(),
  out: normal?.out ?? 0,
  available: (normal?.total ?? 4) - (normal?.out ?? 0),
  totalTickets: normal?.total ?? 4,
});

/**
 * @param {{
 *   isProbing?: boolean, read?: Parameters<typeof side>[0], write?: Parameters<typeof side>[0],
 *   thresholds?: Record<string, number>
 * }} [what] `thresholds`: hundredths of a percent by their names in the server
 */
const status902 = ({ isProbing = true, read, write, thresholds = {} } = {}) => ({
  host: 'db9:27017',
  version: '9.0.2',
  process: 'mongod',
  pid: 77,
  uptime: 600,
  uptimeMillis: 600_000,
  localTime: new Date(Date.UTC(2026, 0, 1)),
  asserts: { regular: 0, warning: 0, msg: 0, user: 0, tripwire: 0, rollovers: 0 },
  connections: { current: 17, available: 7983, rejected: 0 },
  opcounters: { insert: 4, query: 12, update: 1, delete: 2, getmore: 6, command: 9, aggregate: 12 },
  globalLock: {
    currentQueue: { total: 0, readers: 0, writers: 0 },
    activeClients: { total: 0, readers: 0, writers: 0 },
  },
  queues: {
    execution: {
      usesThroughputProbing: isProbing,
      usesPrioritization: false,
      deprioritizationGate: false,
      heuristicDeprioritization: true,
      totalDeprioritizations: 0,
      read: side(read),
      write: side(write),
      // Written whether the server probes or not.
      monitor: { timesDecreased: 0, timesIncreased: 0, timesProbedStable: 329 },
      nonDeprioritizable: { totalOpsFinished: 215, totalOpsLoadShed: 0 },
      deprioritizable: { totalOpsFinished: 21, totalOpsLoadShed: 0 },
    },
    ingress: { out: 0, available: 1_000_000, totalTickets: 1_000_000, normalPriority: pool() },
    ingressSessionEstablishment: { rejectedAdmissions: 0, currentQueueDepth: 0 },
    writeThrottler: { enabled: false, rejectedAdmissions: 0, currentQueueDepth: 0 },
  },
  mem: { bits: 64, resident: 322, virtual: 20_990 },
  wiredTiger: {
    cache: {
      'application thread time evicting (usecs)': 0,
      'application threads page read from disk to cache count': 61,
      'application threads page read from disk to cache time (usecs)': 532,
      'application threads page write from cache to disk count': 149,
      'application threads page write from cache to disk time (usecs)': 2901,
      'bytes allocated for updates': 4 * MiB,
      'bytes belonging to the history store table in the cache': 60_000,
      'bytes currently in the cache': 18 * MiB,
      'bytes read into cache': 800_000,
      'bytes written from cache': 16 * MiB,
      'cache tolerance configured': 0,
      'checkpoint blocked page eviction': 0,
      'evict page attempts by eviction server': 0,
      'evict page attempts by eviction worker threads': 33,
      'eviction currently operating in aggressive mode': 0,
      'eviction empty score': 0,
      'eviction server skips dirty pages during a running checkpoint': 0,
      'eviction server unable to reach eviction goal': 0,
      'eviction state': 32,
      'eviction threshold cache full target multiplied by 100 for precision': 8000,
      'eviction threshold cache full trigger multiplied by 100 for precision': 9500,
      'eviction threshold dirty target multiplied by 100 for precision': 500,
      'eviction threshold dirty trigger multiplied by 100 for precision': 2000,
      'eviction threshold updates target multiplied by 100 for precision': 250,
      'eviction threshold updates trigger multiplied by 100 for precision': 1000,
      'eviction worker thread active': 4,
      'forced eviction - pages selected count': 2,
      'forced eviction - pages selected unable to be evicted count': 0,
      'hazard pointer blocked page eviction': 0,
      'history store table on-disk size': 28_672,
      'internal pages read into cache': 1,
      'leaf pages read into cache': 60,
      'maximum bytes configured': 256 * MiB,
      'maximum clean page size seen at eviction per checkpoint': 0,
      'maximum dirty page size seen at eviction per checkpoint': 0,
      'maximum milliseconds spent at a single eviction': 17,
      'maximum milliseconds spent at a single eviction per checkpoint': 0,
      'maximum updates page size seen at eviction per checkpoint': 0,
      'modified pages evicted': 36,
      'number of times dirty trigger was reached': 0,
      'number of times eviction trigger was reached': 0,
      'number of times updates trigger was reached': 0,
      'page evict attempts by application threads': 0,
      'page evict failures by application threads': 0,
      'pages read into cache': 61,
      'pages requested from the cache': 86_862,
      'pages requested from the cache internal': 0,
      'pages requested from the cache leaf': 86_862,
      'recent modification of a page blocked its eviction': 0,
      'tracked dirty bytes in the cache': 4 * MiB,
      'tracked dirty leaf page bytes in the cache': 4 * MiB,
      'unmodified pages evicted': 1,
      'updates in uncommitted txn - bytes': 0,
      'updates in uncommitted txn - count': 0,
      ...thresholds,
    },
  },
  flowControl: {
    enabled: true,
    isLagged: false,
    timeAcquiringMicros: 0,
    rateLimiter: { rejectedAdmissions: 0, currentQueueDepth: 0 },
  },
});

module.exports = { status902 };
