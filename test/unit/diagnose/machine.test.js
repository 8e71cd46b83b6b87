'use strict';

const assert = require('node:assert/strict');
const { findBottleneck } = require('../../../lib/diagnose/bottleneck');
const { recommendationFor } = require('../../../lib/diagnose/recommendation');
const { dirtyBytes } = require('../../../lib/signals/stalls');
const { HEALTHY, READ_BOUND, WRITE_BOUND } = require('../../support/readings');

/**
 * @import { Bottleneck } from '../../../lib/base/pure/finding'
 * @import { Metrics } from '../../../lib/server/pure/metrics'
 */

/**
 * What the machine tells makes a verdict stronger, contradicts it, or changes nothing.
 */

const MiB = 2 ** 20;
/** @type {Metrics} a disk at its limit, and everybody waits for it */
const AT_LIMIT = {
  'disk.name': 'sdb',
  'disk.busyRatio': 0.97,
  'disk.readMs': 11,
  'disk.writeMs': 30,
  'disk.readsPerSec': 590,
  'disk.writesPerSec': 400,
  'cpu.blockedTasks': 7,
  'diagnostics.seconds': 60,
  'cpu.busyRatio': 0.3,
  'cpu.stealRatio': 0,
};
/** @type {Metrics} no disk does anything */
const NO_DISK = {
  'disk.name': 'sdb',
  'disk.busyRatio': 0.01,
  'disk.readMs': 0.1,
  'disk.writeMs': 0.2,
  'disk.readsPerSec': 9,
  'disk.writesPerSec': 9,
  'cpu.blockedTasks': 0,
  'diagnostics.seconds': 60,
  'cpu.busyRatio': 0.6,
  'cpu.stealRatio': 0,
};
const MEMORY_FULL = { ...READ_BOUND, 'host.memoryBytes': 700 * MiB };
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
const SLOW_WRITES = { ...HEALTHY, 'ops.writeLatencyMs': 150, 'clients.writing': 1 };
const CLOSED_LOOP = {
  ...HEALTHY,
  'clients.readingThreads': 0.08,
  'clients.busyThreads': 4,
  'process.cpuRatio': 0.55,
  'process.cpuCores': 1.1,
  'host.cores': 2,
  'cpu.busyRatio': 0.99,
};
const WORKERS = {
  ...WRITE_BOUND,
  'eviction.pageWriteMs': 0.3,
  'host.cores': 16,
  'process.cpuCores': 4,
  'process.cpuRatio': 0.25,
};

