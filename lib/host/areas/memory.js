'use strict';

const { GiB, MiB } = require('../../base/pure/units');
const { HostFileError, latest, span } = require('../snapshot');
const {
  meminfo,
  serverFile,
  statusIn,
  kbToBytes,
  statusOf,
  groupsOf,
  tightest,
  numbersIn,
} = require('../process-files');

/**
 * @import { Tightest } from '../process-files'
 * @import { Area, Gathered, Subject } from '../snapshot'
 * @import { Mongod } from '../pure/host'
 */

const VMSTAT = '/proc/vmstat';
// Without a limit version 1 reports the largest number of pages, some 8 EiB.
const NO_LIMIT_BYTES = 2 ** 60;
const OTHERS = 5;

/** The memory of the machine, and the processes that use it. @type {Area} */
const AREA = {
  snap: (snapshot) => Promise.allSettled([meminfo(snapshot), snapshot.text(VMSTAT)]),
  values(snapshots, subject) {
    const snapshot = latest(snapshots);
    const limit = async () => (await limitOf(snapshot, subject)) ?? noLimit();
    return {
      'memory.totalBytes': async () => (await meminfo(snapshot)).MemTotal,
      'memory.availableBytes': async () => (await meminfo(snapshot)).MemAvailable,
      'memory.swapBytes': async () => (await meminfo(snapshot)).SwapTotal,
      'memory.swapUsedBytes': async () => {
        const { SwapTotal, SwapFree } = await meminfo(snapshot);
        return SwapTotal - SwapFree;
      },
      'memory.swapInPagesPerSec': () => swapInPagesPerSec(snapshots),
      'memory.serverSwappedBytes': async () =>
        kbToBytes((await statusIn(snapshot, serverFile(subject, 'status'))).VmSwap),
      'memory.mongods': () => mongodsIn(snapshot, subject),
      'memory.others': async () =>
        (await processesIn(snapshot))
          .filter(({ name, pid }) => name !== 'mongod' && pid !== subject.pid)
          .slice(0, OTHERS)
          .map(({ name, residentBytes }) => ({ name, residentBytes })),
      'memory.cgroupVersion': async () => (await groupsOf(snapshot, subject, 'memory')).version,
      'memory.isLimited': async () => (await limitOf(snapshot, subject)) !== null,
      'memory.limitBytes': async () => (await limit()).limit,
      'memory.limitUsedBytes': async () => {
        const { version } = await groupsOf(snapshot, subject, 'memory');
        return (
          await numbersIn(
            snapshot,
            `${(await limit()).folder}/${version === 2 ? 'memory.current' : 'memory.usage_in_bytes'}`,
          )
        )?.[0];
      },
    };
  },
};

/**
 * Explains why the number of bytes is unknown.
 * @returns {never}
 */
function noLimit() {
  throw new HostFileError('no limit is set');
}

/**
 * Finds the tightest memory limit of mongod's control groups.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<Tightest | null>} above memory.high the kernel slows a group down, above
 *   memory.max it kills
 */
async function limitOf(snapshot, subject) {
  const cgroups = await groupsOf(snapshot, subject, 'memory');
  const files = cgroups.version === 2 ? ['memory.max', 'memory.high'] : ['memory.limit_in_bytes'];
  return tightest(cgroups, async (folder) => {
    const limits = await Promise.all(files.map((file) => numbersIn(snapshot, `${folder}/${file}`)));
    const set = limits
      .flatMap((numbers) => numbers ?? [])
      .filter((bytes) => bytes < NO_LIMIT_BYTES);
    return set.length === 0 ? null : Math.min(...set);
  });
}

/**
 * Counts pages that are read back from swap.
 * @param {readonly Gathered[]} snapshots
 * @returns {Promise<number>}
 */
async function swapInPagesPerSec(snapshots) {
  const [first, last, seconds] = span(snapshots);
  const [before, after] = await Promise.all(
    [first, last].map(async (snapshot) => pagesIn(await snapshot.text(VMSTAT), 'pswpin')),
  );
  return (after - before) / seconds;
}

/**
 * Reads a counter of /proc/vmstat.
 * @param {string} text
 * @param {string} name
 * @returns {number}
 */
function pagesIn(text, name) {
  const [, pages] = new RegExp(`^${name} (\\d+)$`, 'm').exec(text) ?? [];
  if (pages === undefined) throw new HostFileError(`${VMSTAT} does not report ${name}`);
  return Number(pages);
}

