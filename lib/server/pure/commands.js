'use strict';

/**
 * Every command that reads a server, spelled once. What is not asked for costs the server nothing;
 * a section that a release does not have is no error.
 */

/** serverStatus without these sections. @param {string[]} sections */
const statusWithout = (...sections) =>
  Object.freeze({
    serverStatus: 1,
    ...Object.fromEntries(sections.map((section) => [section, 0])),
  });

/** All that serverStatus has by default: what a recording keeps. */
const WHOLE_STATUS = statusWithout();
/** The status with identity, clock, operations, transactions and sharding, but no large section. */
const SMALL_STATUS = statusWithout('metrics', 'wiredTiger', 'locks', 'tcmalloc', 'repl');
/** The small status with the engine: the size of its cache, and its slowest reads and writes. */
const ENGINE_STATUS = statusWithout('metrics', 'locks', 'tcmalloc', 'repl');
/** The TTL monitor's counters, which come with `metrics`. */
const TTL_STATUS = statusWithout(
  'wiredTiger',
  'locks',
  'tcmalloc',
  'repl',
  'transactions',
  'opLatencies',
  'network',
);
/** Tasks of the server that are under way: the pass of the TTL monitor, and builds of indexes. */
const TASKS = Object.freeze({
  aggregate: 1,
  cursor: {},
  pipeline: [
    { $currentOp: { allUsers: true, idleConnections: false, idleSessions: false } },
    { $match: { desc: { $regex: '^(TTLMonitor|IndexBuildsCoordinator)' } } },
    { $project: { desc: 1, opid: 1, numYields: 1 } },
  ],
});
/**
 * The status on which a split depends: engine, replication, and the oplog, which is only sent on
 * request.
 */
const OPLOG_STATUS = Object.freeze({ ...statusWithout('metrics', 'locks'), oplog: 1 });
/** The engine, and how long clients' operations took as histograms. */
const LATENCY_STATUS = Object.freeze({
  ...statusWithout('metrics', 'locks'),
  opLatencies: { histograms: true },
});
/** Sections of no use to any metric within a window. `metrics: 0` also drops `mem`. */
const UNUSED = Object.freeze([
  'metrics',
  'locks',
  'repl',
  'sharding',
  'shardingStatistics',
  'tcmalloc',
  'transactions',
  'bucketCatalog',
  'catalogStats',
  'defaultRWConcern',
  'electionMetrics',
  'featureCompatibilityVersion',
  'freeMonitoring',
  'heapProfile',
  'hedgingMetrics',
  'indexBulkBuilder',
  'indexBuilds',
  'indexStats',
  'internalTransactions',
  'logicalSessionRecordCache',
  'mirroredReads',
  'network',
  'opReadConcernCounters',
  'opWriteConcernCounters',
  'oplog',
  'oplogTruncation',
  'planCache',
  'queryAnalyzers',
  'querySettings',
  'queryStats',
  'readConcernCounters',
  'readPreferenceCounters',
  'resourceConsumption',
  'scramCache',
  'security',
  'service',
  'tenantMigrations',
  'trafficRecording',
  'transportSecurity',
  'twoPhaseCommitCoordinator',
  'watchdog',
  'writeBacksQueued',
  'batchedDeletes',
  'changeStreamPreImages',
  'collectionCatalog',
  'health',
  'Instance',
  'spillWiredTiger',
  'storageEngine',
  'fle',
  'ftdcCollectionMetrics',
  'incrementalRollout',
  'intentRegistry',
  'opWorkingTime',
  'profiler',
  'recoveryOplogApplier',
]);
/** A sample. Measured on 6.0.5: 25 of 57 kB, 0.83 instead of 1.28 ms of server CPU. */
const SAMPLE_STATUS = statusWithout(...UNUSED);
/** Sections that hardly change, and cost more, and those that show causes. */
const AT_THE_ENDS = new Set([
  'metrics',
  'tcmalloc',
  'transactions',
  'spillWiredTiger',
  'repl',
  'indexBulkBuilder',
  'shardingStatistics',
  'storageEngine',
  'mirroredReads',
]);
/** The first and the last sample of a window. */
const END_STATUS = Object.freeze({
  ...statusWithout(...UNUSED.filter((section) => !AT_THE_ENDS.has(section))),
  mirroredReads: 1,
});
/** A sample without the engine, with how long clients' operations took as histograms. */
const HISTOGRAM_STATUS = Object.freeze({
  ...SAMPLE_STATUS,
  wiredTiger: 0,
  opLatencies: { histograms: true },
});

const HELLO = Object.freeze({ hello: 1 });
const BUILD_INFO = Object.freeze({ buildInfo: 1 });
const HOST_INFO = Object.freeze({ hostInfo: 1 });
const START_OPTIONS = Object.freeze({ getCmdLineOpts: 1 });
const DIAGNOSTIC_DATA = Object.freeze({ getDiagnosticData: 1 });
const ALL_PARAMETERS = Object.freeze({ getParameter: '*' });
const GLOBAL_LOG = Object.freeze({ getLog: 'global' });
const STARTUP_WARNINGS = Object.freeze({ getLog: 'startupWarnings' });
const SET_STATUS = Object.freeze({ replSetGetStatus: 1 });
const SET_CONFIG = Object.freeze({ replSetGetConfig: 1 });

/**
 * The smallest roles that tune needs; docs/privileges.md is made from them and tests log in with
 * them. The built-in role clusterMonitor holds all of READ_ROLE; hostManager and clusterAdmin may
 * set parameters (clusterManager may not).
 * @typedef {{
 *   role: string,
 *   privileges: { resource: { cluster: true } | { db: string, collection: string }, actions:
 *     string[] }[]
 * }} Role
 */

/** @type {Role} */
const READ_ROLE = {
  role: 'tuneRead',
  privileges: [
    {
      resource: { cluster: true },
      actions: [
        'serverStatus',
        'hostInfo',
        'getCmdLineOpts',
        'getParameter',
        'getLog',
        'listDatabases',
        'top',
        'replSetGetStatus',
        'replSetGetConfig',
      ],
    },
    { resource: { db: '', collection: '' }, actions: ['dbStats', 'collStats', 'indexStats'] },
    // getDiagnosticData needs this, with replSetGetStatus.
    { resource: { db: 'local', collection: 'oplog.rs' }, actions: ['collStats'] },
  ],
};

/** @type {Role} */
const CHANGE_ROLE = {
  role: 'tuneChange',
  privileges: [...READ_ROLE.privileges, { resource: { cluster: true }, actions: ['setParameter'] }],
};

module.exports = {
  WHOLE_STATUS,
  SMALL_STATUS,
  ENGINE_STATUS,
  TTL_STATUS,
  TASKS,
  OPLOG_STATUS,
  LATENCY_STATUS,
  SAMPLE_STATUS,
  END_STATUS,
  HISTOGRAM_STATUS,
  HELLO,
  BUILD_INFO,
  HOST_INFO,
  START_OPTIONS,
  DIAGNOSTIC_DATA,
  ALL_PARAMETERS,
  GLOBAL_LOG,
  STARTUP_WARNINGS,
  SET_STATUS,
  SET_CONFIG,
  READ_ROLE,
  CHANGE_ROLE,
};