/** @type {[string, Metrics, Bottleneck, RegExp?][]} */
const TABLE = [
  // disk: reads
  [
    'more data than memory, and the disk says so',
    { ...MEMORY_FULL, ...AT_LIMIT },
    'disk',
    /The disk counters confirm it: the disk sdb is busy 97\.0% of the time, a read takes 11 ms/,
  ],
  [
    'the same behind a disk with room: the limit is elsewhere',
    { ...MEMORY_FULL, ...NO_DISK, 'cpu.blockedTasks': 7 },
    'disk',
    /Yet the disk sdb is busy 1\.0% of the time, a read takes 0\.1 ms.*\. The limit may be above the disk/,
  ],
  [
    'the same, and nobody waits for any disk',
    { ...MEMORY_FULL, ...NO_DISK },
    'unknown',
    /reading pages/,
  ],
  [
    'a quarter of the clients seen waiting',
    { ...MEMORY_FULL, ...NO_DISK, 'cpu.blockedTasks': 7.1 / 4 },
    'disk',
  ],
  ['fewer', { ...MEMORY_FULL, ...NO_DISK, 'cpu.blockedTasks': 1.77 }, 'unknown'],
  ['a quarter of the time at work', { ...MEMORY_FULL, ...NO_DISK, 'disk.busyRatio': 0.25 }, 'disk'],
  ['too few samples to say so', { ...MEMORY_FULL, ...NO_DISK, 'diagnostics.seconds': 8.9 }, 'disk'],
  [
    'a machine that tells half of it',
    { ...MEMORY_FULL, ...NO_DISK, 'cpu.blockedTasks': undefined },
    'disk',
  ],
  [
    'busy flash that is quick says neither',
    { ...MEMORY_FULL, ...AT_LIMIT, 'disk.readMs': 0.2, 'disk.writeMs': 0.2 },
    'disk',
    /gains\.\nThere is more data/,
  ],
  // disk: stalls
  [
    'stalls while the kernel writes back',
    { ...STALLED, 'stalls.inWritebackRatio': 0.5, 'writeback.dirtyPageBytesMax': 180 * MiB },
    'disk',
    /The kernel wrote back its accumulated dirty page cache \(up to 180 MiB\)/,
  ],
  [
    'stalls with something else',
    { ...STALLED, 'stalls.inWritebackRatio': 0.49 },
    'disk',
    /The disk took that long/,
  ],
  ['stalls in which nobody waits for a disk', { ...STALLED, ...NO_DISK }, 'unknown', /stalled/],
  [
    'stalls on a machine that others fill',
    { ...STALLED, 'process.cpuRatio': 0.3, 'cpu.busyRatio': 0.95 },
    'disk',
  ],
  // disk: the journal, and writes
  [
    'the journal on a disk at its limit',
    { ...JOURNAL, ...AT_LIMIT },
    'disk',
    /journal sync takes 12 ms[^]*The disk counters confirm it/,
  ],
  [
    'the journal on a full machine is still the journal',
    { ...JOURNAL, ...AT_LIMIT, 'cpu.busyRatio': 0.89 },
    'disk',
  ],
  [
    'slow writes for no reason to be seen, but a disk at its limit',
    { ...SLOW_WRITES, ...AT_LIMIT },
    'disk',
    /A write takes 150 ms, and the disk is at its limit\. The cache is not the cause/,
  ],
  ['… 80% of the time', { ...SLOW_WRITES, ...AT_LIMIT, 'disk.busyRatio': 0.8 }, 'disk'],
  ['… less', { ...SLOW_WRITES, ...AT_LIMIT, 'disk.busyRatio': 0.79 }, 'unknown'],
  [
    '… with requests of 5 ms',
    { ...SLOW_WRITES, ...AT_LIMIT, 'disk.readMs': 5, 'disk.writeMs': 1 },
    'disk',
  ],
  [
    '… quicker ones',
    { ...SLOW_WRITES, ...AT_LIMIT, 'disk.readMs': 4.9, 'disk.writeMs': 1 },
    'unknown',
  ],
  [
    'slow writes of clients that wait for the cache',
    { ...WRITE_BOUND, ...AT_LIMIT, 'ops.writeLatencyMs': 150 },
    'cache-dirty',
    /write rate of the disk is the underlying limit\.\nThe disk counters confirm it: the disk sdb/,
  ],
  ['quick writes beside a backup', { ...HEALTHY, ...AT_LIMIT }, 'none'],
  // cache-read does not hang on it
  ['cache too small, and the disk says so', { ...READ_BOUND, ...AT_LIMIT }, 'cache-read'],
  ['cache too small, on a disk that is not shown', { ...READ_BOUND, ...NO_DISK }, 'cache-read'],
  // cpu
  [
    'mongod and its clients fill the machine',
    CLOSED_LOOP,
    'cpu',
    /The CPUs of the machine are fully used: 99\.0% of CPU time, 55\.0% by mongod, the rest/,
  ],
  [
    'mongod fills the CPUs that it may use',
    { ...HEALTHY, 'process.cpuRatio': 0.1, 'process.allowedRatio': 0.8 },
    'cpu',
    /^mongod uses 80\.0% of the CPU time it may use/,
  ],
  [
    'mongod fills the few it may run on',
    { ...HEALTHY, 'process.cpuRatio': 0.97, 'process.machineRatio': 0.1 },
    'cpu',
    /^mongod uses 97\.0% of the CPU time it may use/,
  ],
  [
    'a machine that others fill: its own share is of all',
    { ...CLOSED_LOOP, 'process.machineRatio': 0.25 },
    'cpu',
    /99\.0% of CPU time, 25\.0% by mongod/,
  ],
  ['… and too small', { ...CLOSED_LOOP, 'process.machineRatio': 0.249 }, 'none'],
  ['… not quite', { ...HEALTHY, 'process.cpuRatio': 0.1, 'process.allowedRatio': 0.79 }, 'none'],
  ['… from 90% on', { ...CLOSED_LOOP, 'cpu.busyRatio': 0.9 }, 'cpu'],
  ['… below there is room', { ...CLOSED_LOOP, 'cpu.busyRatio': 0.899 }, 'none'],
  ['… seen for a moment only', { ...CLOSED_LOOP, 'diagnostics.seconds': 2.4 }, 'none'],
  [
    "… and mongod's own part is not known",
    { ...CLOSED_LOOP, 'process.cpuRatio': undefined, 'process.cpuCores': undefined },
    'cpu',
    /^The CPUs of the machine are fully used: 99\.0% of CPU time\.\n/,
  ],
  [
    '… though the operations themselves take next to no time',
    { ...CLOSED_LOOP, 'clients.busyThreads': 0.33 },
    'cpu',
  ],
  [
    '… and whether operations queue is not known',
    { ...CLOSED_LOOP, 'clients.queued': undefined },
    'cpu',
  ],
  ['… and operations queue', { ...CLOSED_LOOP, 'clients.queued': 1 }, 'none'],
  ['… fewer come and go', { ...CLOSED_LOOP, 'clients.queued': 0.9 }, 'cpu'],
  [
    '… that others take from this machine',
    { ...CLOSED_LOOP, 'cpu.stealRatio': 0.1 },
    'cpu',
    /other virtual machines take 10\.0%/,
  ],
  ['… a little of it', { ...CLOSED_LOOP, 'cpu.stealRatio': 0.09 }, 'cpu', /machine\)\.\n/],
  [
    'mongod alone fills its container on a large machine',
    { ...HEALTHY, 'process.cpuRatio': 0.95, 'process.cpuCores': 1.9, 'cpu.busyRatio': 0.05 },
    'cpu',
    /mongod uses 95\.0% of CPU time/,
  ],
  [
    'a full machine under write pressure',
    { ...WRITE_BOUND, 'cpu.busyRatio': 0.97, 'diagnostics.seconds': 60 },
    'cache-dirty',
  ],
  [
    'a full machine whose clients wait for pages off the disk',
    { ...READ_BOUND, ...AT_LIMIT, 'cpu.busyRatio': 0.97 },
    'cache-read',
  ],
  [
    'a full machine whose pages come from memory',
    {
      ...READ_BOUND,
      'eviction.pageReadMs': 0.3,
      'clients.readingThreads': 2,
      'process.cpuRatio': 0.5,
      'cpu.busyRatio': 0.97,
      'diagnostics.seconds': 60,
    },
    'cpu',
  ],
  [
    'writers wait for the journal while others fill the machine',
    { ...JOURNAL, 'process.cpuRatio': 0.3, 'cpu.busyRatio': 0.97 },
    'disk',
    /journal sync takes 12 ms/,
  ],
  [
    'operations queue while others fill the machine',
    {
      ...HEALTHY,
      'clients.queued': 5,
      'clients.busyThreads': 5.9,
      'process.cpuRatio': 0.3,
      'cpu.busyRatio': 0.97,
    },
    'concurrency',
  ],
  [
    'others fill the machine, and mongod has a quarter of it',
    { ...CLOSED_LOOP, 'process.cpuRatio': 0.25 },
    'cpu',
  ],
  [
    '… and less: what its clients wait for may be anything',
    { ...CLOSED_LOOP, 'process.cpuRatio': 0.249 },
    'none',
  ],
  [
    'a cold cache on a full machine: pages wait for processors',
    {
      ...READ_BOUND,
      ...NO_DISK,
      'diagnostics.seconds': 4,
      'cpu.busyRatio': 0.99,
      'process.cpuRatio': 0.25,
      'clients.readingThreads': 5,
      'eviction.pageReadMs': 1.43,
      'cache.usedRatioMax': 0.4,
      'eviction.pagesPerSec': 0,
    },
    'cpu',
  ],
  [
    '… as slow as a disk at its limit: the disk, which may be one that is not shown',
    {
      ...READ_BOUND,
      ...NO_DISK,
      'diagnostics.seconds': 4,
      'cpu.busyRatio': 0.99,
      'process.cpuRatio': 0.25,
      'clients.readingThreads': 5,
      'eviction.pageReadMs': 5,
      'cache.usedRatioMax': 0.4,
      'eviction.pagesPerSec': 0,
    },
    'disk',
  ],
  [
    '… on a disk that is busy',
    {
      ...READ_BOUND,
      ...NO_DISK,
      'disk.busyRatio': 0.8,
      'diagnostics.seconds': 4,
      'cpu.busyRatio': 0.99,
      'process.cpuRatio': 0.25,
      'clients.readingThreads': 5,
      'eviction.pageReadMs': 1.43,
      'cache.usedRatioMax': 0.4,
      'eviction.pagesPerSec': 0,
    },
    'disk',
  ],
  // eviction-threads
  ['workers short, and the machine has room', { ...WORKERS, ...NO_DISK }, 'eviction-threads'],
  [
    '… but other programs use the processors',
    { ...WORKERS, ...NO_DISK, 'cpu.busyRatio': 0.71 },
    'cache-dirty',
  ],
  ['… up to 70%', { ...WORKERS, ...NO_DISK, 'cpu.busyRatio': 0.7 }, 'eviction-threads'],
  ['… but the disk is at its limit', { ...WORKERS, ...AT_LIMIT }, 'cache-dirty'],
  [
    '… page writes not known, and the disk has room',
    { ...WORKERS, ...NO_DISK, 'eviction.pageWriteMs': undefined, 'disk.busyRatio': 0.79 },
    'eviction-threads',
  ],
  [
    '… page writes not known, and the disk is busy',
    { ...WORKERS, ...NO_DISK, 'eviction.pageWriteMs': undefined, 'disk.busyRatio': 0.8 },
    'cache-dirty',
  ],
  [
    '… fewer than mongod starts, though others use the processors',
    {
      ...WORKERS,
      ...NO_DISK,
      'config.threadsMax': 1,
      'eviction.threadsActive': 1,
      'cpu.busyRatio': 0.98,
    },
    'eviction-threads',
  ],
  // concurrency
  [
    'a queue before a machine with room',
    {
      ...HEALTHY,
      'clients.queued': 5,
      'clients.busyThreads': 20,
      'process.cpuRatio': undefined,
      'cpu.busyRatio': 0.7,
    },
    'concurrency',
  ],
  [
    'a queue before a busy machine',
    {
      ...HEALTHY,
      'clients.queued': 5,
      'clients.busyThreads': 20,
      'process.cpuRatio': undefined,
      'cpu.busyRatio': 0.71,
    },
    'none',
  ],
  [
    'a queue, and mongod uses little of a busy machine',
    { ...HEALTHY, 'clients.queued': 5, 'clients.busyThreads': 20, 'cpu.busyRatio': 0.89 },
    'concurrency',
  ],
  // checkpoint
  [
    'half the pace in checkpoints, on a disk at its limit',
    { ...HEALTHY, ...AT_LIMIT, 'checkpoint.runningShare': 0.2, 'checkpoint.paceRatio': 0.5 },
    'checkpoint',
  ],
];

