'use strict';

const assert = require('node:assert/strict');
const { findBottleneck } = require('../../../lib/diagnose/bottleneck');
const { recommendationFor } = require('../../../lib/diagnose/recommendation');
const { HEALTHY, READ_BOUND, WRITE_BOUND, GiB } = require('../../support/readings');

/**
 * @import { Bottleneck } from '../../../lib/base/pure/finding'
 * @import { Metrics } from '../../../lib/server/pure/metrics'
 */

const MiB = GiB / 1024;
const FAST_DISK = {
  ...WRITE_BOUND,
  'eviction.pageWriteMs': 0.3,
  'host.cores': 16,
  'process.cpuCores': 4,
  'process.cpuRatio': 0.25,
};
/** All clients wait for pages, which come quickly; other programs take the CPUs. */
const QUICK_DISK = {
  ...READ_BOUND,
  'eviction.pageReadMs': 0.8,
  'eviction.appReadsPerSec': 500,
  'process.cpuRatio': 0.37,
  'cpu.busyRatio': 0.99,
  'diagnostics.seconds': 10,
};
const STALLED = {
  ...HEALTHY,
  'stalls.share': 0.15,
  'stalls.longestSeconds': 6,
  'stalls.inCheckpointRatio': 0.5,
  'clients.busyThreads': 8,
};
const JOURNAL = {
  ...HEALTHY,
  'log.syncMs': 12,
  'ops.writeLatencyMs': 14,
  'clients.writing': 6,
  'clients.busyThreads': 8,
  'clients.active': 0.5,
};
const QUEUED = { ...HEALTHY, 'clients.queued': 5, 'clients.busyThreads': 20 };
/** One of two data-bearing members stopped, beside an arbiter: seen on 6.0.5. */
const LAGGING = {
  ...HEALTHY,
  'flowControl.laggedShare': 1,
  'clients.throttledThreads': 16,
  'clients.busyThreads': 15,
  'clients.queued': 16,
  'process.cpuRatio': 0.02,
};
const PINNED = {
  ...WRITE_BOUND,
  'transaction.pinnedIdsMax': 28_749,
  'transaction.pinnedIds': 14_000,
};
/** The oldest timestamp that must be kept stalls. */
const STANDING = {
  ...WRITE_BOUND,
  'transaction.pinnedSeconds': 900,
  'transaction.pinnedSecondsGrown': 60,
};

/**
 * The truth table: what was measured, or follows from it, and the answer. `change`: null where no
 * knob may be suggested.
 * @type {[string, Metrics,
 *   Bottleneck, object | null, RegExp?][]}
 */
/** Fast disk, small cache, 16 writers: seen on 6.0.27. */
const SWINGING = {
  ...WRITE_BOUND,
  'cache.usedRatio': 0.207,
  'cache.usedRatioMax': 0.249,
  'cache.dirtyRatio': 0.153,
  'cache.dirtyRatioMax': 0.18,
  'cache.updatesRatio': 0.013,
  'cache.updatesRatioMax': 0.02,
  'cache.dirtyHardShare': 0,
  'clients.readingThreads': 0.18,
  'clients.evictingThreads': 1.26,
  'clients.waitingThreads': 2.01,
  'clients.busyThreads': 3.7,
  'eviction.pageReadMs': 0.03,
  'eviction.pageWriteMs': 2,
  'cache.writtenBytesPerSec': 3e8,
  'process.cpuRatio': 0.57,
  'eviction.aggressiveScoreMax': 0,
  'eviction.aggressiveShare': 0,
  'checkpoint.paceRatio': 1,
  'log.syncMs': 5,
  'ops.writeLatencyMs': 9,
};

/** iibench with three indexes, 25 MB/s, 256 MB: 9,400 inserts a second, and 20,200 with 1 GB. */
const CHURNING = {
  ...WRITE_BOUND,
  'cache.usedBytes': 0.1 * GiB,
  'cache.usedRatio': 0.335,
  'cache.usedRatioMax': 0.402,
  'cache.dirtyRatio': 0.161,
  'cache.dirtyRatioMax': 0.201,
  'cache.updatesRatio': 0.06,
  'cache.updatesRatioMax': 0.092,
  'cache.dirtyHardShare': 0,
  'clients.readingThreads': 0.175,
  'clients.evictingThreads': 0.089,
  'clients.waitingThreads': 0.147,
  'clients.busyThreads': 1.99,
  'clients.active': 1.73,
  'clients.writing': 1.99,
  'cache.writtenBytesPerSec': 77e6,
  'cache.pagesReadPerSec': 5482,
  'eviction.appReadsPerSec': 5482,
  'eviction.pageReadMs': 0.032,
  'eviction.pagesPerSec': 7360,
  'eviction.modifiedPagesPerSec': 7360,
  'eviction.pageWriteMs': 0.13,
  'eviction.aggressiveScoreMax': 0,
  'eviction.aggressiveShare': 0,
  'checkpoint.runningShare': 0,
  'checkpoint.paceRatio': undefined,
  'ops.perSec': 9931,
  'ops.writesPerSec': 9931,
  'ops.writeLatencyMs': 20,
  'log.syncMs': 20.2,
  'log.syncingRatio': 0.16,
  'process.cpuRatio': 0.42,
  'process.cpuCores': 0.83,
  'data.bytes': 0.3 * GiB,
};

/** 188 MiB changed all over in a cache of 1 GiB: what eviction writes leaves at once. */
const HALF_WAY = {
  ...CHURNING,
  'cache.maxBytes': GiB,
  'cache.usedBytes': 0.14 * GiB,
  'cache.usedRatio': 0.14,
  'cache.usedRatioMax': 0.146,
  'cache.dirtyRatio': 0.137,
  'cache.dirtyRatioMax': 0.139,
  'cache.updatesRatio': 0.001,
  'cache.updatesRatioMax': 0.002,
  'clients.readingThreads': 3.08,
  'clients.evictingThreads': 0,
  'clients.waitingThreads': 0,
  'clients.busyThreads': 4.2,
  'cache.writtenBytesPerSec': 310e6,
  'cache.pagesReadPerSec': 2408,
  'eviction.appReadsPerSec': 2408,
  'eviction.pageReadMs': 1.28,
  'eviction.pagesPerSec': 2963,
  'eviction.modifiedPagesPerSec': 2963,
  'host.memoryBytes': 24 * GiB,
  'data.bytes': 188 * 2 ** 20,
  'ops.perSec': 431,
  'ops.writesPerSec': 431,
  'ops.writeLatencyMs': 10.7,
};

/** Large changes to few pages. */
const UPDATING = {
  ...WRITE_BOUND,
  'cache.dirtyRatio': 0.1,
  'cache.dirtyRatioMax': 0.12,
  'cache.dirtyHardShare': 0,
  'cache.updatesRatio': 0.102,
  'cache.updatesRatioMax': 0.105,
  'cache.updatesHardShare': 0.5,
  'clients.readingThreads': 1,
  'checkpoint.paceRatio': 1,
  'log.syncMs': 3,
};
const LOWERED_UPDATES = {
  ...UPDATING,
  'cache.dirtyRatio': 0.06,
  'cache.dirtyRatioMax': 0.08,
  'cache.updatesRatio': 0.021,
  'cache.updatesRatioMax': 0.03,
};

/**
 * A checkpoint of 196 MiB on a disk of 12 MB/s: 19 operations a second while it writes, 136 between
 * them.
 */
const HELD = {
  ...STALLED,
  'stalls.share': 0.268,
  'stalls.longestSeconds': 3,
  'stalls.inCheckpointRatio': 1,
  'stalls.quietRatio': 0.1,
  'checkpoint.runningShare': 0.4,
  'checkpoint.paceRatio': 0.14,
  'log.syncMs': 25.3,
  'log.syncingRatio': 0.825,
  'ops.writeLatencyMs': 118,
  'clients.writing': 12,
  'clients.busyThreads': 12,
  'clients.active': 0.1,
};

