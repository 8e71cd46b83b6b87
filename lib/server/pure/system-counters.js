'use strict';

/**
 * @import { Spelling } from './counters'
 */

/**
 * What diagnostic data tells of the machine (the section `systemMetrics`, beside serverStatus;
 * Linux only): a second map, with names that no server status has. mongod looks once a second
 * (diagnosticDataCollectionPeriodMillis) and answers with its last sample.
 *
 * @typedef {{ kind: 'counter' | 'gauge' | 'moment', terms: readonly (readonly Spelling[])[] }}
 *   SystemDefinition a sum: each term is
 *   looked up by the first of its spellings that is present; without any term there is no value
 */

const KIB = 2 ** 10;
const SECTOR_BYTES = 512;

/** @param {string} dotted below systemMetrics @param {number} [scale] @returns {Spelling} */
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
  'system.atMs': /** @type {SystemDefinition} */ ({ kind: 'moment', terms: [[at('start')]] }),
  // Of the whole machine, all processors together, also where the server runs in a container.
  'system.cpuUserMs': counter(at('cpu.user_ms'), at('cpu.nice_ms')),
  'system.cpuSystemMs': counter(at('cpu.system_ms'), at('cpu.irq_ms'), at('cpu.softirq_ms')),
  'system.cpuIdleMs': counter(at('cpu.idle_ms')),
  'system.cpuIowaitMs': counter(at('cpu.iowait_ms')),
  'system.cpuStealMs': counter(at('cpu.steal_ms')),
  'system.cpus': gauge(at('cpu.num_logical_cores'), at('cpu.num_cpus')),
  'system.runningTasks': gauge(at('cpu.procs_running')),
  'system.blockedTasks': gauge(at('cpu.procs_blocked')),
  'system.cpuPressureMicros': pressure('cpu'),
  'system.ioPressureMicros': pressure('io'),
  'system.memoryPressureMicros': pressure('memory'),
  'system.memoryBytes': gauge(at('memory.MemTotal_kb', KIB)),
  // Not told before 4.4; what is free is no substitute, for the page cache is available too.
  'system.availableBytes': gauge(at('memory.MemAvailable_kb', KIB)),
  'system.pageCacheBytes': gauge(at('memory.Cached_kb', KIB)),
  'system.unwrittenBytes': gauge(at('memory.Dirty_kb', KIB)),
  'system.swapBytes': gauge(at('memory.SwapTotal_kb', KIB)),
  'system.swapFreeBytes': gauge(at('memory.SwapFree_kb', KIB)),
  'system.majorFaults': counter(at('vmstat.pgmajfault')),
  'system.swappedInPages': counter(at('vmstat.pswpin')),
});

/**
 * Of each disk, which mongod finds in /sys/block: those with a device of their own, so no
 * partition, no loop, no LVM or RAID on top of others, and nothing twice; but no network file
 * system either. `field`: of its entry in `disks`.
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
/** @typedef {`${DiskCounter}@${string}`} MetricOfDisk such as `disk.reads@sda` */

const OF = '@';
/** @param {DiskCounter} metric @param {string} disk @returns {MetricOfDisk} */
const ofDisk = (metric, disk) => `${metric}${OF}${disk}`;

/** @param {object} counters @returns {string[]} the disks that a sample tells of */
const disksIn = (counters) =>
  Object.keys(counters).flatMap((name) =>
    name.startsWith(`disk.busyMs${OF}`) ? [name.slice(name.indexOf(OF) + 1)] : [],
  );

module.exports = { SYSTEM_COUNTERS, DISK_COUNTERS, ofDisk, disksIn };
