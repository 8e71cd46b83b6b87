'use strict';

/**
 * The parts of the map in counters.js: how a counter is declared, and two parts of the map.
 *
 * @typedef {{ path: readonly string[], plus?: readonly (readonly string[])[], scale?: number }} Spelling
 *   `scale` turns the server's unit into ours; `plus`: the figure is `path` and these added up, and
 *   known only where all of them are
 * @typedef {{ kind: 'counter' | 'gauge', spellings: readonly Spelling[] }} Definition
 */

/** @param {string} section @param {readonly string[]} names @param {number} [scale] */
const wt = (section, names, scale) =>
  names.map((name) => ({ path: ['wiredTiger', section, name], scale }));
const cache = (/** @type {string[]} */ ...names) => wt('cache', names);
const at = (/** @type {string} */ dotted, scale = 1) => [{ path: dotted.split('.'), scale }];
/**
 * Adds up a figure that a release reports in parts.
 * @param {...readonly Spelling[]} parts one spelling for each part
 * @returns {Spelling[]}
 */
const added = (...parts) => {
  const [first, ...others] = parts.map(([part]) => part);
  return [{ ...first, plus: others.map(({ path }) => path) }];
};
/** @param {readonly Spelling[][]} spellings @returns {Definition} */
const counter = (...spellings) => ({ kind: 'counter', spellings: spellings.flat() });
/** @param {readonly Spelling[][]} spellings @returns {Definition} */
const gauge = (...spellings) => ({ kind: 'gauge', spellings: spellings.flat() });
/**
 * A checkpoint figure: 8.0 moved it to a section of its own and dropped the prefix.
 * @param {string} name
 * @param {number} [scale]
 */
const checkpoint = (name, scale) => [
  ...wt('checkpoint', [name], scale),
  ...wt('transaction', [`transaction checkpoint ${name}`], scale),
];
/**
 * 8.3 split the tickets into two pools; what clients ordinarily wait for is the pool of normal
 * priority.
 * @param {'read' | 'write'} side
 * @param {string} field 7.0 and older: concurrentTransactions; 8.0: queues.execution
 */
const ticket = (side, field) => [
  ...at(`queues.execution.${side}.normalPriority.${field}`),
  ...at(`queues.execution.${side}.${field}`),
  ...at(`wiredTiger.concurrentTransactions.${side}.${field}`),
];
const HUNDREDTHS = 0.01; // 9.0 tells its thresholds in percent multiplied by 100
/**
 * 9.0 spells the two of the fill with "cache", and those of dirty and update data without.
 * @param {string} name
 */
const threshold = (name) =>
  gauge(
    wt(
      'cache',
      [
        `eviction threshold ${name} multiplied by 100 for precision`,
        `eviction threshold cache ${name} multiplied by 100 for precision`,
      ],
      HUNDREDTHS,
    ),
  );
/** Clients that wait for a ticket of one pool. @param {'read' | 'write'} side @param {string} pool */
const queued = (side, pool) => at(`queues.execution.${side}.${pool}.queueLength`);
/** @param {'read' | 'write'} side */
const delinquent = (side) =>
  at(`queues.execution.${side}.normalPriority.totalAcquisitionDelinquencyMillis`);
/** @param {string} name @returns {Spelling[]} */
const spill = (name) => [{ path: ['spillWiredTiger', 'cache', name] }];
/** The time moved from thread-yield to cache in 8.0 under the same name. @param {string} name */
const threadTime = (name) => [...cache(name), ...wt('thread-yield', [name])];
/**
 * Declares one class of WiredTiger's latency histograms. 8.0 put a class before the first, so that
 * the number of each rose by one: the label identifies a class, the number does not.
 * @param {'read' | 'write'} side
 * @param {string} label
 * @param {number} number the number up to 7.0
 */
const latency = (side, label, number) =>
  counter(
    wt(
      'perf',
      [number + 1, number].map(
        (bucket) => `file system ${side} latency histogram (bucket ${bucket}) - ${label}`,
      ),
    ),
  );

/**
 * Counters that show the cause of a load: who reads, writes, builds and connects. A part of the map
 * in counters.js.
 */
