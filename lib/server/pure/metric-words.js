'use strict';

/**
 * Metrics in words, for the sentence "Not known: …": every one that a rule needs. Ids stay in the
 * data of a finding.
 * @type {Readonly<Record<string, string>>}
 */
const METRIC_WORDS = Object.freeze({
  'cache.dirtyBytesMax': 'dirty data in the cache',
  'cache.dirtyRatio': 'dirty data in the cache',
  'cache.historyRatio': 'history store data in the cache',
  'cache.maxBytes': 'configured cache size',
  'cache.pagesReadPerSec': 'pages read into the cache',
  'cache.uncommittedRatio': 'changes not committed',
  'cache.updatesRatio': 'update data in the cache',
  'cache.usedBytes': 'cache used',
  'cache.usedRatio': 'cache used',
  'cache.usedRatioMax': 'cache used',
  'checkpoint.prepareMs': 'time a checkpoint takes to start',
  'checkpoint.runningShare': 'time in checkpoints',
  'checkpoint.seen': 'number of checkpoints',
  'checkpoint.windowMaxMs': 'checkpoint duration',
  'clients.evictingThreads': 'application-thread eviction time',
  'clients.queued': 'operations queued for tickets and locks',
  'clients.readingThreads': 'application-thread page read time',
  'clients.waitingThreads': 'application-thread wait time for cache space',
  'config.journalCommitMs': 'journal commit interval',
  'config.syncdelaySeconds': 'checkpoint interval (syncdelay)',
  'cpu.busyRatio': 'CPU use of the machine',
  'cpu.stealRatio': 'CPU steal time',
  'data.bytes': 'data size',
  'disk.readsPerSec': 'disk reads',
  'disk.writesPerSec': 'disk writes',
  'drops.pendingFiles': 'files of dropped collections',
  'eviction.aggressiveScoreMax': 'eviction score',
  'eviction.appPagesPerSec': 'pages evicted by application threads',
  'eviction.forcedPerSec': 'forced evictions',
  'eviction.goalMissedPerSec': 'eviction passes that missed their goal',
  'eviction.hazardBlockedPerSec': 'evictions blocked by hazard pointers',
  'eviction.mandatoryRatio': 'waits for eviction that cannot be interrupted',
  'eviction.pagesPerSec': 'pages evicted',
  'eviction.skippedInCheckpointPerSec': 'dirty pages skipped by eviction during checkpoints',
  'eviction.slowestMs': 'slowest eviction of a page',
  'eviction.threadsActive': 'active eviction threads',
  'eviction.triggersReachedPerSec': 'how often eviction triggers were reached',
  'fileSystem.slowWrites': 'slow file writes',
  'fileSystem.writes': 'file writes',
  'flowControl.laggedShare': 'flow control lag (replica sets only)',
  'handles.active': 'active collection and index handles',
  'history.cleanupRemoved': 'pages removed by cleanup of history',
  'history.cleanupVisited': 'pages visited by cleanup of history',
  'host.cores': 'number of CPUs',
  'host.memoryBytes': 'RAM of the host or container',
  'ingress.rejectedPerSec': 'connections and operations turned away',
  'log.syncMs': 'journal sync time',
  'memory.availableBytes': 'available RAM',
  'memory.swapInPagesPerSec': 'pages read from swap',
  'memory.totalBytes': 'RAM of the machine',
  'pressure.ioShare': 'I/O pressure of the machine (PSI)',
  'process.freeHeapBytes': 'memory free in the allocator',
  'process.residentBytes': 'resident memory',
  'server.versionNumber': 'MongoDB release',
  'sessions.open': 'open storage engine sessions',
  'spill.usedRatio': 'cache for spilled sorts and groups',
  'stalls.longestSeconds': 'longest stall',
  'stalls.share': 'stall time',
  'tcmalloc.perCpuCaches': 'per-CPU caches of the allocator (8.0 and later)',
  'tickets.delinquentRatio': 'tickets held too long',
  'transaction.conflictsPerSec': 'write conflicts',
  'transaction.open': 'open transactions',
  'transaction.pinnedIdsMax': 'pinned transaction ids',
  'transaction.pinnedSeconds': 'pinned timestamp range',
  'transaction.rolledBackForEviction': 'transactions rolled back for eviction',
  'window.seconds': 'length of the window',
});

/**
 * Names what is compared between members of a replica set.
 * @type {Readonly<Record<string, string>>}
 */
const MEMBER_WORDS = Object.freeze({
  cache: 'cache size',
  cores: 'number of CPUs',
  lagSeconds: 'replication lag',
  memoryBytes: 'RAM',
  options: 'start-up options',
  parameters: 'server parameters',
  role: 'member state',
  settings: 'engine settings',
  version: 'MongoDB release',
});

/** Names what rules about collections read. */
const COLLECTION_WORDS = Object.freeze({
  cacheMaxBytes: 'cache size',
  files: 'free space in files',
  indexes: 'uses of indexes',
  oplog: 'the oplog',
});

/** Names what rules about recordings of days read. */
const RECORDING_WORDS = Object.freeze({ trends: 'figures of two days or more' });

module.exports = { METRIC_WORDS, MEMBER_WORDS, COLLECTION_WORDS, RECORDING_WORDS };
