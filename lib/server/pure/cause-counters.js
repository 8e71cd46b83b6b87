'use strict';

const { at, counter, gauge } = require('./counter-kit');

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

module.exports = { CAUSE_COUNTERS };
