'use strict';

/**
 * What is known of the machine under a server: one flat map of values by their names, units in the
 * names, so that a rule declares what it needs as it does with readings. What is not known is
 * absent, and `unknown` says why.
 *
 * @typedef {{ name: string, rpsFlowCnt: number | null, rpsCpus: string | null }} ReceiveQueue
 *   `rx-0`; `rpsCpus`: the mask as the kernel writes it
 * @typedef {{
 *   irq: number, name: string, cpus: string, effectiveCpus: string | null, perSec: number | null
 * }} Interrupt `cpus`: smp_affinity_list;
 *   `effectiveCpus`: where the kernel delivers it (since Linux 4.15)
 * @typedef {{ target: string, governor: string }} Governor `target`: the file that holds it
 * @typedef {{ soft: number | null, hard: number | null }} Limit null: unlimited
 * @typedef {{ pid: number, residentBytes: number, cacheBytes: number | null, isOurs: boolean }}
 *   Mongod `cacheBytes`: as given on its command line or in its
 *   configuration, or the server's default; null: not known
 * @typedef {{ name: string, residentBytes: number }} OtherProcess
 * @typedef {{ wchan: string | null, threads: number, names: string[] }} BlockedThreads threads in
 *   state D, by the kernel function they wait in, null where
 *   only its owner may read it; the mean of the samples
 * @typedef {{
 *   writtenBytesPerSec: number, readBytesPerSec: number, writesPerSec: number,
 *   busyRatio: number, queue: number
 * }} DiskSecond from one sample to
 *   the next
 * @typedef {{ target: string, active: string, available: readonly string[] }} Scheduler of one
 *   disk; `target`: the file that sets it
 *
 * @typedef {{
 *   'os.name': string, 'os.architecture': string, 'os.hostname': string, 'kernel.release': string,
 *   'kernel.number': number, 'kernel.isEevdf': boolean, 'kernel.wakeupPreemption': boolean,
 *   'kernel.features': 'readable' | 'not permitted' | 'not mounted',
 *   'server.versionNumber': number, 'server.cacheBytes': number, 'server.slowestDiskMs': number,
 *   'writeback.dirtyBytes': number, 'writeback.dirtyBackgroundBytes': number,
 *   'writeback.dirtyRatioPercent': number, 'writeback.dirtyBackgroundRatioPercent': number,
 *   'writeback.limitBytes': number, 'writeback.backgroundBytes': number,
 *   'writeback.isByBytes': boolean, 'writeback.expireMs': number, 'writeback.wakeMs': number,
 *   'writeback.dirtyPageBytes': number, 'writeback.dirtyPageBytesMax': number,
 *   'memory.totalBytes': number, 'memory.availableBytes': number, 'memory.limitBytes': number,
 *   'memory.limitUsedBytes': number, 'memory.cgroupVersion': number, 'memory.isLimited': boolean,
 *   'memory.swapBytes': number, 'memory.swapUsedBytes': number, 'memory.swapInPagesPerSec': number,
 *   'memory.serverSwappedBytes': number, 'memory.mongods': readonly Mongod[],
 *   'memory.others': readonly OtherProcess[], 'memory.swappiness': number,
 *   'memory.overcommit': number, 'numa.nodes': number, 'numa.isInterleaved': boolean,
 *   'numa.zoneReclaim': number, 'thp.enabled': string, 'thp.defrag': string,
 *   'thp.maxPtesNone': number, 'process.isThpAllowed': boolean, 'process.rseqTunable': string,
 *   'process.files': Limit, 'process.processes': Limit, 'process.openFiles': number,
 *   'process.threads': number, 'process.maps': number, 'process.unit': string,
 *   'sysctl.maxMapCount': number, 'sysctl.fileMax': number, 'sysctl.pidMax': number,
 *   'sysctl.threadsMax': number, 'sysctl.somaxconn': number, 'sysctl.tcpKeepaliveSeconds': number,
 *   'clock.source': string, 'clock.available': readonly string[], 'cpu.logical': number,
 *   'cpu.online': readonly number[], 'cpu.cores': number, 'cpu.threadsPerCore': number,
 *   'cpu.model': string, 'cpu.allowed': number, 'cpu.hasQuota': boolean, 'cpu.quotaCores': number,
 *   'cpu.busyRatio': number, 'cpu.iowaitRatio': number, 'cpu.stealRatio': number,
 *   'cpu.throttledRatio': number, 'cpu.busyOfEach': readonly number[],
 *   'cpu.governors': readonly Governor[], 'cpu.allowedBusyRatio': number,
 *   'cpu.serverRatio': number, 'cpu.frequencyDriver': string, 'network.interface': string,
 *   'network.isPhysical': boolean, 'network.driver': string,
 *   'network.queues': readonly ReceiveQueue[], 'network.rpsSockFlowEntries': number,
 *   'network.softirqOfEach': readonly number[], 'network.receivedOfEach': readonly number[],
 *   'network.packetsPerSec': number, 'network.interrupts': readonly Interrupt[],
 *   'network.speedMbitPerSec': number, 'files.path': string, 'files.type': string,
 *   'files.device': string, 'files.mountPoint': string, 'files.options': readonly string[],
 *   'files.totalBytes': number, 'files.freeBytes': number,
 *   'files.blocked': readonly BlockedThreads[], 'zfs.recordBytes': number,
 *   'zfs.compression': string, 'zfs.ashift': number, 'zfs.atime': string,
 *   'zfs.arcMaxBytes': number, 'zfs.arcBytes': number, 'zfs.primaryCache': string,
 *   'zfs.sync': string, 'disk.name': string, 'disk.members': readonly string[],
 *   'disk.isRotational': boolean, 'disk.schedulers': readonly Scheduler[],
 *   'disk.readAheadBytes': number, 'disk.model': string, 'disk.readMs': number,
 *   'disk.writeMs': number, 'disk.queue': number, 'disk.busyRatio': number,
 *   'disk.readBytesPerSec': number, 'disk.writtenBytesPerSec': number, 'disk.readsPerSec': number,
 *   'disk.writesPerSec': number, 'disk.seconds': readonly DiskSecond[],
 * }} HostValues `…OfEach`: one number a CPU, in the order of their numbers (`softirqOfEach`: share
 *   of its time, `receivedOfEach`: NET_RX a second);
 *   `cpu.serverRatio`: mongod's own share of all CPUs; `process.rseqTunable`: what
 *   GLIBC_TUNABLES sets, empty for nothing;
 *   `disk.name`: the whole disk, or the stack (LVM, md) over `disk.members`; `kernel.features`:
 *   whether the scheduler's features can be read in debugfs;
 *   `kernel.number`: 6.12.3 → 6012; `writeback.limitBytes`, `backgroundBytes`: what is in effect,
 *   computed from bytes or percent
 *
 * @typedef {keyof HostValues} HostValue
 * @typedef {{ values: Partial<HostValues>, unknown: Partial<Record<HostValue, string>> }} HostPart
 *   `unknown`: why, for those that are not in `values`
 *
 * Where the figures come from, and how we know.
 * @typedef {{
 *   kind: 'here' | 'here-container' | 'file' | 'elsewhere', say: string, pid: number | null,
 * }} Place `here`: mongod is a process of this machine; `here-container`: so it is, in a container;
 *   `elsewhere`: only what the server reports is
 *   known; `pid`: as this machine counts
 */

