'use strict';

const { delta, rate, first, last, mean, max, median, share } = require('./window');
const { MICROS_PER_MS, MICROS_PER_SECOND, MS_PER_SECOND } = require('../../base/pure/units');
const { versionNumber } = require('../../base/pure/version');
const {
  ratio,
  sum,
  difference,
  perSec,
  threads,
  msEach,
  ofCache,
  threshold,
  orHalf,
} = require('./metric-kit');
const { findStalls, quietShare, cacheWaitShare, checkpointPace } = require('./stalls');
const {
  completedPerSec,
  longestGap,
  busyClients,
  slowCalls,
  memberChanged,
  missRatio,
  pinnedSeconds,
  slowestEviction,
  cachePressureShare,
  dirtyInput,
  hardShare,
  hardLevel,
  beyondCache,
  memoryBytes,
  cores,
  usedGrowth,
  isSetAtStart,
} = require('./metric-reads');
const { CAUSE_METRICS } = require('./cause-metrics');
const { MACHINE_METRICS, busiestDisk, writebackShare } = require('./machine');
const { PLATEAU_METRICS } = require('./plateau');

/**
 * @import { Read } from './metric-kit'
 * @import { Window } from './window'
 * @import { Facts } from './types'
 */

/**
 * The metrics that rules and commands use: one number each, computed from a window and the facts. A
 * metric whose inputs are not known is absent. Names end in their unit; `…Ratio` is 0 to 1;
 * `clients.…` are mean numbers of application threads.
 */

