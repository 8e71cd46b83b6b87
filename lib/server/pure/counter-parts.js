'use strict';

const { wt, counter, latency, at, gauge } = require('./counter-kit');

/**
 * What shows the cause of a load: who reads, writes, builds and connects. A part of the map in
 * counters.js.
 */
const CAUSE_COUNTERS = Object.freeze({
  'connections.created': counter(at('connections.totalCreated')),
  'indexBuilds.active': gauge(at('activeIndexBuilds.total')), // 6.0
  // Only where `metrics` is asked for: at both ends of a window.
  'majority.waitMs': counter(at('metrics.getLastError.wtime.totalMillis')),
  'majority.waits': counter(at('metrics.getLastError.wtime.num')),
  'conflicts.writes': counter(at('metrics.operation.writeConflicts')),
  'query.examined': counter(at('metrics.queryExecutor.scannedObjects')),
  'query.collectionScans': counter(at('metrics.queryExecutor.collectionScans.total')), // 4.4+
  'query.sortSpills': counter(at('metrics.query.sort.spillToDisk')), // 6.2+
  'documents.returned': counter(at('metrics.document.returned')),
  'documents.inserted': counter(at('metrics.document.inserted')),
  'documents.updated': counter(at('metrics.document.updated')),
  'documents.deleted': counter(at('metrics.document.deleted')),
  // Not among those of the clients.
  'ttl.deleted': counter(at('metrics.ttl.deletedDocuments')),
  // Of $currentOp: a pass that is under way. Until 6.0 `ttl.deleted` grows at the end of a pass.
  'ttl.passOpid': gauge(at('ttlPass.opid')),
  'ttl.passYields': counter(at('ttlPass.numYields')),
  'rangeDeleter.deleted': counter(
    at('shardingStatistics.countDocsDeletedByRangeDeleter'),
    at('shardingStatistics.countDocsDeletedOnDonor'),
  ),
  'transaction.tooLarge': counter(at('metrics.operation.transactionTooLargeForCacheErrors')), // 6.0+
  'indexBuilds.started': counter(at('indexBulkBuilder.count')), // 6.0+
});

/** How long calls into the file system take, and reads of blocks; a part of the map of counters. */

/**
 * The same of the block manager (8.2+), which counts what a whole block took: also where the file is
 * not read by a call, or by several.
 * @param {string} label
 * @param {number} number
 */
const blockRead = (label, number) =>
  counter(wt('perf', [`block manager read latency histogram (bucket ${number}) - ${label}`]));

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

module.exports = { LATENCY_COUNTERS, CAUSE_COUNTERS };