/**
 * Finds all mongods of the machine, with their caches.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<Mongod[]>}
 */
async function mongodsIn(snapshot, subject) {
  const { MemTotal } = await meminfo(snapshot);
  const found = (await processesIn(snapshot)).filter(
    ({ name, pid }) => name === 'mongod' || pid === subject.pid,
  );
  return Promise.all(
    found.map(async ({ pid, residentBytes }) => ({
      pid,
      residentBytes,
      cacheBytes: await cacheOf(snapshot, pid, MemTotal),
      isOurs: pid === subject.pid,
    })),
  );
}

/**
 * A database host has a few hundred processes; more than this many are not read (heuristic).
 * @typedef {{ pid: number, name: string, residentBytes: number }} Process
 */

// A database host has a few hundred; more than this many are not read (heuristic).
const PROCESSES_MAX = 4000;

/**
 * Reads all processes that have memory.
 * @param {Gathered} snapshot
 * @returns {Promise<Process[]>} the largest first; kernel threads have no memory and are left out
 */
async function processesIn(snapshot) {
  const pids = (await snapshot.list('/proc'))
    .filter((name) => /^\d+$/.test(name))
    .slice(0, PROCESSES_MAX)
    .map(Number);
  const found = await Promise.all(pids.map((pid) => processIn(snapshot, pid)));
  return found.flat().sort((a, b) => b.residentBytes - a.residentBytes);
}

/**
 * Reads one process, as far as this user may.
 * @param {Gathered} snapshot
 * @param {number} pid
 * @returns {Promise<Process[]>} empty when the process has ended meanwhile or is hidden
 */
async function processIn(snapshot, pid) {
  try {
    const status = statusOf(`/proc/${pid}/status`, await snapshot.passing(`/proc/${pid}/status`));
    const residentBytes = kbToBytes(status.VmRSS);
    return residentBytes === undefined ? [] : [{ pid, name: status.Name, residentBytes }];
  } catch (error) {
    if (error instanceof HostFileError) return [];
    throw error;
  }
}

// The server's default: half of the memory above 1 GiB, at least 256 MiB; a share stays between 256
// MiB and 80% (manual, storage.wiredTiger.engineConfig).
const DEFAULT_SHARE = 0.5;
const MIN_BYTES = 256 * MiB;
const MAX_SHARE = 0.8;
const PERCENT = 0.01;

/**
 * Finds the cache size that another mongod of this machine was given.
 * @param {Gathered} snapshot @param {number} pid @param {number} memoryBytes
 * @returns {Promise<number | null>} null where its configuration cannot be read
 */
async function cacheOf(snapshot, pid, memoryBytes) {
  try {
    const args = (await snapshot.text(`/proc/${pid}/cmdline`)).split('\0');
    const text = [...args, await configIn(snapshot, args)].join('\n');
    return cacheIn(text, memoryBytes);
  } catch (error) {
    if (error instanceof HostFileError) return null;
    throw error;
  }
}

/**
 * Reads the configuration file that a command line names, without its comments.
 * @param {Gathered} snapshot
 * @param {readonly string[]} args
 * @returns {Promise<string>}
 */
async function configIn(snapshot, args) {
  const at = args.findIndex((arg) => /^(-f|--config)(=|$)/.test(arg));
  if (at < 0) return '';
  const path = args[at].includes('=')
    ? args[at].slice(args[at].indexOf('=') + 1)
    : (args[at + 1] ?? '');
  if (!path.startsWith('/')) throw new HostFileError(`${path} is not an absolute path`);
  return (await snapshot.text(path)).replace(/(^|\s)#.*$/gm, '');
}

/**
 * Finds the cache size in options, or computes the default.
 * @param {string} text options, YAML or the old form, the command line first: the first one wins
 * @param {number} memoryBytes
 */
function cacheIn(text, memoryBytes) {
  const value = (/** @type {string} */ name) =>
    Number(new RegExp(`${name}["']?\\s*[:=]?\\s*["']?([\\d.]+)`, 'i').exec(text)?.[1] ?? NaN);
  const [gigabytes, percent] = [value('cacheSizeGB'), value('cacheSizePct')];
  if (gigabytes > 0) return Math.round(gigabytes * GiB);
  if (percent > 0)
    return Math.round(Math.max(MIN_BYTES, Math.min(MAX_SHARE, percent * PERCENT) * memoryBytes));
  return Math.round(Math.max(MIN_BYTES, DEFAULT_SHARE * (memoryBytes - GiB)));
}

module.exports = { ...AREA, limitOf };
