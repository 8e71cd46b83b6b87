'use strict';

const GiB = 2 ** 30;

/**
 * Readings of servers that were measured, as far as the judgement looks at them. What a test is about, it overrides.
 * @typedef {import('../../lib/model/readings').Readings} Readings
 */

/** 500 operations a second, all data in the cache, 4 cores, 16 GB. @type {Readings} */
const HEALTHY = Object.freeze({
  'window.seconds': 60, 'window.samples': 61, 'window.longestGapSeconds': 1,
  'cache.maxBytes': 2 * GiB, 'cache.usedBytes': 1.2 * GiB, 'cache.usedRatio': 0.6, 'cache.usedRatioMax': 0.61,
  'cache.dirtyRatio': 0.01, 'cache.dirtyRatioMax': 0.02, 'cache.updatesRatio': 0.001, 'cache.updatesRatioMax': 0.002, 'cache.historyRatio': 0,
  'cache.hardShare': 0, 'cache.dirtyHardShare': 0, 'cache.updatesHardShare': 0,
  'cache.writtenBytesPerSec': 2e6, 'cache.pagesReadPerSec': 10, 'cache.missRatio': 0.01,
  'clients.readingPages': 0.01, 'clients.evicting': 0, 'clients.waitingForCache': 0, 'clients.busy': 0.5, 'clients.active': 0.5, 'clients.queued': 0, 'clients.queuedMax': 0,
  'clients.writing': 0.1,
  'eviction.appPagesPerSec': 0, 'eviction.pagesPerSec': 0, 'eviction.threadsActive': 4, 'eviction.pageReadMs': 0.1, 'eviction.appReadsPerSec': 10, 'eviction.pageWriteMs': 0.1,
  'eviction.aggressiveMax': 0, 'eviction.aggressiveShare': 0,
  'checkpoint.runningShare': 0.02, 'checkpoint.windowMaxMs': 200, 'checkpoint.seen': 1,
  'ops.perSec': 500, 'ops.writesPerSec': 50, 'ops.replicatedPerSec': 0, 'ops.writeLatencyMs': 0.5, 'stalls.share': 0, 'stalls.longestSeconds': 0,
  'log.syncMs': 2, 'process.cpuRatio': 0.1, 'process.cpuCores': 0.4, 'process.otherBytes': 0.2 * GiB, 'transaction.pinnedIds': 5, 'transaction.pinnedIdsMax': 40,
  'eviction.goalMissedPerSec': 0, 'eviction.forcedPerSec': 0, 'eviction.hazardBlockedPerSec': 0, 'eviction.skippedInCheckpointPerSec': 0, 'eviction.modifiedPagesPerSec': 0,
  'cache.dirtyBytesMax': 0.04 * GiB, 'history.diskBytes': 4096, 'history.grownBytes': 0, 'transaction.pinnedSeconds': 300, 'transaction.pinnedSecondsGrown': 1, 'transaction.rolledBackForEviction': 0,
  'checkpoint.prepareMs': 1, 'checkpoint.gatherMs': 1, 'handles.active': 60, 'files.open': 30, 'sessions.open': 25, 'clients.waitingForHandles': 0,
  'fileSystem.reads': 600, 'fileSystem.slowReads': 2, 'fileSystem.writes': 1200, 'fileSystem.slowWrites': 0, 'log.syncs': 400, 'flowControl.laggedShare': 0, 'clients.throttled': 0, 'tcmalloc.perCpuCaches': 1,
  'system.seconds': 60, 'system.cpuRatio': 0.15, 'system.iowaitRatio': 0.01, 'system.stealRatio': 0, 'system.blockedTasks': 0.1, 'system.cpuPressureShare': 0.02, 'system.ioPressureShare': 0.03,
  'system.memoryBytes': 16 * GiB, 'system.availableBytes': 10 * GiB, 'system.unwrittenBytesMax': 0.02 * GiB, 'system.majorFaultsPerSec': 0, 'system.swapInsPerSec': 0,
  'disk.name': 'nvme0n1', 'disk.busyRatio': 0.05, 'disk.queue': 0.05, 'disk.readMs': 0.2, 'disk.writeMs': 0.5, 'disk.readsPerSec': 10, 'disk.writesPerSec': 40,
  'server.versionNumber': 80_004, 'config.threadsMax': 4, 'config.syncdelaySeconds': 60, 'config.journalCommitMs': 100,
  'host.memoryBytes': 16 * GiB, 'host.cores': 4, 'data.bytes': 1.1 * GiB,
});

