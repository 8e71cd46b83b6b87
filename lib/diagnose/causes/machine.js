'use strict';

const { GiB, bytes, count, duration, many, percent, MiB } = require('../../base/pure/units');
const { LIMIT_MS, isDeviceAtLimit } = require('../../signals/disk');
const { OFTEN_SWAPPED_PER_SEC } = require('../../signals/paging');

/**
 * @import { CauseCandidate, Cause } from '../cause'
 * @import { Finding } from '../../base/pure/finding'
 * @import { Metrics } from '../../server/pure/metrics'
 */

/**
 * Application threads that wait for a limited disk on average; fewer do not keep it at its limit
 * (heuristic).
 */
const WAITING_THREADS = 2;
/** A disk that did so many times as much before has used up its burst credits (heuristic). */
const FALLEN_RATIO = 1.5;
/** A rate that is nearer to a published limit than this share of it is that limit (heuristic). */
const NEAR_RATIO = 0.02;
/**
 * Limits of common cloud volumes, in requests a second.
 * @see AWS, Amazon EBS volume types (gp3, gp2); Azure, Managed disk types (premium SSD)
 */
const PUBLISHED = Object.freeze([
  { perSec: 3000, what: 'the baseline of AWS gp3 volumes, and the burst of small gp2 ones' },
  { perSec: 16_000, what: 'the maximum of AWS gp2 volumes' },
  { perSec: 500, what: 'the limit of Azure P10 disks' },
  { perSec: 1100, what: 'the limit of Azure P15 disks' },
  { perSec: 2300, what: 'the limit of Azure P20 disks' },
  { perSec: 5000, what: 'the limit of Azure P30 disks' },
  { perSec: 7500, what: 'the limit of Azure P40 and P50 disks' },
]);

/** Whether clients, or the disk's queue, keep it busy all the time. @param {Metrics} metrics */
const isWaitedFor = (metrics) =>
  isDeviceAtLimit(metrics) === true ||
  ((metrics['clients.readingThreads'] ?? 0) >= WAITING_THREADS &&
    (metrics['eviction.pageReadMs'] ?? 0) >= LIMIT_MS);

/**
 * The disk does the same amount in each second: a volume, an instance or a container has a limit.
 * @type {CauseCandidate}
 */
const diskLimit = {
  kind: 'disk-limit',
  of: ['disk', 'cache-read', 'cache-dirty', 'checkpoint', 'eviction-threads', 'unknown'],
  examine(metrics) {
    const { 'disk.flatRequestsPerSec': requests, 'disk.flatBytesPerSec': perSec } = metrics;
    if ((requests === undefined && perSec === undefined) || !isWaitedFor(metrics)) return null;
    const isFallen = (metrics['disk.flatFallRatio'] ?? 0) >= FALLEN_RATIO;
    return {
      say: `the disk is at its limit: ${rateText(metrics)} in each second, no more`,
      share: null,
      evidence: limitEvidence(metrics),
      remedy: isFallen
        ? 'Burst credits are used up: wait for new ones, or use a volume whose rate is guaranteed.'
        : 'Raise the limit: IOPS or MB/s of the volume, of the instance type, or of the container ' +
          '(io.max); or use a faster disk.',
    };
  },
};

/** @param {Metrics} metrics */
const rateText = ({ 'disk.flatRequestsPerSec': requests, 'disk.flatBytesPerSec': perSec }) =>
  requests === undefined ? bytes(perSec) : many(requests, 'request');

/** @param {Metrics} metrics @returns {string[]} */
function limitEvidence(metrics) {
  const {
    'disk.flatRequestsPerSec': requests,
    'disk.flatSeconds': seconds = 0,
    'disk.flatFallRatio': fell = 0,
    'clients.readingThreads': threads = 0,
    'eviction.pageReadMs': pageMs = 0,
  } = metrics;
  const near = PUBLISHED.find(
    ({ perSec }) => Math.abs((requests ?? NaN) - perSec) <= perSec * NEAR_RATIO,
  );
  return [
    `the same rate for ${many(seconds, 'second')}`,
    ...(threads >= WAITING_THREADS
      ? [`${count(threads)} application threads wait for page reads of ${duration(pageMs)}`]
      : []),
    ...(fell >= FALLEN_RATIO ? [`${count(fell)} times as much before`] : []),
    ...(near === undefined ? [] : [`${count(near.perSec)}/s is ${near.what}`]),
  ];
}