/** 24 clients, pools of 5 tickets, 300 reads a second, half of the data in the cache: measured. */
const FEW_TICKETS = {
  ...READ_BOUND,
  'cache.maxBytes': 0.5 * GiB,
  'cache.usedBytes': 0.41 * GiB,
  'cache.usedRatio': 0.777,
  'cache.usedRatioMax': 0.811,
  'clients.readingThreads': 5.17,
  'clients.busyThreads': 22.6,
  'clients.active': 5.46,
  'clients.queued': 17.7,
  'clients.writing': 0.466,
  'tickets.readTotal': 5,
  'tickets.writeTotal': 5,
  'tickets.readEmptyShare': 0.923,
  'tickets.writeEmptyShare': 0,
  'tickets.probing': 0,
  'tickets.isReadSetAtStart': 1,
  'eviction.pageReadMs': 18.2,
  'process.cpuRatio': 0.05,
  'process.cpuCores': 0.1,
  'data.bytes': 0.91 * GiB,
};

/** YCSB A on a quick disk read past the page cache, beside its clients on two cores: measured. */
const PAGING = {
  ...READ_BOUND,
  'cache.missRatio': 0.145,
  'cache.pagesReadPerSec': 5088,
  'eviction.appReadsPerSec': 5088,
  'eviction.pagesPerSec': 6600,
  'eviction.modifiedPagesPerSec': 2500,
  'eviction.pageReadMs': 0.2,
  'clients.readingThreads': 1.02,
  'clients.busyThreads': 4.4,
  'clients.active': 4,
  'process.cpuRatio': 0.6,
  'process.cpuCores': 1.2,
  'host.cores': 2,
  'cpu.busyRatio': 1,
  'diagnostics.seconds': 12,
  'ops.perSec': 5200,
};

/** 1.5 GB, 8 clients, 300 reads a second, right after the start: measured. */
const WARMING = {
  ...READ_BOUND,
  'cache.maxBytes': 1.5 * GiB,
  'cache.usedBytes': 319e6,
  'cache.usedGrowthPerSec': 8.9e6,
  'cache.readBytesPerSec': 9e6,
  'cache.usedRatio': 0.165,
  'cache.usedRatioMax': 0.198,
  'eviction.pagesPerSec': 159,
  'eviction.modifiedPagesPerSec': 159,
  'cache.pagesReadPerSec': 286,
  'eviction.appReadsPerSec': 286,
  'eviction.pageReadMs': 25.2,
  'clients.readingThreads': 7.22,
  'clients.busyThreads': 7.3,
  'data.bytes': 980e6,
};

/** A recording: 109 writers active, a disk that is hardly busy. */
const STALLED_BESIDE_DIRTY = {
  ...WRITE_BOUND,
  'clients.readingThreads': 0.2,
  'clients.waitingThreads': 15.4,
  'clients.busyThreads': 109,
  'cache.writtenBytesPerSec': 80e6,
  'stalls.share': 0.417,
  'stalls.longestSeconds': 9,
  'stalls.inCheckpointRatio': 0.95,
  'stalls.quietRatio': 0.1,
  'stalls.cacheWaitRatio': 0.17,
  'disk.busyRatio': 0.017,
};

/** As many operations as the server can take, of which nobody knows what they wait for. */
const UNEXPLAINED = {
  ...HEALTHY,
  'clients.busyThreads': 23,
  'clients.writing': 0.5,
  'clients.readingThreads': 0.5,
  'ops.perSec': 649,
};

