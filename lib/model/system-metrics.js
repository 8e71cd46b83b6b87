'use strict';

/**
 * What diagnostic data tells of the machine (the section `systemMetrics`, beside serverStatus; Linux only): a second map, with
 * names that no server status has. Each is a sum: `*` in a path stands for every key, so a disk metric is the sum over all disks,
 * of which one usually does nearly all the work.
 *
 * @typedef {import('./metrics').Spelling} Spelling
 * @typedef {{ kind: 'counter' | 'gauge', terms: readonly (readonly Spelling[])[] }} SystemDefinition each term is looked up by the
 *   first of its spellings that is present; without any term there is no value
 */

const KIB = 2 ** 10;
const SECTOR_BYTES = 512;

/** @param {string} dotted below systemMetrics @param {number} [scale] @returns {Spelling} */
const at = (dotted, scale = 1) => ({ path: ['systemMetrics', ...dotted.split('.')], scale });
/** @param {...Spelling} spellings one figure by its names, the newest first @returns {SystemDefinition} */
const gauge = (...spellings) => ({ kind: 'gauge', terms: [spellings] });
/** @param {...Spelling} parts that add up @returns {SystemDefinition} */
const counter = (...parts) => ({ kind: 'counter', terms: parts.map((part) => [part]) });
/** @param {string} name @param {number} [scale] */
const disks = (name, scale) => counter(at(`disks.*.${name}`, scale));
/** Time in which at least one task waited for it; kernels since 4.20. @param {string} what */
const pressure = (what) => counter(at(`pressure.${what}.some.totalMicros`));

const SYSTEM_METRICS = Object.freeze({
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
  'disk.reads': disks('reads'),
  'disk.readMs': disks('read_time_ms'),
  'disk.readBytes': disks('read_sectors', SECTOR_BYTES),
  'disk.writes': disks('writes'),
  'disk.writeMs': disks('write_time_ms'),
  'disk.writtenBytes': disks('write_sectors', SECTOR_BYTES),
  'disk.busyMs': disks('io_time_ms'),
  'disk.queuedMs': disks('io_queued_ms'),
  'disk.inProgress': /** @type {SystemDefinition} */ ({ kind: 'gauge', terms: [[at('disks.*.io_in_progress')]] }),
});

/** @typedef {keyof typeof SYSTEM_METRICS} SystemMetric */

/** @param {any} doc @param {readonly string[]} path where `*` stands for every key @returns {unknown[]} all that is there */
function valuesAt(doc, [key, ...rest]) {
  if (key === undefined) return [doc];
  if (doc === null || typeof doc !== 'object') return [];
  return key === '*' ? Object.values(doc).flatMap((value) => valuesAt(value, rest)) : valuesAt(doc[key], rest);
}

module.exports = { SYSTEM_METRICS, valuesAt };