/**
 * Joins the values that several sources know of a machine.
 * @param {...HostPart} parts
 * @returns {HostPart} a value of an earlier part wins
 */
function mergeHost(...parts) {
  /** @type {HostPart} */
  const whole = { values: {}, unknown: {} };
  for (const { values, unknown } of parts) {
    Object.assign(whole.values, { ...values, ...whole.values });
    Object.assign(whole.unknown, { ...unknown, ...whole.unknown });
  }
  for (const name of Object.keys(whole.values))
    delete whole.unknown[/** @type {HostValue} */ (name)];
  return whole;
}

/**
 * Names values of a host in words, for the sentence "Not known: …": all values that a rule needs.
 * Ids stay in the data of a finding.
 * @type {Readonly<Record<string, string>>}
 */
const HOST_WORDS = Object.freeze({
  'clock.source': 'clock source of the kernel',
  'cpu.allowed': 'CPUs that mongod may use',
  'cpu.busyRatio': 'CPU use of the machine',
  'cpu.governors': 'CPU frequency governors',
  'cpu.hasQuota': 'CPU quota of mongod',
  'cpu.logical': 'number of CPUs',
  'cpu.stealRatio': 'CPU steal time',
  'cpu.throttledRatio': 'CPU throttling of mongod',
  'disk.busyRatio': 'use of the disk under dbPath',
  'disk.name': 'disk under dbPath',
  'disk.queue': 'queue of the disk under dbPath',
  'disk.readAheadBytes': 'read-ahead of the disk',
  'disk.readsPerSec': 'disk reads',
  'disk.schedulers': 'I/O schedulers',
  'disk.seconds': 'disk use per second',
  'disk.writesPerSec': 'disk writes',
  'files.blocked': 'mongod threads waiting in the kernel',
  'files.device': 'device under dbPath',
  'files.freeBytes': 'free disk space',
  'files.mountPoint': 'mount point of dbPath',
  'files.options': 'mount options of dbPath',
  'files.totalBytes': 'size of the file system',
  'files.type': 'file system of dbPath',
  'kernel.isEevdf': 'scheduler of the kernel',
  'kernel.number': 'kernel release',
  'kernel.release': 'kernel release',
  'memory.availableBytes': 'available RAM',
  'memory.isLimited': 'memory limit of mongod',
  'memory.mongods': 'mongod processes on this host',
  'memory.overcommit': 'vm.overcommit_memory',
  'memory.swapBytes': 'size of swap',
  'memory.swapInPagesPerSec': 'pages read from swap',
  'memory.swappiness': 'vm.swappiness',
  'memory.totalBytes': 'RAM of the machine',
  'network.interface': 'network interface of the clients',
  'network.interrupts': 'network interrupts',
  'network.isPhysical': 'kind of the network interface',
  'network.packetsPerSec': 'packets received',
  'network.queues': 'receive queues of the network interface',
  'network.receivedOfEach': 'packets received per CPU',
  'network.softirqOfEach': 'softirq time per CPU',
  'numa.nodes': 'NUMA nodes',
  'numa.zoneReclaim': 'vm.zone_reclaim_mode',
  'process.files': 'open-files limit of mongod',
  'process.processes': 'thread limit of mongod',
  'process.rseqTunable': 'GLIBC_TUNABLES of mongod',
  'server.cacheBytes': 'cache size of mongod',
  'server.versionNumber': 'MongoDB release',
  'sysctl.fileMax': 'fs.file-max',
  'sysctl.maxMapCount': 'vm.max_map_count',
  'sysctl.pidMax': 'kernel.pid_max',
  'sysctl.somaxconn': 'net.core.somaxconn',
  'sysctl.tcpKeepaliveSeconds': 'net.ipv4.tcp_keepalive_time',
  'sysctl.threadsMax': 'kernel.threads-max',
  'thp.enabled': 'transparent huge pages',
  'writeback.backgroundBytes': 'background writeback limit of the kernel',
  'writeback.dirtyBackgroundBytes': 'vm.dirty_background_bytes',
  'writeback.dirtyBackgroundRatioPercent': 'vm.dirty_background_ratio',
  'writeback.dirtyBytes': 'vm.dirty_bytes',
  'writeback.dirtyRatioPercent': 'vm.dirty_ratio',
  'writeback.expireMs': 'vm.dirty_expire_centisecs',
  'writeback.limitBytes': 'writeback limit of the kernel',
  'writeback.wakeMs': 'vm.dirty_writeback_centisecs',
  'zfs.arcMaxBytes': 'maximum size of the ZFS ARC',
  'zfs.compression': 'ZFS compression',
  'zfs.recordBytes': 'ZFS recordsize',
});

/** Sets of CPUs in the kernel's form: `0-3,8`. */

// Kernels are built for at most 8192 CPUs; a larger number is no list of a kernel.
const MAX_CPUS = 65_536;

/** @param {string} list @returns {number[] | null} null: the text is no such list */
function parseCpuList(list) {
  const text = list.trim();
  if (text === '') return [];
  const cpus = [];
  for (const part of text.split(',')) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined || Number(last) >= MAX_CPUS) return null;
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.push(cpu);
  }
  return cpus;
}

module.exports = { mergeHost, HOST_WORDS, parseCpuList };
