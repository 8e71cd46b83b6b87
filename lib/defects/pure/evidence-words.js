'use strict';

const { METRIC_WORDS } = require('../../server/pure/metric-words');

/** What a mark is, in words, where the metrics have none. */
const WORDS = Object.freeze(
  /** @type {Record<string, string>} */ ({
    'backup.cursorOpen': 'open backup cursor',
    'cache.updatesHardShare': 'time above the updates trigger',
    'clients.handleWaitThreads': 'application threads waiting for handles',
    'eviction.emptyScore': 'empty eviction queues',
    'eviction.forcedUnableRatio': 'forced evictions that failed',
    'history.diskBytes': 'history store on disk',
    'host.kernelNumber': 'kernel release',
    'insert.batchMax': 'internalInsertMaxBatchSize',
    'log.compact-begun': 'log: compact was run',
    'log.cross-database-rename': 'log: rename to another database',
    'log.drop-pending-busy': 'log: dropped table still in use',
    'log.find-and-modify-conflict': 'log: write conflicts of findAndModify',
    'log.rstl-timeout': 'log: time-out waiting for the state transition lock',
    'log.session-limit': 'log: out of sessions',
    'log.slow-batch-insert': 'log: slow inserts of 100 documents or more',
    'log.step-down': 'log: step-down was asked for',
    'log.unclean-start': 'log: start after an unclean shutdown',
    'log.weakly-ordered-build': 'log: build for ARM64 or POWER',
    'ops.deletesTotal': 'deletes',
    'process.otherBytes': 'memory beside the cache',
    'server.isReplicated': 'member of a replica set',
    'server.isSharded': 'part of a sharded cluster',
    'server.isWeaklyOrdered': 'ARM64 or POWER CPU',
    'sorts.spilled': 'sorts that spilled to disk',
    'tickets.readEmptyShare': 'time without read tickets',
    'tickets.timesDecreased': 'decreases of the tickets',
    'tickets.timesIncreased': 'increases of the tickets',
    'timeseries.collections': 'time-series collections',
    'transactions.coordinated': 'transactions over several shards',
    'transactions.started': 'transactions',
    'window.longestGapSeconds': 'longest gap between samples',
    'zlib.isAccepted': 'compressor zlib is accepted',
  }),
);

/** @param {string} name of a mark */
const wordsOfMark = (name) => WORDS[name] ?? METRIC_WORDS[name] ?? name;

module.exports = { wordsOfMark };
