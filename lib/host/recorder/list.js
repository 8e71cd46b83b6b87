'use strict';

/**
 * Everything areas read, as patterns of the shell. What an area reads more has to be added here: a
 * test compares what the areas find in a recording with what they find on the machine itself.
 * `$PID` is mongod's process; `$CGROUPS` stands for each of its control groups.
 */

/** Read at every sample: what changes from second to second. */
const EACH_SNAPSHOT = Object.freeze([
  '/proc/stat',
  '/proc/meminfo',
  '/proc/vmstat',
  '/proc/diskstats',
  '/proc/softirqs',
  '/proc/interrupts',
  '/proc/net/dev',
  '/proc/$PID/stat',
  '/proc/$PID/status',
  '/proc/$PID/task/*/stat',
  '/proc/$PID/task/*/wchan',
  '$CGROUPS/cpu.stat',
]);

const CGROUP_FILES = Object.freeze([
  'memory.max',
  'memory.high',
  'memory.current',
  'memory.limit_in_bytes',
  'memory.usage_in_bytes',
  'cpu.max',
  'cpu.cfs_quota_us',
  'cpu.cfs_period_us',
]);

/** Read once. */
const ONCE = Object.freeze([
  '/etc/os-release',
  '/proc/cpuinfo',
  '/proc/uptime',
  '/proc/version',
  '/proc/self/mountinfo',
  '/proc/spl/kstat/zfs/arcstats',
  '/sys/module/zfs/parameters/*',
  '/proc/sys/vm/*',
  '/proc/sys/kernel/hostname',
  '/proc/sys/kernel/osrelease',
  '/proc/sys/kernel/arch',
  '/proc/sys/kernel/pid_max',
  '/proc/sys/kernel/threads-max',
  '/proc/sys/kernel/sched_*',
  '/proc/sys/fs/file-*',
  '/proc/sys/net/core/*',
  '/proc/sys/net/ipv4/tcp_*',
  '/proc/irq/*/smp_affinity_list',
  '/proc/irq/*/effective_affinity_list',
  '/proc/*/status',
  '/proc/*/comm',
  '/proc/$PID/limits',
  '/proc/$PID/maps',
  '/proc/$PID/cgroup',
  '/proc/$PID/mountinfo',
  '/proc/$PID/sched',
  '/proc/$PID/net/tcp',
  '/proc/$PID/net/tcp6',
  '/proc/$PID/net/route',
  '/proc/$PID/net/if_inet6',
  '/proc/$PID/net/dev',
  '/sys/kernel/mm/transparent_hugepage/*',
  '/sys/kernel/mm/transparent_hugepage/khugepaged/max_ptes_none',
  '/sys/kernel/debug/sched/features',
  '/sys/kernel/debug/sched_features',
  '/sys/devices/system/clocksource/clocksource0/*_clocksource',
  '/sys/devices/system/node/node*/cpulist',
  '/sys/devices/system/node/*',
  '/sys/devices/system/cpu/*',
  '/sys/devices/system/cpu/smt/*',
  '/sys/devices/system/cpu/cpu*/topology/*',
  '/sys/devices/system/cpu/cpufreq/policy*/scaling_*',
  '/sys/devices/system/cpu/cpu*/cpufreq/scaling_*',
  '/sys/class/net/*/*',
  '/sys/class/net/*/queues/rx-*/rps_*',
  '/sys/block/*/dev',
  '/sys/block/*/size',
  '/sys/block/*/queue/*',
  '/sys/block/*/device/model',
  '/sys/block/*/device/vendor',
  '/sys/block/*/dm/name',
  '/sys/block/*/slaves/*/dev',
  '/sys/block/*/md/level',
  ...CGROUP_FILES.map((name) => `$CGROUPS/${name}`),
]);

const LINKS = Object.freeze([
  '/proc/$PID/cwd',
  '/proc/$PID/root',
  '/proc/$PID/ns/net',
  '/proc/self/ns/net',
  '/sys/class/net/*/device',
  '/sys/class/net/*/device/driver',
]);

/** A kernel on more nodes than one walks all memory of a process to write this. */
const ON_SEVERAL_NODES = Object.freeze(['/proc/$PID/numa_maps']);

module.exports = { EACH_SNAPSHOT, ONCE, LINKS, ON_SEVERAL_NODES };