const CAUSE_COUNTERS = Object.freeze({
  'connections.created': counter(at('connections.totalCreated')),
  'connections.available': gauge(at('connections.available')),
  'indexBuilds.active': gauge(at('activeIndexBuilds.total')), // 6.0
  // The server only sends these where `metrics` is requested: at both ends of a window.
  'majority.waitMs': counter(at('metrics.getLastError.wtime.totalMillis')),
  'majority.waits': counter(at('metrics.getLastError.wtime.num')),
  'conflicts.writes': counter(at('metrics.operation.writeConflicts')),
  'query.examined': counter(at('metrics.queryExecutor.scannedObjects')),
  'query.collectionScans': counter(at('metrics.queryExecutor.collectionScans.total')), // 4.4+
  // Until 6.1 this is the only counter of sorts: it counts each batch of a sort without an index.
  'query.sortedBatches': counter(at('metrics.operation.scanAndOrder')),
  'query.sortSpills': counter(at('metrics.query.sort.spillToDisk')), // 6.2+
  'documents.returned': counter(at('metrics.document.returned')),
  'documents.inserted': counter(at('metrics.document.inserted')),
  'documents.updated': counter(at('metrics.document.updated')),
  'documents.deleted': counter(at('metrics.document.deleted')),
  // These are not among the counters of clients.
  'ttl.deleted': counter(at('metrics.ttl.deletedDocuments')),
  // From $currentOp: the pass in progress. Until 6.0 `ttl.deleted` only grows at the end of a pass.
  'ttl.passOpid': gauge(at('ttlPass.opid')),
  'ttl.passYields': counter(at('ttlPass.numYields')),
  'rangeDeleter.deleted': counter(
    at('shardingStatistics.countDocsDeletedByRangeDeleter'),
    at('shardingStatistics.countDocsDeletedOnDonor'),
  ),
  // 8.3+: whether long operations and tasks of the server wait behind short ones.
  'tickets.gate': gauge(
    at('queues.execution.deprioritizationGate'),
    at('queues.execution.usesPrioritization'),
  ),
  // Comes only where it is asked for; diagnostic.data has it.
  'mirrored.sent': counter(at('mirroredReads.sent')), // 4.4+, of a primary
  'mirrored.processed': counter(at('mirroredReads.processedAsSecondary')), // 6.2+
  // Moves of ranges: documents that leave this shard, and that arrive. Not among those of the clients.
  'migrations.sent': counter(at('shardingStatistics.countDocsClonedOnDonor')),
  'migrations.received': counter(at('shardingStatistics.countDocsClonedOnRecipient')),
  'transaction.tooLarge': counter(at('metrics.operation.transactionTooLargeForCacheErrors')), // 6.0+
  'indexBuilds.started': counter(at('indexBulkBuilder.count')), // 6.0+
  'indexBuilds.running': gauge(at('runningBuilds.total')), // Of $currentOp, at both ends.
});

/**
 * Declares one class of the block manager's histogram (8.2+), which counts the time of a whole
 * block, also where one read takes no call or several.
 * @param {string} label
 * @param {number} number
 */
const blockRead = (label, number) =>
  counter(wt('perf', [`block manager read latency histogram (bucket ${number}) - ${label}`]));

/**
 * The times of calls into the file system, and of reads of blocks. A part of the map in
 * counters.js.
 */
const LATENCY_COUNTERS = Object.freeze({
  // Calls into the file system, the operating system's cache included.
  'fileSystem.reads': counter(wt('connection', ['total read I/Os'])),
  'fileSystem.reads50Ms': latency('read', '50-99ms', 2),
  'fileSystem.reads100Ms': latency('read', '100-249ms', 3),
  'fileSystem.reads250Ms': latency('read', '250-499ms', 4),
  'fileSystem.reads500Ms': latency('read', '500-999ms', 5),
  'fileSystem.reads1000Ms': latency('read', '1000ms+', 6),
  'blockReads.50Ms': blockRead('50-99ms', 3),
  'blockReads.100Ms': blockRead('100-249ms', 4),
  'blockReads.250Ms': blockRead('250-499ms', 5),
  'blockReads.500Ms': blockRead('500-999ms', 6),
  'blockReads.1000Ms': blockRead('1000ms+', 7),
  'fileSystem.writes': counter(wt('connection', ['total write I/Os'])),
  'fileSystem.writes50Ms': latency('write', '50-99ms', 2),
  'fileSystem.writes100Ms': latency('write', '100-249ms', 3),
  'fileSystem.writes250Ms': latency('write', '250-499ms', 4),
  'fileSystem.writes500Ms': latency('write', '500-999ms', 5),
  'fileSystem.writes1000Ms': latency('write', '1000ms+', 6),
});

module.exports = {
  LATENCY_COUNTERS,
  CAUSE_COUNTERS,
  wt,
  cache,
  at,
  counter,
  gauge,
  added,
  checkpoint,
  ticket,
  threshold,
  queued,
  delinquent,
  spill,
  threadTime,
};