describe('diagnose: what the machine tells', () => {
  for (const [title, metrics, bottleneck, because] of TABLE) {
    it(`${bottleneck}: ${title}`, () => {
      const verdict = findBottleneck(metrics);
      assert.equal(verdict.bottleneck, bottleneck, verdict.because);
      assert.match(
        [verdict.because, ...recommendationFor(bottleneck, metrics).explain].join('\n'),
        because ?? /./,
      );
      assert.doesNotMatch(
        JSON.stringify([verdict, recommendationFor(bottleneck, metrics)]),
        /NaN|undefined/,
      );
    });
  }

  it('the disk at its limit is evidence, by its name; one with room is none', () => {
    const of = (/** @type {Metrics} */ metrics) => findBottleneck(metrics).evidence;
    assert.deepEqual(of({ ...MEMORY_FULL, ...AT_LIMIT })[2], {
      metric: 'disk.busyRatio',
      value: 0.97,
      say: 'the disk sdb is busy 97.0% of the time',
    });
    assert.equal(
      of({ ...MEMORY_FULL, ...NO_DISK, 'cpu.blockedTasks': 7 })[2].metric,
      'eviction.appReadsPerSec',
    );
    assert.equal(
      of({ ...MEMORY_FULL, ...AT_LIMIT, 'disk.name': undefined })[2].say,
      'the disk is busy 97.0% of the time',
    );
    assert.deepEqual(
      of(CLOSED_LOOP).map(({ metric }) => metric),
      ['cpu.busyRatio', 'process.cpuRatio', 'process.cpuCores'],
    );
    assert.ok(
      of({
        ...HEALTHY,
        ...AT_LIMIT,
        'checkpoint.runningShare': 0.2,
        'checkpoint.paceRatio': 0.5,
      }).some(({ metric }) => metric === 'disk.busyRatio'),
    );
  });

  it('the disk is called that of dbPath where that is known', () => {
    assert.match(
      recommendationFor('disk', { ...MEMORY_FULL, ...AT_LIMIT, 'disk.isOfData': 1 }).explain.join(),
      /the disk sdb \(dbPath\) is busy 97\.0%/,
    );
    assert.match(
      String(findBottleneck({ ...STALLED, ...NO_DISK, 'disk.isOfData': 1 }).runnerUp?.because),
      /and the disk sdb \(dbPath\) is busy 1\.0%/,
    );
  });

  it('a verdict that lost says what the machine has against it', () => {
    const { runnerUp } = findBottleneck({ ...STALLED, ...NO_DISK });
    assert.match(
      String(runnerUp?.because),
      /almost no task of the machine waits for a disk, and the busiest disk sdb is busy 1\.0%/,
    );
    assert.match(
      String(
        findBottleneck({ ...JOURNAL, 'process.cpuRatio': 0.3, 'cpu.busyRatio': 0.97 }).runnerUp
          ?.because,
      ),
      /wait for the journal/,
    );
    assert.match(
      String(findBottleneck({ ...CLOSED_LOOP, 'cpu.busyRatio': 0.8 }).runnerUp?.because),
      /80\.0% of the machine's CPU time is used, 55\.0% by mongod/,
    );
  });

  describe("the kernel's writeback", () => {
    const explain = (/** @type {Metrics} */ more) =>
      recommendationFor('disk', {
        ...STALLED,
        'writeback.dirtyPageBytesMax': 180 * MiB,
        ...more,
      }).explain.join('\n');
    it('is answered with bytes that fit the disk', () => {
      assert.match(
        explain({ 'stalls.inWritebackRatio': 1, 'disk.writtenBytesPerSecMax': 25 * MiB }),
        /up to 180 MiB .*sysctl -w vm\.dirty_background_bytes=16777216 vm\.dirty_bytes=134217728/,
      );
      assert.deepEqual(
        [0, 24, 36, 80, 4000].map(
          (mib) => dirtyBytes({ 'disk.writtenBytesPerSecMax': mib * MiB }).background / MiB,
        ),
        [16, 16, 32, 64, 64],
      );
      assert.deepEqual(dirtyBytes({}), { background: 16 * MiB, limit: 128 * MiB });
    });
    it('is not advised again where it begins as early already', () => {
      const slow = { 'stalls.inWritebackRatio': 1, 'disk.writtenBytesPerSecMax': 25 * MiB };
      assert.match(
        explain({ ...slow, 'writeback.limitBytes': 128 * MiB }),
        /^The kernel already blocks writers at 128 MiB of dirty page cache\. A lower limit would not help/,
      );
      assert.match(
        explain({ ...slow, 'writeback.limitBytes': 128 * MiB + 1 }),
        /and wrote it in one burst.*vm\.dirty_bytes=134217728/,
      );
      assert.match(
        explain({ 'writeback.limitBytes': 512 * MiB }),
        /^The kernel already blocks writers at 512 MiB of dirty page cache\. On a disk slower than 50 MB\/s a lower limit did better: sysctl -w vm\.dirty_background_bytes=16777216 vm\.dirty_bytes=134217728/,
      );
      assert.match(explain({ 'writeback.limitBytes': 512 * MiB + 1 }), /Start writeback earlier/);
      const journal = (/** @type {number} */ limit) =>
        recommendationFor('disk', { ...JOURNAL, 'writeback.limitBytes': limit }).explain.join('\n');
      assert.doesNotMatch(journal(512 * MiB), /If writes come in bursts/);
      assert.match(journal(513 * MiB), /If writes come in bursts/);
    });
    it('is not blamed where it is known to be something else', () =>
      assert.doesNotMatch(
        explain({ 'stalls.inWritebackRatio': 0 }),
        /Let it begin early: sysctl.*in vain/,
      ));
    it('may be why where the machine is not known', () =>
      assert.match(explain({}), /Start writeback earlier/));
    it('counts for checkpoints that stall, too', () => {
      assert.match(
        recommendationFor('checkpoint', {
          ...STALLED,
          'stalls.inWritebackRatio': 1,
        }).explain.join(),
        /vm\.dirty_bytes/,
      );
      assert.doesNotMatch(
        recommendationFor('checkpoint', STALLED).explain.join(),
        /vm\.dirty_bytes/,
      );
    });
  });
});