/** Memory beside the cache; less is usual (heuristic). */
const MUCH_BYTES = GiB;
/** A process is large from this share of mongod's memory on (heuristic). */
const MUCH_RATIO = 0.3;
/** The stack and buffers of one connection (manual, maxIncomingConnections). */
const CONNECTION_BYTES = MiB;

/** The machine swaps, and mongod uses much beside its cache. @type {CauseCandidate} */
const memoryBesideCache = {
  kind: 'memory-beside-cache',
  of: 'any',
  examine(metrics) {
    const {
      'memory.swapInPagesPerSec': swapped = 0,
      'process.otherBytes': other = 0,
      'process.residentBytes': resident = Infinity,
    } = metrics;
    if (swapped < OFTEN_SWAPPED_PER_SEC || other < MUCH_BYTES || other < MUCH_RATIO * resident)
      return null;
    const parts = partsOfMemory(metrics, other);
    return {
      say: `the machine swaps, and mongod uses ${bytes(other)} beside its cache`,
      share: null,
      evidence: [
        `${many(swapped, 'page')}/s read from swap`,
        ...parts.map(({ what, size }) => `${bytes(size)}: ${what}`),
      ],
      remedy: parts[0].remedy,
    };
  },
};

/**
 * @param {Metrics} metrics
 * @param {number} other bytes beside the cache
 * @returns {{ what: string, size: number, remedy: string }[]} the largest first
 */
function partsOfMemory(metrics, other) {
  const free = Math.min(metrics['process.freeHeapBytes'] ?? 0, other);
  const connections = Math.min((metrics['connections.open'] ?? 0) * CONNECTION_BYTES, other - free);
  return [
    {
      what: 'free in the allocator',
      size: free,
      remedy:
        'Let the allocator return it: db.adminCommand({ setParameter: 1, tcmallocReleaseRate: 10 }).',
    },
    {
      what: 'connections, at 1 MiB each',
      size: connections,
      remedy: 'Make the connection pools of the applications smaller (maxPoolSize).',
    },
    {
      what: 'sorts, index builds, aggregations and all else',
      size: other - free - connections,
      remedy:
        'Find the operations that use it: tune.who(), db.currentOp(). tune.defects() names leaks of ' +
        'this release.',
    },
  ]
    .filter(({ size }) => size > 0)
    .toSorted((a, b) => b.size - a.size);
}

/** A container that lacks memory uses this share of its limit (heuristic). */
const FULL_RATIO = 0.9;

/**
 * mongod sizes its cache by the RAM that it sees; a limit of its control group that is lower makes the
 * kernel reclaim its file pages again and again.
 * @param {readonly Finding[]} findings about the machine
 * @returns {Cause | null}
 */
function containerLimit(findings) {
  const found = findings.find(
    ({ rule, code }) => rule === 'host-memory-limit' && code === 'too-large',
  );
  if (found === undefined) return null;
  const { limitBytes, usedBytes, cacheBytes } = /** @type {Record<string, number>} */ (
    found.values
  );
  if (usedBytes !== null && usedBytes < FULL_RATIO * limitBytes) return null;
  return {
    kind: 'container-limit',
    say:
      `mongod may use ${bytes(limitBytes)} of memory (container or systemd unit), and its cache alone ` +
      `is ${bytes(cacheBytes)}`,
    share: null,
    evidence: usedBytes === null ? [] : [`${percent(usedBytes / limitBytes)} of the limit is used`],
    remedy: found.advice ?? 'Set cacheSizeGB for the limit, or raise the limit.',
  };
}

module.exports = { diskLimit, memoryBesideCache, containerLimit };