const TABLE = [
  // accounting: the whole of the clients' time
  [
    'those that hold the tickets read pages',
    FEW_TICKETS,
    'cache-read',
    { cacheSizeGB: 1.5 },
    /100\.0% of their time reading.* 18 more operations queue for tickets behind them\. The pool of read tickets is set to 5 by a start-up parameter \(default 128\)\./,
  ],
  [
    '… of a pool that was set at run time',
    { ...FEW_TICKETS, 'tickets.isReadSetAtStart': 0 },
    'cache-read',
    { cacheSizeGB: 1.5 },
    /is set to 5 at run time \(default 128\)/,
  ],
  [
    '… and nobody knows by what',
    { ...FEW_TICKETS, 'tickets.isReadSetAtStart': undefined },
    'cache-read',
    { cacheSizeGB: 1.5 },
    /is set to 5 \(default 128\)/,
  ],
  [
    '… they read little',
    { ...FEW_TICKETS, 'clients.readingThreads': 1 },
    'concurrency',
    null,
    /have headroom\. The pool of read tickets is set to 5 by a start-up parameter/,
  ],
  [
    'the queue is one for locks, for tickets are left',
    { ...FEW_TICKETS, 'tickets.readEmptyShare': 0.4 },
    'concurrency',
    null,
  ],
  [
    'CPUs that read and evict pages of a small cache',
    PAGING,
    'cache-read',
    { cacheSizeGB: 1.75 },
    /^The CPUs are busy\. About 29\.7% of mongod's CPU time is a result of page reads \(5,088 pages\/s/,
  ],
  [
    '… with one eviction thread, which clients wait for',
    {
      ...PAGING,
      'clients.waitingThreads': 0.6,
      'cache.hardShare': 0.5,
      'config.threadsMax': 1,
      'eviction.threadsActive': 1,
      'eviction.pageWriteMs': 1.4,
    },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  [
    '… out of the page cache, where a page costs little',
    { ...PAGING, 'eviction.pageReadMs': 0.013, 'disk.readsPerSec': 0 },
    'cpu',
    null,
    /About 8\.5% of mongod's CPU time is a result of page reads/,
  ],
  [
    '… out of the page cache, so many that clients wait for them, too',
    {
      ...PAGING,
      'eviction.pageReadMs': 0.03,
      'disk.readsPerSec': 0,
      'cache.pagesReadPerSec': 19_021,
      'eviction.appReadsPerSec': 19_021,
      'clients.readingThreads': 0.65,
      'clients.busyThreads': 2.2,
    },
    'cache-read',
    { cacheSizeGB: 1.75 },
    /^The CPUs are busy\. About 31\.7% of mongod's CPU time is a result of page reads \(19,021/,
  ],
  ['… all data fits', { ...PAGING, 'data.bytes': 0.15 * GiB }, 'cpu', null],
  [
    'a cache that is still being filled, and what is written meanwhile',
    WARMING,
    'disk',
    null,
    /^The cache is warming up: 19\.8% is used, and it grows by 8\.49 MiB\/s; at that pace it holds 1 GiB, as much as it gets, in about 85\.3 s\./,
  ],
  [
    '… with clients that wait for dirty data a sixth of the time',
    {
      ...WARMING,
      'clients.readingThreads': 5.1,
      'clients.waitingThreads': 1,
      'clients.busyThreads': 6.4,
      'cache.dirtyRatio': 0.2,
      'cache.dirtyRatioMax': 0.205,
      'cache.dirtyHardShare': 0.5,
      'eviction.pageWriteMs': 22,
    },
    'disk',
    null,
    /^The cache is warming up/,
  ],
  ['… as full as it gets', { ...WARMING, 'cache.usedBytes': 1e9 }, 'cache-read', null],
  [
    'threads of which nobody knows what they wait for',
    UNEXPLAINED,
    'unknown',
    null,
    /^Cause not found: 23 application threads in the server on average, and what 22 of them wait for is not known/,
  ],
  ['… half of them wait for a CPU', { ...UNEXPLAINED, 'cpu.busyRatio': 0.95 }, 'none', null],
  ['… quick operations', { ...UNEXPLAINED, 'ops.perSec': 6000 }, 'none', null],
  [
    '… writers that may wait for other members',
    { ...UNEXPLAINED, 'clients.writing': 20 },
    'none',
    null,
  ],
  [
    '… writers that wait for other members',
    { ...UNEXPLAINED, 'clients.majorityThreads': 20, 'clients.writing': 22 },
    'none',
    null,
  ],
  [
    '… writers that do not',
    {
      ...UNEXPLAINED,
      'clients.majorityThreads': 0,
      'clients.writing': 22,
      'ops.writeLatencyMs': 36,
    },
    'unknown',
    null,
  ],
  // checkpoints
  [
    'an interval so short that a checkpoint always runs',
    { ...HEALTHY, 'config.syncdelaySeconds': 1, 'checkpoint.runningShare': 0.87 },
    'checkpoint',
    null,
    /^A checkpoint runs 87\.0% of the time, because syncdelay is 1 s \(default 60 s\)\.$/,
  ],
  [
    '… half of the time',
    { ...HEALTHY, 'config.syncdelaySeconds': 1, 'checkpoint.runningShare': 0.5 },
    'none',
    null,
  ],
  [
    '… an interval that nobody knows',
    { ...HEALTHY, 'config.syncdelaySeconds': undefined, 'checkpoint.runningShare': 0.87 },
    'none',
    null,
  ],
  // 23 s of a minute stood still, 19 of them with nobody waiting for the cache.
  [
    'stalls in checkpoints that are not for the cache, beside some eviction',
    STALLED_BESIDE_DIRTY,
    'checkpoint',
    null,
    /^The server stalls during checkpoints: 41\.7% of the time/,
  ],
  [
    '… and that are',
    { ...STALLED_BESIDE_DIRTY, 'stalls.cacheWaitRatio': 0.5 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    '… that nobody knows of',
    { ...STALLED_BESIDE_DIRTY, 'stalls.cacheWaitRatio': undefined },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  // none
  [
    'healthy',
    HEALTHY,
    'none',
    null,
    /^No storage-engine bottleneck found; no setting change recommended\. /,
  ],
  [
    'full cache, pages from the operating system',
    {
      ...HEALTHY,
      'cache.usedRatio': 0.8,
      'cache.usedRatioMax': 0.81,
      'clients.readingThreads': 0.05,
      'clients.busyThreads': 0.25,
      'eviction.pageReadMs': 0.137,
      'eviction.pagesPerSec': 329,
      'cache.pagesReadPerSec': 329,
      'cache.missRatio': 0.117,
    },
    'none',
    null,
  ],
  [
    'closed loop, two cores, mongod on 1.2 of them',
    {
      ...HEALTHY,
      'clients.readingThreads': 0.08,
      'clients.busyThreads': 4,
      'process.cpuRatio': 0.6,
      'process.cpuCores': 1.2,
      'host.cores': 2,
    },
    'none',
    null,
  ],
  [
    'inserts at the dirty trigger that cost nothing',
    {
      ...HEALTHY,
      'cache.dirtyRatio': 0.2,
      'eviction.appPagesPerSec': 107,
      'clients.evictingThreads': 0.05,
      'clients.busyThreads': 3,
    },
    'none',
    null,
  ],
  [
    'cold pages of a light load',
    {
      ...HEALTHY,
      'clients.readingThreads': 0.4,
      'eviction.pageReadMs': 2,
      'clients.busyThreads': 0.45,
    },
    'none',
    null,
    /^No storage-engine bottleneck.* little wait for the cache \(0\.4 application threads on average reading pages\)\.$/,
  ],
  [
    'a little eviction',
    { ...HEALTHY, 'clients.waitingThreads': 0.15, 'clients.busyThreads': 2 },
    'none',
    null,
    /little wait for the cache \(0\.15 application threads on average waiting for cache space\)/,
  ],
  [
    'no ticket left with throughput probing',
    { ...HEALTHY, 'tickets.readEmptyShare': 1, 'tickets.probing': 1 },
    'none',
    null,
  ],
  // idle
  [
    'nobody there',
    { ...HEALTHY, 'ops.perSec': 1, 'clients.busyThreads': 0, 'process.cpuCores': 0.02 },
    'idle',
    null,
    /Under load: tune\.advise\(\{ seconds: 30 \}\)\.$/,
  ],
  [
    'an old release whose gauge of active clients counts the server as well',
    {
      'window.seconds': 60,
      'window.samples': 61,
      'cache.maxBytes': GiB,
      'ops.perSec': 0.001,
      'clients.active': 7,
      'clients.busyThreads': 7,
      'process.cpuCores': 0.01,
    },
    'idle',
    null,
  ],
  [
    'nobody there, and what clients lose is not known (an old release)',
    { 'window.seconds': 60, 'window.samples': 61, 'cache.maxBytes': GiB, 'ops.perSec': 0.5 },
    'idle',
    null,
  ],
  [
    'just below ten a second',
    { ...HEALTHY, 'ops.perSec': 9.9, 'clients.busyThreads': 0.1, 'process.cpuCores': 0.2 },
    'idle',
    null,
  ],
  [
    'ten a second',
    { ...HEALTHY, 'ops.perSec': 10, 'clients.busyThreads': 0.1, 'process.cpuCores': 0.2 },
    'none',
    null,
  ],
  [
    'few operations, but long ones',
    { ...HEALTHY, 'ops.perSec': 1, 'clients.busyThreads': 0.21, 'process.cpuCores': 0.1 },
    'none',
    null,
  ],
  [
    'no operations, but an index build',
    { ...HEALTHY, 'ops.perSec': 0, 'clients.busyThreads': 0, 'process.cpuCores': 0.31 },
    'none',
    null,
  ],
  [
    'a secondary that replicates',
    { ...HEALTHY, 'ops.perSec': 0, 'ops.replicatedPerSec': 500, 'clients.busyThreads': 0 },
    'none',
    null,
  ],
  [
    'no operations, but threads lost',
    {
      ...HEALTHY,
      'ops.perSec': 0,
      'clients.busyThreads': 0,
      'clients.readingThreads': 0.06,
      'process.cpuCores': 0.1,
    },
    'none',
    null,
  ],
  // cache-read
  [
    'cache too small, memory free',
    READ_BOUND,
    'cache-read',
    { cacheSizeGB: 1.75 },
    /98\.6% of their time/,
  ],
  [
    'the same, and memory not known',
    { ...READ_BOUND, 'host.memoryBytes': undefined },
    'cache-read',
    null,
    /the effect of a larger cache is not known/,
  ],
  [
    'the same, and the data not known',
    { ...READ_BOUND, 'data.bytes': undefined },
    'cache-read',
    { cacheSizeGB: 7.5 },
    /\. Data size is not known\.$/,
  ],
  [
    'a quarter of the time',
    { ...READ_BOUND, 'clients.readingThreads': 1.8 },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  ['less than a quarter', { ...READ_BOUND, 'clients.readingThreads': 1.79 }, 'unknown', null],
  [
    'half a thread of one client',
    { ...READ_BOUND, 'clients.readingThreads': 0.5, 'clients.busyThreads': 0.6 },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  [
    'less than half',
    { ...READ_BOUND, 'clients.readingThreads': 0.49, 'clients.busyThreads': 0.6 },
    'none',
    null,
  ],
  [
    'quick reads off a quick disk, on a machine that others keep full',
    { ...QUICK_DISK, 'disk.readsPerSec': 500 },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  [
    'the same, and the disk serves half a request for each page',
    { ...QUICK_DISK, 'disk.readsPerSec': 250 },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  ['the same, and it serves fewer', { ...QUICK_DISK, 'disk.readsPerSec': 249 }, 'cpu', null],
  [
    'quick reads off fast flash, CPUs free',
    { ...READ_BOUND, 'eviction.pageReadMs': 0.15 },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  [
    'more data than memory, but quick reads',
    { ...READ_BOUND, 'host.memoryBytes': GiB, 'eviction.pageReadMs': 0.15 },
    'cache-read',
    { cacheSizeGB: 0.75 },
  ],
  [
    'how full the cache is is not known',
    { ...READ_BOUND, 'cache.usedRatioMax': undefined },
    'unknown',
    null,
    /reading pages/,
  ],
  [
    'a full cache, and what leaves it is not known',
    { ...READ_BOUND, 'eviction.pagesPerSec': undefined },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  [
    'a cache that is not full, and what leaves it is not known',
    { ...READ_BOUND, 'cache.usedRatioMax': 0.6, 'eviction.pagesPerSec': undefined },
    'unknown',
    null,
  ],
  // cache-dirty, by what has to be read back
  [
    'inserts whose pages leave because they are dirty, and are read back',
    CHURNING,
    'cache-dirty',
    { cacheSizeGB: 1 },
    /20\.1% of the cache is dirty, and at most 40\.2% is used.* 5,482 pages\/s are read back.* 16\.2% of their time on these reads \(0\.32 threads on average\)/,
  ],
  [
    'the same, counted before there was data',
    { ...CHURNING, 'data.bytes': 1000 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'the same, memory not known',
    { ...CHURNING, 'host.memoryBytes': undefined },
    'cache-dirty',
    { evictionDirtyTarget: 10, evictionDirtyTrigger: 40 },
  ],
  [
    'half of them come back',
    { ...CHURNING, 'cache.pagesReadPerSec': 3680 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'half way to the trigger, where nobody waits',
    HALF_WAY,
    'cache-dirty',
    { cacheSizeGB: 1.75 },
    /13\.9% of the cache is dirty, and at most 14\.6% is used.* 2,408 pages\/s are read back.* 73\.3% of their time on these reads \(3\.08 threads on average\)/,
  ],
  [
    'thresholds that are lower, and known',
    {
      ...HALF_WAY,
      'config.dirtyTargetRatio': 0.01,
      'config.dirtyTriggerRatio': 0.2,
      'cache.dirtyRatio': 0.086,
    },
    'cache-dirty',
    { cacheSizeGB: 2 },
  ],
  ['further below', { ...HALF_WAY, 'cache.dirtyRatio': 0.104 }, 'cache-read', null],
  [
    'nobody reads them',
    { ...HALF_WAY, 'clients.readingThreads': 0.4, 'log.syncMs': 3 },
    'none',
    null,
  ],
  [
    'fewer',
    { ...CHURNING, 'cache.pagesReadPerSec': 3679 },
    'none',
    null,
    /little wait for the cache \(0\.17 application threads on average reading pages/,
  ],
  [
    'with 1 GB: they stay',
    {
      ...CHURNING,
      'cache.maxBytes': GiB,
      'cache.dirtyRatio': 0.086,
      'cache.dirtyRatioMax': 0.138,
      'clients.readingThreads': 0.007,
      'clients.waitingThreads': 0,
      'clients.evictingThreads': 0,
      'cache.pagesReadPerSec': 273,
      'eviction.pagesPerSec': 6430,
      'eviction.modifiedPagesPerSec': 6430,
    },
    'none',
    null,
    /no significant wait for the cache/,
  ],
  [
    'clean pages leave as well',
    { ...CHURNING, 'eviction.modifiedPagesPerSec': 6600 },
    'none',
    null,
  ],
  ['a full cache', { ...CHURNING, 'cache.usedRatioMax': 0.75 }, 'none', null],
  ['not near the limit', { ...CHURNING, 'cache.dirtyRatioMax': 0.179 }, 'none', null],
  [
    'nobody waits',
    { ...CHURNING, 'clients.waitingThreads': 0.05, 'clients.evictingThreads': 0.05 },
    'none',
    null,
  ],
  ['less than a quarter of a thread', { ...CHURNING, 'clients.readingThreads': 0.1 }, 'none', null],
  [
    'less than a tenth of their time',
    { ...CHURNING, 'clients.busyThreads': 3.3, 'clients.active': 3.1 },
    'none',
    null,
  ],
  // disk
  [
    'more data than memory',
    { ...READ_BOUND, 'host.memoryBytes': 700 * MiB },
    'disk',
    null,
    /more data \(1\.1 GiB\) than RAM \(700 MiB\)/,
  ],
  [
    'a cache that is still filling',
    { ...READ_BOUND, 'cache.usedRatio': 0.3, 'cache.usedRatioMax': 0.4, 'eviction.pagesPerSec': 0 },
    'disk',
    null,
    /still filling/,
  ],
  [
    'a cache below its target that evicts clean pages is full: its target was lowered',
    { ...READ_BOUND, 'cache.usedRatio': 0.5, 'cache.usedRatioMax': 0.6 },
    'cache-read',
    { evictionTarget: 80, evictionTrigger: 95 },
  ],
  [
    '… fewer of them than half of those that come',
    {
      ...READ_BOUND,
      'cache.usedRatio': 0.5,
      'cache.usedRatioMax': 0.6,
      'eviction.modifiedPagesPerSec': 293,
    },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  [
    '… and which pages leave is not known',
    {
      ...READ_BOUND,
      'cache.usedRatio': 0.5,
      'cache.usedRatioMax': 0.6,
      'eviction.modifiedPagesPerSec': undefined,
    },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  [
    'a target that is known to be low',
    { ...READ_BOUND, 'config.targetRatio': 0.74, 'cache.usedRatioMax': 0.75 },
    'cache-read',
    { evictionTarget: 80, evictionTrigger: 95 },
  ],
  [
    'one that is not',
    { ...READ_BOUND, 'config.targetRatio': 0.75, 'cache.usedRatioMax': 0.76 },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  [
    'stalls, half of them in checkpoints',
    STALLED,
    'disk',
    null,
    /15\.0% of the time \(longest 6 s/,
  ],
  ['one in twenty', { ...STALLED, 'stalls.share': 0.05 }, 'disk', null],
  ['fewer', { ...STALLED, 'stalls.share': 0.049 }, 'unknown', null],
  [
    'writers wait for the journal',
    JOURNAL,
    'disk',
    null,
    /^A journal sync takes 12 ms and a client write 14 ms/,
  ],
  ['quick syncs', { ...JOURNAL, 'log.syncMs': 9.9 }, 'none', null],
  ['slow syncs that nobody waits for', { ...JOURNAL, 'ops.writeLatencyMs': 5 }, 'none', null],
  [
    'batches that take as long as a sync, working',
    { ...JOURNAL, 'clients.active': 7 },
    'none',
    null,
  ],
  [
    'writes that take much longer than a sync',
    { ...JOURNAL, 'ops.writeLatencyMs': 40 },
    'none',
    null,
  ],
  // Measured: 500 operations a second wanted, half of them journalled writes of 16 clients, 8 MB/s.
  [
    'writes that take three syncs, one of which is always under way',
    {
      ...JOURNAL,
      'log.syncMs': 14.3,
      'log.syncingRatio': 0.9,
      'ops.writeLatencyMs': 48.4,
      'clients.writing': 12.3,
      'clients.busyThreads': 12.4,
    },
    'disk',
    null,
    /A journal sync takes 14\.3 ms/,
  ],
  [
    'not always',
    {
      ...JOURNAL,
      'log.syncMs': 14.3,
      'log.syncingRatio': 0.69,
      'ops.writeLatencyMs': 48.4,
      'clients.writing': 12.3,
      'clients.busyThreads': 12.4,
    },
    'none',
    null,
  ],
  [
    'always, but the writers are at work',
    {
      ...JOURNAL,
      'log.syncMs': 14.3,
      'log.syncingRatio': 0.9,
      'ops.writeLatencyMs': 48.4,
      'clients.writing': 12.3,
      'clients.busyThreads': 12.4,
      'clients.active': 12,
    },
    'none',
    null,
  ],
  ['few looks at the active clients', { ...JOURNAL, 'window.samples': 5 }, 'disk', null],
  ['too few looks at the active clients', { ...JOURNAL, 'window.samples': 4 }, 'none', null],
  ['no gauge of active clients', { ...JOURNAL, 'clients.active': undefined }, 'none', null],
  // cache-dirty
  [
    'updates at the trigger on a slow disk',
    WRITE_BOUND,
    'cache-dirty',
    { cacheSizeGB: 1 },
    /reach the 20% trigger.*write rate of the disk is the underlying limit/,
  ],
  [
    'the same with one eviction thread',
    { ...WRITE_BOUND, 'eviction.threadsActive': 1, 'eviction.appPagesPerSec': 504 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'the same on many idle cores: still the disk',
    { ...WRITE_BOUND, 'host.cores': 32, 'process.cpuCores': 2 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'the same, and memory not known',
    { ...WRITE_BOUND, 'host.memoryBytes': undefined },
    'cache-dirty',
    { evictionDirtyTarget: 10, evictionDirtyTrigger: 40 },
  ],
  [
    'the same with data that could all be dirty',
    { ...WRITE_BOUND, 'data.bytes': 0.025 * GiB, 'cache.usedBytes': 0.025 * GiB },
    'cache-dirty',
    { evictionDirtyTarget: 10, evictionDirtyTrigger: 40 },
  ],
  [
    'a trigger that somebody lowered',
    { ...WRITE_BOUND, 'cache.dirtyRatio': 0.0565, 'cache.dirtyRatioMax': 0.135 },
    'cache-dirty',
    { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 },
    /below its default of 20%: application threads evict at 5\.7% dirty/,
  ],
  [
    'a lowered trigger that is known',
    { ...WRITE_BOUND, 'cache.dirtyRatio': 0.0565, 'config.dirtyTriggerRatio': 0.05 },
    'cache-dirty',
    { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 },
    /set to only 5%/,
  ],
  [
    'a raised trigger',
    { ...WRITE_BOUND, 'cache.dirtyRatio': 0.4, 'host.memoryBytes': undefined },
    'cache-dirty',
    null,
    /^40\.0% of the cache is dirty: application threads/,
  ],
  [
    'inserts: dirty at 20% of a cache half full',
    {
      ...WRITE_BOUND,
      'cache.usedRatio': 0.46,
      'cache.usedRatioMax': 0.5,
      'clients.readingThreads': 0.5,
      'clients.evictingThreads': 0.7,
      'clients.waitingThreads': 0.7,
      'clients.busyThreads': 4,
      'eviction.pageWriteMs': 6,
    },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'the same on busy processors',
    { ...WRITE_BOUND, 'process.cpuRatio': 0.9, 'eviction.pageWriteMs': 0.2 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'update data at its trigger',
    UPDATING,
    'cache-dirty',
    { evictionUpdatesTrigger: 20 },
    /^10\.2% of the cache is update data \(50\.0% of the samples reach the 10% trigger\): application threads/,
  ],
  [
    'the same, with dirty data near its own',
    { ...UPDATING, 'cache.dirtyRatio': 0.19 },
    'cache-dirty',
    { cacheSizeGB: 1 },
    /^10\.2% of the cache is update data/,
  ],
  [
    'the same, and memory not known: both triggers go up',
    { ...UPDATING, 'cache.dirtyRatio': 0.19, 'host.memoryBytes': undefined },
    'cache-dirty',
    { evictionDirtyTarget: 10, evictionDirtyTrigger: 40 },
  ],
  [
    'the same, with a trigger of its own',
    {
      ...UPDATING,
      'cache.dirtyRatio': 0.19,
      'host.memoryBytes': undefined,
      'config.dirtyTriggerRatio': 0.2,
      'config.updatesTriggerRatio': 0.12,
    },
    'cache-dirty',
    {
      evictionDirtyTarget: 10,
      evictionDirtyTrigger: 40,
      evictionUpdatesTarget: 0,
      evictionUpdatesTrigger: 0,
    },
    /update data \(50\.0% of the samples reach the 12% trigger\)/,
  ],
  [
    'both at theirs: what the server says more often',
    { ...UPDATING, 'cache.dirtyRatio': 0.2, 'cache.dirtyHardShare': 0.6 },
    'cache-dirty',
    { cacheSizeGB: 1 },
    /20\.0% of the cache is dirty/,
  ],
  [
    'an updates trigger that somebody lowered',
    LOWERED_UPDATES,
    'cache-dirty',
    {
      evictionDirtyTarget: 5,
      evictionDirtyTrigger: 20,
      evictionUpdatesTarget: 0,
      evictionUpdatesTrigger: 0,
    },
    /^The updates trigger or the dirty trigger appears to be below its default \(10% for update data\): application threads evict at 2\.1% update data/,
  ],
  [
    'the same, and the server says it in fewer than 5 of 100 samples',
    { ...LOWERED_UPDATES, 'cache.updatesHardShare': 0.04 },
    'unknown',
    null,
  ],
  [
    'the same, at 7.5%',
    { ...LOWERED_UPDATES, 'cache.updatesRatio': 0.075, 'cache.updatesRatioMax': 0.08 },
    'cache-dirty',
    { evictionUpdatesTrigger: 20 },
    /7\.5% of the cache is update data \(50\.0% of the samples/,
  ],
  [
    'the same, lowered in the middle of the window',
    { ...LOWERED_UPDATES, 'cache.updatesRatioMax': 0.1, 'cache.updatesHardLevelRatio': 0.074 },
    'cache-dirty',
    {
      evictionDirtyTarget: 5,
      evictionDirtyTrigger: 20,
      evictionUpdatesTarget: 0,
      evictionUpdatesTrigger: 0,
    },
  ],
  [
    'a lowered updates trigger that is known',
    { ...LOWERED_UPDATES, 'config.dirtyTriggerRatio': 0.2, 'config.updatesTriggerRatio': 0.02 },
    'cache-dirty',
    { evictionUpdatesTarget: 0, evictionUpdatesTrigger: 0 },
    /^2\.1% of the cache is update data, and its trigger is set to only 2%: application threads/,
  ],
  [
    'one that is low because the dirty one is',
    { ...LOWERED_UPDATES, 'config.dirtyTriggerRatio': 0.04, 'config.updatesTriggerRatio': 0.02 },
    'cache-dirty',
    {
      evictionDirtyTarget: 5,
      evictionDirtyTrigger: 20,
      evictionUpdatesTarget: 0,
      evictionUpdatesTrigger: 0,
    },
    /its trigger is half of the dirty trigger, which is set to only 4%/,
  ],
  [
    'update data under a dirty trigger that was raised',
    {
      ...UPDATING,
      'cache.dirtyRatio': 0.24,
      'cache.dirtyRatioMax': 0.25,
      'host.memoryBytes': undefined,
    },
    'cache-dirty',
    null,
    /^10\.2% of the cache is update data: application threads/,
  ],
  [
    'a tenth of the time',
    {
      ...WRITE_BOUND,
      'clients.evictingThreads': 1,
      'clients.waitingThreads': 1.4,
      'clients.readingThreads': 1,
    },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'evicting without waiting (forced)',
    { ...WRITE_BOUND, 'clients.evictingThreads': 4, 'clients.waitingThreads': 1 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'less than a tenth, and nothing else',
    {
      ...WRITE_BOUND,
      'clients.evictingThreads': 1,
      'clients.waitingThreads': 1.38,
      'clients.readingThreads': 1,
      'checkpoint.paceRatio': 1,
      'log.syncMs': 2,
    },
    'none',
    null,
  ],
  // eviction-threads
  [
    'workers short, CPUs and disk with room',
    FAST_DISK,
    'eviction-threads',
    { evictionThreadsMin: 8, evictionThreadsMax: 8 },
    /All 4 eviction threads/,
  ],
  [
    'the same at the fill trigger',
    {
      ...FAST_DISK,
      'cache.dirtyRatio': 0.01,
      'cache.dirtyHardShare': 0,
      'cache.hardShare': 0.3,
      'clients.readingThreads': 1,
    },
    'eviction-threads',
    { evictionThreadsMin: 8, evictionThreadsMax: 8 },
  ],
  [
    'the same on two cores',
    { ...FAST_DISK, 'host.cores': 2, 'process.cpuCores': 0.5 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'page writes not known',
    { ...FAST_DISK, 'eviction.pageWriteMs': undefined },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  // checkpoint
  [
    'stalls inside checkpoints',
    { ...STALLED, 'stalls.inCheckpointRatio': 0.8 },
    'checkpoint',
    null,
    /stalls during checkpoints/,
  ],
  [
    'inside checkpoints that write nothing: they wait as well',
    { ...STALLED, 'stalls.inCheckpointRatio': 1, 'stalls.quietRatio': 0.5 },
    'disk',
    null,
    /to respond\. WiredTiger wrote nothing meanwhile: it waited for kernel writeback, or/,
  ],
  [
    'the same where the kernel is known to have written nothing',
    {
      ...STALLED,
      'stalls.inCheckpointRatio': 1,
      'stalls.quietRatio': 0.5,
      'stalls.inWritebackRatio': 0.4,
    },
    'disk',
    null,
    /to respond\.$/,
  ],
  [
    'the same, and the pace falls more than the stall lasts',
    {
      ...STALLED,
      'stalls.inCheckpointRatio': 1,
      'stalls.quietRatio': 1,
      'checkpoint.runningShare': 0.3,
      'checkpoint.paceRatio': 0.2,
    },
    'disk',
    null,
  ],
  [
    'inside checkpoints that write',
    { ...STALLED, 'stalls.inCheckpointRatio': 1, 'stalls.quietRatio': 0.49 },
    'checkpoint',
    null,
  ],
  ['mostly inside', { ...STALLED, 'stalls.inCheckpointRatio': 0.79 }, 'disk', null],
  [
    'journalled writes that wait behind what a checkpoint writes',
    HELD,
    'checkpoint',
    null,
    /^Throughput drops to 14\.0% of normal during checkpoints \(40\.0% of the window\)\.$/,
  ],
  [
    'that wait as long between checkpoints',
    { ...HELD, 'checkpoint.paceRatio': 0.51 },
    'disk',
    null,
    /A journal sync takes 25\.3 ms/,
  ],
  [
    'writes that wait behind it on a disk at its limit',
    { ...HELD, 'log.syncMs': 3, 'disk.busyRatio': 0.99, 'disk.writeMs': 40, 'disk.queue': 8 },
    'checkpoint',
    null,
  ],
  [
    'half the pace in checkpoints',
    { ...HEALTHY, 'checkpoint.runningShare': 0.2, 'checkpoint.paceRatio': 0.5 },
    'checkpoint',
    null,
    /50\.0% of normal/,
  ],
  [
    'a little more than half',
    { ...HEALTHY, 'checkpoint.runningShare': 0.2, 'checkpoint.paceRatio': 0.51 },
    'none',
    null,
  ],
  [
    'rare checkpoints',
    { ...HEALTHY, 'checkpoint.runningShare': 0.19, 'checkpoint.paceRatio': 0.5 },
    'none',
    null,
  ],
  [
    'checkpoints nearly always',
    { ...HEALTHY, 'checkpoint.runningShare': 0.81, 'checkpoint.paceRatio': 0.5 },
    'none',
    null,
  ],
  // concurrency
  [
    'a queue with nothing slow behind it',
    QUEUED,
    'concurrency',
    null,
    /^5 operations queued for tickets and locks/,
  ],
  ['a short queue', { ...QUEUED, 'clients.queued': 0.9, 'clients.busyThreads': 2 }, 'none', null],
  [
    'how many are in the server is not known',
    { ...QUEUED, 'clients.busyThreads': undefined },
    'concurrency',
    null,
    /100\.0% of in-flight/,
  ],
  ['a small part of many', { ...QUEUED, 'clients.busyThreads': 20.1 }, 'unknown', null],
  ['a queue before busy processors', { ...QUEUED, 'process.cpuRatio': 0.51 }, 'none', null],
  [
    'CPUs not counted, and mongod uses less than half of one',
    {
      ...QUEUED,
      'process.cpuRatio': undefined,
      'cpu.busyRatio': undefined,
      'process.cpuCores': 0.5,
    },
    'concurrency',
    null,
  ],
  [
    '… and mongod uses more',
    {
      ...QUEUED,
      'process.cpuRatio': undefined,
      'cpu.busyRatio': undefined,
      'process.cpuCores': 0.51,
    },
    'unknown',
    null,
    /5 operations queued for tickets and locks on average\. CPU use is not known/,
  ],
  [
    "… and the machine's are known",
    { ...QUEUED, 'process.cpuRatio': undefined, 'process.cpuCores': 0.51 },
    'concurrency',
    null,
  ],
  [
    'CPUs not known, and a short queue',
    {
      ...QUEUED,
      'process.cpuRatio': undefined,
      'process.cpuCores': undefined,
      'cpu.busyRatio': undefined,
      'clients.queued': 0.9,
    },
    'none',
    null,
  ],
  [
    'a queue behind page reads',
    { ...READ_BOUND, 'clients.queued': 50 },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  // cpu
  [
    'CPUs busy',
    { ...HEALTHY, 'process.cpuRatio': 0.8, 'process.cpuCores': 3.2 },
    'cpu',
    null,
    /80\.0% of CPU time/,
  ],
  ['nearly', { ...HEALTHY, 'process.cpuRatio': 0.79, 'process.cpuCores': 3.1 }, 'none', null],
  [
    'CPUs busy, reads from memory',
    { ...READ_BOUND, 'eviction.pageReadMs': 0.3, 'process.cpuRatio': 0.9 },
    'cpu',
    null,
  ],
  [
    'CPUs busy, reads off the disk',
    { ...READ_BOUND, 'process.cpuRatio': 0.9 },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  // history
  [
    'a majority that is gone, and flow control',
    LAGGING,
    'history',
    null,
    /lags \(in 100\.0% of the samples\).*100\.0% of their time throttled by flow control \(16 threads on average\)/,
  ],
  [
    'no operation ends under it',
    { ...LAGGING, 'clients.busyThreads': 0, 'ops.perSec': 0, 'process.cpuCores': 0.1 },
    'history',
    null,
  ],
  [
    'a lag that costs a quarter of a thread',
    { ...LAGGING, 'clients.throttledThreads': 0.25, 'clients.busyThreads': 2, 'clients.queued': 0 },
    'history',
    null,
  ],
  [
    'a lag that costs less',
    { ...LAGGING, 'clients.throttledThreads': 0.24, 'clients.busyThreads': 2, 'clients.queued': 0 },
    'none',
    null,
  ],
  [
    'a lag that costs a tenth of the time',
    { ...LAGGING, 'clients.throttledThreads': 1.5, 'clients.busyThreads': 15, 'clients.queued': 0 },
    'history',
    null,
  ],
  [
    'a lag that costs less than that',
    { ...LAGGING, 'clients.throttledThreads': 1.4, 'clients.busyThreads': 15, 'clients.queued': 0 },
    'unknown',
    null,
  ],
  [
    'a lag that costs next to nothing, and queues for another reason',
    { ...LAGGING, 'clients.throttledThreads': 0.05 },
    'concurrency',
    null,
  ],
  [
    'waiting for permits without a lag',
    { ...LAGGING, 'flowControl.laggedShare': 0 },
    'concurrency',
    null,
  ],
  [
    'an old snapshot under write pressure',
    PINNED,
    'history',
    null,
    /28,749 transaction ids \(about 89 s of writes\)/,
  ],
  [
    'an old snapshot that costs nothing yet',
    { ...HEALTHY, 'transaction.pinnedIdsMax': 28_749, 'transaction.pinnedIds': 14_000 },
    'none',
    null,
    /no setting change recommended/,
  ],
  [
    'an old snapshot, and application threads evict a little',
    {
      ...HEALTHY,
      'transaction.pinnedIdsMax': 28_749,
      'transaction.pinnedIds': 14_000,
      'clients.waitingThreads': 0.06,
    },
    'history',
    null,
  ],
  [
    '… less than that',
    {
      ...HEALTHY,
      'transaction.pinnedIdsMax': 28_749,
      'transaction.pinnedIds': 14_000,
      'clients.waitingThreads': 0.05,
    },
    'none',
    null,
  ],
  [
    '… or old versions take more than a quarter of the cache',
    {
      ...HEALTHY,
      'transaction.pinnedIdsMax': 28_749,
      'transaction.pinnedIds': 14_000,
      'cache.historyRatio': 0.251,
    },
    'history',
    null,
  ],
  [
    '… a quarter',
    {
      ...HEALTHY,
      'transaction.pinnedIdsMax': 28_749,
      'transaction.pinnedIds': 14_000,
      'cache.historyRatio': 0.25,
    },
    'none',
    null,
  ],
  [
    '… and something else holds them back',
    {
      ...QUEUED,
      'transaction.pinnedIdsMax': 28_749,
      'transaction.pinnedIds': 14_000,
      'clients.waitingThreads': 0.06,
    },
    'concurrency',
    null,
  ],
  [
    'an old snapshot beside stalls',
    { ...STALLED, 'transaction.pinnedIdsMax': 28_749, 'transaction.pinnedIds': 14_000 },
    'disk',
    null,
  ],
  [
    'on a secondary',
    { ...PINNED, 'ops.writesPerSec': 0, 'ops.replicatedPerSec': 323 },
    'history',
    null,
  ],
  ['ten thousand', { ...PINNED, 'transaction.pinnedIdsMax': 10_000 }, 'history', null],
  ['fewer', { ...PINNED, 'transaction.pinnedIdsMax': 9999 }, 'cache-dirty', { cacheSizeGB: 1 }],
  [
    'a moment of many writes',
    { ...PINNED, 'ops.writesPerSec': 959 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'one sample of many',
    { ...PINNED, 'transaction.pinnedIds': 7187 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'a majority that lags, under write pressure',
    STANDING,
    'history',
    null,
    /kept for 15 min, and the oldest timestamp does not advance: old versions accumulate\.$/,
  ],
  [
    'twice the usual window',
    { ...STANDING, 'transaction.pinnedSeconds': 600 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  ['more than that', { ...STANDING, 'transaction.pinnedSeconds': 601 }, 'history', null],
  [
    'half as fast as the clock',
    { ...STANDING, 'transaction.pinnedSecondsGrown': 30 },
    'history',
    null,
  ],
  [
    'a long window that moves on',
    { ...STANDING, 'transaction.pinnedSecondsGrown': 29 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'nothing is written that could accumulate',
    { ...STANDING, 'ops.writesPerSec': 0 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  [
    'it costs nothing yet, but old versions grow',
    {
      ...HEALTHY,
      'transaction.pinnedSeconds': 900,
      'transaction.pinnedSecondsGrown': 60,
      'history.grownBytes': 4096,
    },
    'none',
    null,
  ],
  [
    'under write pressure, and old versions grow',
    { ...STANDING, 'history.grownBytes': 4096 },
    'history',
    null,
  ],
  [
    'readers that wait for pages wait for other ones, if they do not grow',
    {
      ...READ_BOUND,
      'ops.writesPerSec': 5,
      'transaction.pinnedSeconds': 900,
      'transaction.pinnedSecondsGrown': 60,
    },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  [
    'it costs nothing, and they do not',
    { ...HEALTHY, 'transaction.pinnedSeconds': 900, 'transaction.pinnedSecondsGrown': 60 },
    'none',
    null,
  ],
  // A small cache that goes to its trigger and back between two samples: clients wait, and nothing
  // else is near its trigger.
  [
    'dirty by elimination',
    SWINGING,
    'cache-dirty',
    { cacheSizeGB: 1 },
    /15\.3% of the cache is dirty, max 18\.0% \(trigger 20%\)/,
  ],
  [
    '… the peak is said where it differs',
    { ...SWINGING, 'cache.dirtyRatioMax': 0.172 },
    'cache-dirty',
    { cacheSizeGB: 1 },
    /15\.3% of the cache is dirty \(/,
  ],
  [
    '… and the level is below its trigger',
    { ...SWINGING, 'cache.dirtyRatio': 0.181, 'cache.dirtyRatioMax': 0.21 },
    'cache-dirty',
    { cacheSizeGB: 1 },
    /18\.1% of the cache is dirty \(/,
  ],
  [
    '… from 70% of the trigger on',
    { ...SWINGING, 'cache.dirtyRatioMax': 0.14 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  ['… below it nothing is known', { ...SWINGING, 'cache.dirtyRatioMax': 0.139 }, 'unknown', null],
  [
    '… while fill is far from its trigger',
    { ...SWINGING, 'cache.usedRatioMax': 0.664 },
    'cache-dirty',
    { cacheSizeGB: 1 },
  ],
  ['… and not when it is not', { ...SWINGING, 'cache.usedRatioMax': 0.666 }, 'unknown', null],
  [
    '… nor when update data is near its own',
    { ...SWINGING, 'cache.updatesRatioMax': 0.071 },
    'unknown',
    null,
  ],
  [
    '… a known trigger counts',
    { ...SWINGING, 'config.dirtyTriggerRatio': 0.3, 'cache.dirtyRatioMax': 0.2 },
    'unknown',
    null,
  ],
  // unknown
  [
    'no WiredTiger section',
    { ...READ_BOUND, 'cache.maxBytes': undefined },
    'unknown',
    null,
    /reports no WiredTiger cache/,
  ],
  [
    'one sample',
    { ...READ_BOUND, 'window.samples': 1, 'window.seconds': 0 },
    'unknown',
    null,
    /Sample for longer: \{ seconds: 30 \}/,
  ],
  [
    'two samples of one moment',
    { ...READ_BOUND, 'window.samples': 2, 'window.seconds': 0 },
    'unknown',
    null,
  ],
  [
    'three seconds, less what timers take',
    { ...READ_BOUND, 'window.seconds': 2.5 },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  ['less', { ...READ_BOUND, 'window.seconds': 2.4 }, 'unknown', null],
  [
    'no rates',
    { ...READ_BOUND, 'ops.perSec': undefined },
    'unknown',
    null,
    /does not report completed operations/,
  ],
  ['nothing at all', {}, 'unknown', null],
  [
    'what clients lose is not known',
    { ...HEALTHY, 'clients.readingThreads': undefined },
    'unknown',
    null,
    /does not report the time application threads wait/,
  ],
  [
    'nor of eviction',
    { ...HEALTHY, 'clients.evictingThreads': undefined, 'clients.waitingThreads': undefined },
    'unknown',
    null,
  ],
  [
    'application threads are made to evict for dirty data, and what it costs is not known',
    {
      ...WRITE_BOUND,
      'clients.evictingThreads': undefined,
      'clients.waitingThreads': undefined,
      'eviction.appPagesPerSec': undefined,
      'cache.dirtyHardShare': 0.05,
    },
    'unknown',
    null,
    /Application threads are evicting, but this release does not report/,
  ],
  [
    '… in fewer samples: readers wait for pages',
    {
      ...WRITE_BOUND,
      'clients.evictingThreads': undefined,
      'clients.waitingThreads': undefined,
      'eviction.appPagesPerSec': undefined,
      'cache.dirtyHardShare': 0.04,
    },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  [
    '… or they evict a page a second',
    {
      ...READ_BOUND,
      'clients.evictingThreads': undefined,
      'clients.waitingThreads': undefined,
      'eviction.appPagesPerSec': 1,
    },
    'unknown',
    null,
  ],
  [
    '… fewer',
    {
      ...READ_BOUND,
      'clients.evictingThreads': undefined,
      'clients.waitingThreads': undefined,
      'eviction.appPagesPerSec': 0.9,
    },
    'cache-read',
    { cacheSizeGB: 1.75 },
  ],
  [
    'more data than memory, and how long a page read takes is not known',
    { ...READ_BOUND, 'host.memoryBytes': 700 * MiB, 'eviction.pageReadMs': undefined },
    'unknown',
    null,
  ],
  [
    'dirty data not known: no trigger is suspected',
    { ...WRITE_BOUND, 'cache.dirtyRatio': undefined, 'cache.dirtyRatioMax': undefined },
    'cache-dirty',
    { cacheSizeGB: 1 },
    /^The server reports too much dirty data in the cache: application threads/,
  ],
  [
    'update data not known either',
    { ...UPDATING, 'cache.updatesRatio': undefined, 'cache.updatesRatioMax': undefined },
    'cache-dirty',
    { cacheSizeGB: 1 },
    /^The server reports too much update data in the cache: application threads/,
  ],
  [
    'application threads evict, and no limit is reached',
    {
      ...WRITE_BOUND,
      'cache.dirtyRatio': 0.05,
      'cache.dirtyHardShare': 0,
      'clients.readingThreads': 1,
      'checkpoint.paceRatio': 1,
    },
    'unknown',
    null,
    /^Cause not found/,
  ],
  [
    'slow reads of a kind not known, CPUs busy',
    {
      ...READ_BOUND,
      'eviction.pageReadMs': 0.3,
      'cache.usedRatioMax': 0.4,
      'eviction.pagesPerSec': 0,
    },
    'unknown',
    null,
    /reading pages/,
  ],
  [
    'stalls on busy CPUs that are not the limit either',
    { ...STALLED, 'process.cpuRatio': 0.9, 'clients.evictingThreads': 2, 'cache.hardShare': 0.5 },
    'unknown',
    null,
    /^Cause not found: 2 application threads evicting pages/,
  ],
  [
    'writes slow for no reason to be seen',
    { ...HEALTHY, 'ops.writeLatencyMs': 150, 'clients.writing': 1 },
    'unknown',
    null,
    /^Cause not found: a write takes 150 ms/,
  ],
  [
    'writes as slow as a majority on another continent',
    { ...HEALTHY, 'ops.writeLatencyMs': 149, 'clients.writing': 1 },
    'none',
    null,
  ],
  [
    'a single slow write',
    { ...HEALTHY, 'ops.writeLatencyMs': 500, 'clients.writing': 0.9 },
    'none',
    null,
  ],
];

/** Knobs may be suggested for these only. */
const CURABLE = new Set(['cache-read', 'cache-dirty', 'eviction-threads']);

describe('diagnose/bottleneck: the truth table', () => {
  for (const [title, metrics, bottleneck, change, because] of TABLE) {
    it(`${bottleneck}: ${title}`, () => {
      const verdict = findBottleneck(metrics);
      assert.equal(verdict.bottleneck, bottleneck, verdict.because);
      assert.match(verdict.because, because ?? /./);
      assert.doesNotMatch(verdict.because, /\n/);
      assert.ok(verdict.because.split(/(?<=[.!?])\s+/).length <= 3, 'few sentences');
      for (const clause of verdict.because.split(/(?<=[.:;!?])\s+/))
        assert.ok(clause.split(/\s+/).length <= 25, `short ones: ${clause}`);
      assert.doesNotMatch(
        `${verdict.because} ${verdict.runnerUp?.because} ` +
          `${verdict.evidence.map(({ say }) => say).join(' ')}`,
        /NaN|undefined threads|undefined %/,
      );
      const cure = recommendationFor(verdict.bottleneck, metrics);
      assert.deepEqual(cure.change, change);
      if (!CURABLE.has(bottleneck)) assert.equal(change, null);
      if (!['none', 'idle', 'unknown'].includes(bottleneck)) {
        assert.equal(verdict.evidence.length, 3);
        assert.ok(cure.explain.length > 0, 'what to do');
      }
    });
  }

  it('names the runner-up and why it lost', () => {
    assert.deepEqual(findBottleneck(WRITE_BOUND).runnerUp, {
      bottleneck: 'cache-read',
      because: 'dirty data is at its trigger, and page reads wait behind page writes.',
    });
    assert.deepEqual(findBottleneck(PINNED).runnerUp, {
      bottleneck: 'cache-dirty',
      because: 'the old snapshot may be the cause.',
    });
    assert.match(
      String(
        findBottleneck({ ...STALLED, 'checkpoint.runningShare': 0.2, 'checkpoint.paceRatio': 0.4 })
          .runnerUp?.because,
      ),
      /it explains 12\.0% of wait time, disk 15\.0%/,
    );
    assert.equal(findBottleneck(HEALTHY).runnerUp, null);
    assert.deepEqual(
      findBottleneck({
        ...READ_BOUND,
        'clients.evictingThreads': undefined,
        'clients.waitingThreads': undefined,
        'eviction.appPagesPerSec': 1,
      }).runnerUp,
      { bottleneck: 'cache-read', because: 'eviction may be the cause.' },
    );
  });

  it('a lagging majority is looked for among the members, an old snapshot among the operations', () => {
    assert.match(
      recommendationFor('history', LAGGING).explain.join(),
      /^Find the member that lags.*votes: 0.*rs\.reconfigForPSASet\(/,
    );
    assert.match(
      recommendationFor('history', PINNED).explain.join(),
      /^Find long-running transactions: db\.currentOp.*killSessions: \[lsid\]/,
    );
  });

  it('a disk: what the kernel writes back late is named where it may be why, and not to readers', () => {
    const explain = (/** @type {Metrics} */ metrics) =>
      recommendationFor('disk', metrics).explain.join('\n');
    assert.match(
      explain(STALLED),
      /^By default the kernel writes dirty page cache late.*Start writeback earlier: sysctl -w vm\.dirty_background_bytes=67108864 vm\.dirty_bytes=536870912/,
    );
    assert.match(
      explain(JOURNAL),
      /^Yet the disk nvme0n1 is busy 5\.0%[^]*No WiredTiger setting[^]*If writes come in bursts, start writeback earlier: sysctl/,
    );
    assert.match(
      explain({ ...READ_BOUND, 'host.memoryBytes': 700 * MiB }),
      /^There is more data \(1\.1 GiB\) than RAM \(700 MiB\)/,
    );
    assert.doesNotMatch(explain({ ...READ_BOUND, 'host.memoryBytes': 700 * MiB }), /vm\./);
    assert.doesNotMatch(explain({ ...READ_BOUND, 'cache.usedRatioMax': 0.4 }), /vm\.|memory/);
  });

  it('a lowered target is named, known or not', () => {
    assert.match(
      recommendationFor('cache-read', { ...READ_BOUND, 'config.targetRatio': 0.5 }).explain.join(),
      /^eviction_target is 50%; the default is 80%\. Return to target 80%, trigger 95%/,
    );
    assert.match(
      recommendationFor('cache-read', { ...READ_BOUND, 'cache.usedRatioMax': 0.6 }).explain.join(),
      /^eviction_target appears to be lowered: clean pages leave the cache at 60\.0% used/,
    );
  });

  it('no setting is ever lowered below its default, whatever the readings', () => {
    for (const [, metrics] of TABLE) {
      const { change } = recommendationFor(findBottleneck(metrics).bottleneck, metrics);
      assert.ok((change?.evictionDirtyTrigger ?? 20) >= 20);
      assert.ok((change?.cacheSizeGB ?? Infinity) * GiB > (metrics['cache.maxBytes'] ?? 0));
    }
  });

  it('a cache that is warming up: whether it will hold all data is said', () => {
    const explained = (/** @type {object} */ more) =>
      recommendationFor('disk', /** @type {any} */ ({ ...WARMING, ...more })).explain.join('\n');
    assert.doesNotMatch(explained({}), /will not hold all data/);
    assert.match(
      explained({ 'data.bytes': 3 * GiB }),
      /The 1\.5 GiB cache will not hold all data: that takes [\d.]+ GiB/,
    );
  });
});
