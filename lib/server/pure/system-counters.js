'use strict';

const { KiB } = require('../../base/pure/units');

/**
 * @import { Spelling } from './counter-parts'
 */

/**
 * THE dictionary of diagnostic data about the machine (the section `systemMetrics` beside
 * serverStatus; Linux only), for tune.advise(), tune.host() and recordings alike. Names are those
 * of the host's values (host/pure/host.js). mongod samples once a second
 * (diagnosticDataCollectionPeriodMillis) and answers with its last sample.
 *
 * @typedef {{ kind: 'counter' | 'gauge' | 'moment', terms: readonly (readonly Spelling[])[] }}
 *   SystemDefinition a sum: each term is
 *   looked up by the first of its spellings that is present; without any term there is no value
 */

const SECTOR_BYTES = 512;

/** @param {string} dotted a path below systemMetrics @param {number} [scale] @returns {Spelling} */
const at = (dotted, scale = 1) => ({ path: ['systemMetrics', ...dotted.split('.')], scale });
/**
 * @param {...Spelling} spellings one figure by its names, the newest first
 * @returns {SystemDefinition}
 */
const gauge = (...spellings) => ({ kind: 'gauge', terms: [spellings] });
/** @param {...Spelling} parts that add up @returns {SystemDefinition} */
const counter = (...parts) => ({ kind: 'counter', terms: parts.map((part) => [part]) });
/** @param {string} field @param {number} [scale] */
const ofEach = (field, scale = 1) => ({ field, scale });
/** Time in which at least one task waited for it; kernels since 4.20. @param {string} what */
const pressure = (what) => counter(at(`pressure.${what}.some.totalMicros`));

const SYSTEM_COUNTERS = Object.freeze({
  // When this was so: ms since 1970, by the server's clock. It may be long ago where the collection
  // is switched off.
  'diagnostics.atMs': /** @type {SystemDefinition} */ ({ kind: 'moment', terms: [[at('start')]] }),
  // These count all CPUs of the machine together, also where the server runs in a container.
  'cpu.userMs': counter(at('cpu.user_ms'), at('cpu.nice_ms')),
  'cpu.systemMs': counter(at('cpu.system_ms'), at('cpu.irq_ms'), at('cpu.softirq_ms')),
  'cpu.idleMs': counter(at('cpu.idle_ms')),
  'cpu.iowaitMs': counter(at('cpu.iowait_ms')),
  'cpu.stealMs': counter(at('cpu.steal_ms')),
  'cpu.logical': gauge(at('cpu.num_logical_cores'), at('cpu.num_cpus')),
  // The CPUs on which mongod may run.
  'cpu.allowed': gauge(at('cpu.num_cores_available_to_process')),
  'cpu.runningTasks': gauge(at('cpu.procs_running')),
  'cpu.blockedTasks': gauge(at('cpu.procs_blocked')),
  'pressure.cpuMicros': pressure('cpu'),
  'pressure.ioMicros': pressure('io'),
  'pressure.memoryMicros': pressure('memory'),
  'memory.totalBytes': gauge(at('memory.MemTotal_kb', KiB)),
  // Absent before 4.4; free memory is no substitute, for the page cache is available too.
  'memory.availableBytes': gauge(at('memory.MemAvailable_kb', KiB)),
  'memory.pageCacheBytes': gauge(at('memory.Cached_kb', KiB)),
  'writeback.dirtyPageBytes': gauge(at('memory.Dirty_kb', KiB)),
  'memory.swapBytes': gauge(at('memory.SwapTotal_kb', KiB)),
  'memory.swapFreeBytes': gauge(at('memory.SwapFree_kb', KiB)),
  'memory.majorFaults': counter(at('vmstat.pgmajfault')),
  'memory.swappedInPages': counter(at('vmstat.pswpin')),
  'memory.swappedOutPages': counter(at('vmstat.pswpout')),
});

/**
 * Counters of each disk that mongod finds in /sys/block: disks with their own device, so no
 * partition, no loop, no LVM or RAID on top of others, and none twice; but no network file system
 * either. `field`: the field of its entry in `disks`.
 */
const DISK_COUNTERS = Object.freeze({
  'disk.reads': ofEach('reads'),
  'disk.readMs': ofEach('read_time_ms'),
  'disk.readBytes': ofEach('read_sectors', SECTOR_BYTES),
  'disk.writes': ofEach('writes'),
  'disk.writeMs': ofEach('write_time_ms'),
  'disk.writtenBytes': ofEach('write_sectors', SECTOR_BYTES),
  'disk.busyMs': ofEach('io_time_ms'),
  'disk.queuedMs': ofEach('io_queued_ms'),
  'disk.inProgress': ofEach('io_in_progress'), // a gauge; all others are counters
});

/**
 * @typedef {keyof typeof SYSTEM_COUNTERS} SystemCounter
 * @typedef {keyof typeof DISK_COUNTERS} DiskCounter
 */
/**
 * @typedef {`${DiskCounter}@${string}`} MetricOfDisk such as `disk.reads@sda`
 * @typedef {`${keyof typeof MOUNT_COUNTERS}@${string}`} MetricOfMount such as `space.freeBytes@/data`
 */

/** Gauges of each mounted file system, by its path; only in diagnostic.data. */
const MOUNT_COUNTERS = Object.freeze({ 'space.freeBytes': ofEach('available') });

const OF = '@';
/** @param {DiskCounter} metric @param {string} disk @returns {MetricOfDisk} */
const ofDisk = (metric, disk) => `${metric}${OF}${disk}`;

/**
 * Free space of the file system that holds a folder.
 * @param {Readonly<Record<string, number | undefined>>} counters
 * @param {string} folder
 * @returns {number | undefined} of the innermost mount
 */
function freeSpaceOf(counters, folder) {
  const [prefix] = Object.keys(MOUNT_COUNTERS).map((name) => `${name}${OF}`);
  const holds = (/** @type {string} */ mount) =>
    folder === mount || folder.startsWith(mount.endsWith('/') ? mount : `${mount}/`);
  const mounts = Object.keys(counters)
    .filter((name) => name.startsWith(prefix) && holds(name.slice(prefix.length)))
    .sort((a, b) => b.length - a.length);
  return counters[mounts[0]];
}

/** @param {object} counters @returns {string[]} the disks in a sample */
const disksIn = (counters) =>
  Object.keys(counters).flatMap((name) =>
    name.startsWith(`disk.busyMs${OF}`) ? [name.slice(name.indexOf(OF) + 1)] : [],
  );

/**
 * Since 8.0 a sharded server groups its diagnostic data by roles; where several roles have a
 * section, the first of these counts.
 */
const ROLES = Object.freeze(['shard', 'common', 'config', 'router']);

/**
 * Finds the section about the machine.
 * @param {any} diagnostics the answer to getDiagnosticData
 * @returns {any} undefined where the server has none
 */
function systemMetricsOf(diagnostics) {
  const data = diagnostics?.data;
  return [data, ...ROLES.map((role) => data?.[role])].find((part) => part?.systemMetrics)
    ?.systemMetrics;
}

module.exports = {
  SYSTEM_COUNTERS,
  DISK_COUNTERS,
  MOUNT_COUNTERS,
  ROLES,
  ofDisk,
  freeSpaceOf,
  disksIn,
  systemMetricsOf,
};