/** Nobody works with it. @type {Readings} */
const IDLE = Object.freeze({
  ...HEALTHY, 'ops.perSec': 0.5, 'ops.writesPerSec': 0, 'clients.busy': 0, 'clients.active': 0, 'clients.writing': 0, 'clients.readingPages': 0, 'cache.pagesReadPerSec': 0, 'eviction.appReadsPerSec': 0, 'process.cpuCores': 0.02, 'process.cpuRatio': 0.005,
});

/** The two below were recorded without what diagnostic data tells of the machine. @param {Readings} readings @returns {Readings} */
const withoutMachine = (readings) => Object.freeze(Object.fromEntries(Object.entries(readings).filter(([name]) => !/^(system|disk)\./.test(name))));

/** Reads of 600 a second reach the disk: seven of eight clients wait for a page. @type {Readings} */
const READ_BOUND = Object.freeze({
  ...withoutMachine(HEALTHY), 'cache.maxBytes': 0.25 * GiB, 'cache.usedBytes': 0.2 * GiB, 'cache.usedRatio': 0.81, 'cache.usedRatioMax': 0.85, 'cache.dirtyRatio': 0, 'cache.dirtyRatioMax': 0,
  'clients.readingPages': 7.1, 'clients.busy': 7.2, 'clients.active': 7.5, 'clients.writing': 0, 'cache.missRatio': 0.22, 'cache.pagesReadPerSec': 599,
  'eviction.pagesPerSec': 592, 'eviction.pageReadMs': 11.8, 'eviction.appReadsPerSec': 599, 'ops.perSec': 549, 'ops.writesPerSec': 0, 'fileSystem.reads': 34_763, 'fileSystem.slowReads': 4301,
});

/** Updates at the dirty trigger, on a disk that takes 8 MB a second. @type {Readings} */
const WRITE_BOUND = Object.freeze({
  ...withoutMachine(HEALTHY), 'cache.maxBytes': 0.25 * GiB, 'cache.usedBytes': 0.22 * GiB, 'cache.usedRatio': 0.876, 'cache.usedRatioMax': 0.92, 'cache.dirtyRatio': 0.212, 'cache.dirtyRatioMax': 0.215,
  'cache.dirtyHardShare': 0.31, 'clients.readingPages': 10.2, 'clients.evicting': 1.98, 'clients.waitingForCache': 3.51, 'clients.busy': 13.9, 'clients.active': 14.1, 'clients.writing': 9.3,
  'cache.writtenBytesPerSec': 8.1e6, 'cache.pagesReadPerSec': 948, 'eviction.pagesPerSec': 942, 'eviction.pageReadMs': 10.8, 'eviction.appReadsPerSec': 948, 'eviction.pageWriteMs': 22.1,
  'eviction.appPagesPerSec': 82, 'eviction.aggressiveMax': 100, 'eviction.aggressiveShare': 0.27, 'checkpoint.runningShare': 0.16, 'checkpoint.paceRatio': 0.48, 'checkpoint.windowMaxMs': 3249,
  'ops.perSec': 641, 'ops.writesPerSec': 323, 'ops.writeLatencyMs': 28.8, 'log.syncMs': 57, 'eviction.goalMissedPerSec': 0.62, 'eviction.forcedPerSec': 598, 'eviction.forcedUnableRatio': 0, 'fileSystem.writes': 19_052, 'fileSystem.slowWrites': 2171, 'fileSystem.reads': 57_800, 'fileSystem.slowReads': 4009, 'process.cpuRatio': 0.19, 'process.cpuCores': 0.39, 'host.cores': 2, 'host.memoryBytes': 24 * GiB,
});

module.exports = { HEALTHY, IDLE, READ_BOUND, WRITE_BOUND, GiB };