const dirtyTarget = threshold('eviction.dirtyTargetPercent', 'evictionDirtyTarget');
const dirtyTrigger = threshold('eviction.dirtyTriggerPercent', 'evictionDirtyTrigger');
const cpuCores = perSec('process.userMicros', 'process.systemMicros');
const METRICS = Object.freeze(
  /** @satisfies {Record<string, Read>} */ ({
    'window.seconds': (w) => w.seconds,
    'window.samples': (w) => w.samples.length,
    'window.longestGapSeconds': longestGap,
    'cache.maxBytes': (w) => last(w, 'cache.maxBytes'),
    'cache.usedBytes': (w) => last(w, 'cache.usedBytes'),
    'cache.usedGrowthPerSec': usedGrowth,
    'cache.usedRatio': ofCache('cache.usedBytes', mean),
    'cache.usedRatioMax': ofCache('cache.usedBytes', max),
    'cache.dirtyBytes': (w) => last(w, 'cache.dirtyBytes'),
    'cache.dirtyBytesMax': (w) => max(w, 'cache.dirtyBytes'),
    'cache.dirtyRatio': (w, f) => ofCache(dirtyInput(w), median)(w, f),
    'cache.dirtyRatioMax': (w, f) => ofCache(dirtyInput(w), max)(w, f),
    'cache.updatesRatio': ofCache('cache.updatesBytes', median),
    'cache.updatesRatioMax': ofCache('cache.updatesBytes', max),
    'cache.historyRatio': ofCache('cache.historyBytes', median),
    'cache.readBytesPerSec': perSec('cache.readBytes'),
    'cache.writtenBytesPerSec': perSec('cache.writtenBytes'),
    'cache.pagesReadPerSec': perSec('cache.pagesRead'),
    'cache.missRatio': missRatio,
    'cache.hardShare': hardShare('cleanHard'),
    'cache.dirtyHardShare': hardShare('dirtyHard'),
    'cache.updatesHardShare': hardShare('updatesHard'),
    'cache.dirtyHardLevelRatio': hardLevel('dirtyHard', dirtyInput),
    'cache.updatesHardLevelRatio': hardLevel('updatesHard', () => 'cache.updatesBytes'),

    'clients.readingThreads': threads('eviction.appReadMicros'),
    'clients.evictingThreads': threads('eviction.appMicros'),
    'clients.waitingThreads': threads('eviction.waitMicros'),
    'clients.writing': threads('latency.writeMicros'),
    'clients.busyThreads': busyClients,
    'clients.active': (w) => mean(w, 'clients.active'),
    'clients.throttledThreads': threads('flowControl.waitMicros'),
    'clients.handleWaitThreads': (w) =>
      ratio(sum(rate(w, 'locks.schemaMicros'), rate(w, 'locks.handleMicros')), MICROS_PER_SECOND),
    'clients.queued': (w) => sum(mean(w, 'queue.readers'), mean(w, 'queue.writers')),
    'clients.lowPriorityQueued': (w) => mean(w, 'queue.lowPriority'),
    'clients.queuedMax': (w) => sum(max(w, 'queue.readers'), max(w, 'queue.writers')),

    'eviction.appPagesPerSec': perSec('eviction.appPages'),
    'eviction.pagesPerSec': perSec('eviction.cleanPages', 'eviction.modifiedPages'),
    'eviction.modifiedPagesPerSec': perSec('eviction.modifiedPages'),
    'eviction.workerPagesPerSec': perSec('eviction.workerPages', 'eviction.serverPages'),
    'eviction.appRatio': (w) => {
      const app = delta(w, 'eviction.appPages');
      const own = sum(delta(w, 'eviction.workerPages'), delta(w, 'eviction.serverPages'));
      if (app === undefined || own === undefined) return undefined;
      return app + own === 0 ? 0 : app / (app + own);
    },
    'eviction.threadsActive': (w) => median(w, 'eviction.threadsActive'),
    'eviction.aggressiveScoreMax': (w) => max(w, 'eviction.aggressiveScore'),
    'eviction.aggressiveShare': (w) => share(w, 'eviction.aggressiveScore', (score) => score > 0),
    'eviction.emptyScore': (w) => median(w, 'eviction.emptyScore'),
    'eviction.pageReadMs': msEach('eviction.appReadMicros', 'eviction.appReadPages'),
    'eviction.pageWriteMs': msEach('eviction.appWriteMicros', 'eviction.appWritePages'),
    'eviction.appReadsPerSec': perSec('eviction.appReadPages'),
    'eviction.goalMissedPerSec': perSec('eviction.goalMissed'),
    'eviction.forcedPerSec': perSec('eviction.forcedPages'),
    'eviction.forcedUnableRatio': (w) =>
      ratio(delta(w, 'eviction.forcedUnablePages'), delta(w, 'eviction.forcedPages')),
    'eviction.hazardBlockedPerSec': perSec('eviction.hazardBlocked'),
    'eviction.skippedInCheckpointPerSec': perSec('eviction.skippedInCheckpoint'),

    'eviction.triggersReachedPerSec': perSec(
      'eviction.triggerReached',
      'eviction.dirtyTriggerReached',
      'eviction.updatesTriggerReached',
    ),
    'eviction.mandatoryRatio': (w) => {
      const mandatory = delta(w, 'eviction.mandatoryMicros');
      return ratio(mandatory, sum(mandatory, delta(w, 'eviction.interruptibleMicros')));
    },
    'eviction.slowestMs': slowestEviction,
    'cache.uncommittedRatio': ofCache('transaction.uncommittedBytes', max),
    'cache.toleranceRatio': (_, f) => f.toleranceRatio,
    'cachePressure.share': cachePressureShare,
    'cachePressure.kills': (w) => delta(w, 'cachePressure.kills'),
    'spill.maxBytes': (w) => last(w, 'spill.maxBytes'),
    'spill.usedRatio': (w) => ratio(max(w, 'spill.usedBytes'), last(w, 'spill.maxBytes')),
    'spill.unusedBytes': (w) => difference(last(w, 'spill.maxBytes'), last(w, 'spill.usedBytes')),
    'spill.evictingThreads': threads('spill.appMicros'),
    'history.cleanupVisited': (w) => delta(w, 'history.cleanupVisited'),
    'history.cleanupRemoved': (w) => delta(w, 'history.cleanupRemoved'),

    'checkpoint.runningShare': (w) => share(w, 'checkpoint.running', (phase) => phase > 0),
    'checkpoint.lastMs': (w) => last(w, 'checkpoint.lastMs'),
    'checkpoint.windowMaxMs': (w) =>
      delta(w, 'checkpoint.count') ? max(w, 'checkpoint.lastMs') : last(w, 'checkpoint.lastMs'),
    'checkpoint.maxMs': (w) => last(w, 'checkpoint.maxMs'),
    'checkpoint.seen': (w) => delta(w, 'checkpoint.count'),
    'checkpoint.paceRatio': checkpointPace,
    'checkpoint.prepareMs': (w) => max(w, 'checkpoint.prepareLastMs'),
    'checkpoint.gatherMs': (w) => ratio(max(w, 'checkpoint.gatherLastMicros'), MICROS_PER_MS),
    'checkpoint.blockedPagesPerSec': perSec('checkpoint.blockedPages'),

    'tickets.readTotal': (w) => last(w, 'tickets.readTotal'),
    'tickets.writeTotal': (w) => last(w, 'tickets.writeTotal'),
    'tickets.readEmptyShare': (w) => share(w, 'tickets.readAvailable', (n) => n <= 0),
    'tickets.writeEmptyShare': (w) => share(w, 'tickets.writeAvailable', (n) => n <= 0),
    'tickets.delinquentRatio': (w) => ratio(rate(w, 'tickets.delinquentMs'), MS_PER_SECOND),
    'ingress.queued': (w) => sum(mean(w, 'ingress.queued'), mean(w, 'ingress.throttledWrites')),
    'ingress.rejectedPerSec': perSec('ingress.rejected', 'ingress.shed'),
    'tickets.probing': (w) =>
      last(w, 'tickets.usesProbing') ?? (last(w, 'tickets.probing') === undefined ? 0 : 1),
    // 1: the pool has the size of a start-up parameter; 0: it was set later, or never.
    'tickets.isReadSetAtStart': isSetAtStart('read'),
    'tickets.isWriteSetAtStart': isSetAtStart('write'),

    'ops.perSec': completedPerSec,
    'ops.readsPerSec': perSec('ops.queries', 'ops.getmores', 'ops.aggregates'),
    'ops.writesPerSec': perSec('ops.inserts', 'ops.updates', 'ops.deletes'),
    'ops.replicatedPerSec': perSec(
      'replicated.inserts',
      'replicated.updates',
      'replicated.deletes',
    ),
    'ops.readLatencyMs': msEach('latency.readMicros', 'latency.readOps'),
    'ops.writeLatencyMs': msEach('latency.writeMicros', 'latency.writeOps'),
    'errors.perSec': perSec('errors.user', 'errors.regular', 'errors.message'),
    'stalls.share': (w) => ratio(findStalls(w)?.seconds, w.seconds),
    'stalls.longestSeconds': (w) => findStalls(w)?.longestSeconds,
    'stalls.quietRatio': quietShare,
    'stalls.cacheWaitRatio': cacheWaitShare,
    'stalls.inCheckpointRatio': (w) =>
      ratio(findStalls(w)?.inCheckpointSeconds, findStalls(w)?.seconds),
    'stalls.inWritebackRatio': writebackShare,

    'process.cpuCores': (w, f) => ratio(cpuCores(w, f), MICROS_PER_SECOND),
    'process.cpuRatio': (w, f) => ratio(ratio(cpuCores(w, f), MICROS_PER_SECOND), cores(w, f)),
    'process.residentBytes': (w) => last(w, 'process.residentBytes'),
    'process.otherBytes': beyondCache,
    'transaction.pinnedIds': (w) => median(w, 'transaction.pinnedIds'),
    'transaction.pinnedIdsMax': (w) => max(w, 'transaction.pinnedIds'),
    'transaction.pinnedSeconds': (w) => pinnedSeconds(w, last),
    'transaction.pinnedSecondsGrown': (w) =>
      difference(pinnedSeconds(w, last), pinnedSeconds(w, first)),
    'transaction.open': (w) => max(w, 'transaction.open'),
    'transaction.conflictsPerSec': perSec('transaction.updateConflicts'),
    'process.freeHeapBytes': (w) => last(w, 'process.freeHeapBytes'),
    'transaction.rolledBackForEviction': (w) => delta(w, 'transaction.rolledBackForEviction'),
    'history.diskBytes': (w) => last(w, 'cache.historyOnDiskBytes'),
    'history.grownBytes': (w) =>
      difference(last(w, 'cache.historyOnDiskBytes'), first(w, 'cache.historyOnDiskBytes')),
    'fileSystem.reads': (w) => delta(w, 'fileSystem.reads'),
    'fileSystem.slowReads': slowCalls('reads'),
    'fileSystem.writes': (w) => delta(w, 'fileSystem.writes'),
    'fileSystem.slowWrites': slowCalls('writes'),
    'files.open': (w) => last(w, 'files.open'),
    'handles.active': (w) => last(w, 'handles.active'),
    'drops.pendingFiles': (w) => last(w, 'drops.pendingFiles'),
    'sessions.open': (w) => max(w, 'sessions.open'),
    'tcmalloc.perCpuCaches': (w) => last(w, 'tcmalloc.perCpuCaches'),
    'flowControl.laggedShare': (w) => share(w, 'flowControl.lagged', (flag) => flag > 0),
    'member.changed': memberChanged,
    'log.syncs': (w) => delta(w, 'log.syncOps'),
    'log.syncMs': msEach('log.syncMicros', 'log.syncOps'),
    'log.syncingRatio': threads('log.syncMicros'),

    ...CAUSE_METRICS,
    ...MACHINE_METRICS,
    ...PLATEAU_METRICS,
    'server.versionNumber': (_, f) => (f.version === null ? undefined : versionNumber(f.version)),
    'host.memoryBytes': memoryBytes,
    'host.cores': cores,
    // 1: what Linux calls its own is not there.
    'host.isWindows': (_, f) => (f.osType === 'Windows' ? 1 : undefined),
    'data.bytes': (_, f) => f.dataBytes,
    'config.targetRatio': threshold('eviction.targetPercent', 'evictionTarget'),
    'config.triggerRatio': threshold('eviction.triggerPercent', 'evictionTrigger'),
    'config.dirtyTargetRatio': dirtyTarget,
    'config.dirtyTriggerRatio': dirtyTrigger,
    'config.updatesTargetRatio': orHalf(
      threshold('eviction.updatesTargetPercent', 'evictionUpdatesTarget'),
      dirtyTarget,
    ),
    'config.updatesTriggerRatio': orHalf(
      threshold('eviction.updatesTriggerPercent', 'evictionUpdatesTrigger'),
      dirtyTrigger,
    ),
    'config.threadsMin': (_, { config }) => config?.evictionThreadsMin.value,
    'config.threadsMax': (_, { config }) => config?.evictionThreadsMax.value,
    'config.syncdelaySeconds': (_, { config }) => config?.syncdelaySeconds.value,
    'config.journalCommitMs': (_, f) => f.journalCommitMs,
    'config.sessionMax': (_, f) => f.sessionMax,
  }),
);

/** @typedef {keyof typeof METRICS} Metric */
/**
 * @typedef {{ [name in Metric]?: number } & { 'disk.name'?: string }} Metrics `disk.name`: the
 *   disk that the metrics `disk.…` are of
 */

const NAMES = /** @type {readonly Metric[]} */ (Object.keys(METRICS));

/**
 * @param {Window} window
 * @param {Facts} facts
 * @param {readonly Metric[]} [wanted] all of them
 * @returns {Metrics} what is not known is absent
 */
function metricsOf(window, facts, wanted = NAMES) {
  const disk = wanted === NAMES ? busiestDisk(window, facts) : undefined;
  return Object.fromEntries([
    ...wanted.flatMap((name) => {
      const value = METRICS[name](window, facts);
      return value === undefined || value === null || !Number.isFinite(value)
        ? []
        : [[name, value]];
    }),
    ...(disk === undefined ? [] : [['disk.name', disk]]),
  ]);
}

module.exports = { METRICS, metricsOf };
