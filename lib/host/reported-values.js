'use strict';

const { MiB } = require('../base/pure/units');
const { numberAt, textAt, withoutPort } = require('./ask-server');

/**
 * @import { HostValues } from './pure/host'
 */

/**
 * Reads what a server's own answers show of its machine: hostInfo, and the warnings of its start.
 */

/**
 * Start-up warnings show what mongod saw of its machine when it started: by their numbers, and some
 * by being absent. Numbers and fields: src/mongo/db/startup_warnings_mongod.cpp and
 * storage/wiredtiger of 4.4 to 8.0, and the output of servers of 6.0 to 8.2.
 *
 * @typedef {Partial<HostValues>} Values
 * @typedef {{ id: number, attr?: Record<string, any> }} Warning
 */

const THP = '/sys/kernel/mm/transparent_hugepage';
const NOT_XFS = 22297;
const NOT_INTERLEAVED = 22167;

/** @type {Readonly<Record<number, (attr: Record<string, any>) => Values>>} */
const VALUES_BY_ID = Object.freeze({
  [NOT_INTERLEAVED]: () => ({ 'numa.isInterleaved': false }),
  22171: ({ currentValue }) => ({ 'memory.overcommit': Number(currentValue ?? 2) }),
  22174: ({ currentValue }) => ({ 'numa.zoneReclaim': Number(currentValue) }),
  22178: () => ({ 'thp.enabled': 'always' }),
  22181: () => ({ 'thp.defrag': 'always' }),
  // The warning has no hard limit; it is not lower than the soft one.
  22184: ({ currentValue }) => ({
    'process.files': { soft: Number(currentValue), hard: Number(currentValue) },
  }),
  5123300: ({ currentValue }) => ({ 'sysctl.maxMapCount': Number(currentValue) }),
  8386700: ({ currentValue }) => ({ 'memory.swappiness': Number(currentValue) }),
  8640300: ({ currentValue }) => ({ 'thp.enabled': String(currentValue) }),
  8640301: ({ currentValue }) => ({ 'thp.defrag': String(currentValue) }),
  8640302: ({ currentValue }) => ({ 'thp.maxPtesNone': Number(currentValue) }),
  // 7.0 names the folder and means `enabled`; later releases name the file.
  9068900: ({ sysfsFile, currentValue }) =>
    sysfsFile === `${THP}/defrag`
      ? { 'thp.defrag': String(currentValue) }
      : { 'thp.enabled': String(currentValue) },
});

/**
 * Finds the warnings in an answer to getLog.
 * @param {any} reply the answer to getLog
 * @returns {Warning[]} lines of another form than JSON (before 4.4) are left out
 */
function warningsIn(reply) {
  return (reply?.log ?? []).flatMap((/** @type {unknown} */ line) => {
    try {
      return [JSON.parse(String(line))];
    } catch (_text) {
      return [];
    }
  });
}

/**
 * Reads values that the warnings show, and values that a missing warning shows.
 * @param {any} reply the answer to getLog
 * @param {boolean} isLinux whether mongod checks the file system
 * @returns {{
 *   values: Values,
 *   unknown: Partial<Record<keyof HostValues, string>>
 * }}
 */
function ofWarnings(reply, isLinux) {
  const warnings = warningsIn(reply);
  if (warnings.length === 0) return { values: {}, unknown: {} };
  const values = Object.assign(
    {},
    ...warnings.map(({ id, attr = {} }) => VALUES_BY_ID[id]?.(attr) ?? {}),
  );
  const usable = Object.fromEntries(
    Object.entries(values).filter(([, value]) => !Number.isNaN(value)),
  );
  if (!isLinux) return { values: usable, unknown: {} };
  // mongod warns of every file system but XFS.
  const isXfs = !warnings.some(({ id }) => id === NOT_XFS);
  return {
    values: isXfs ? { ...usable, 'files.type': 'xfs' } : usable,
    unknown: isXfs ? {} : { 'files.type': 'the server only reports that it is not XFS' },
  };
}

/**
 * Reads the values of hostInfo, which mongod found on every release when it started.
 * @param {any} hostInfo
 * @returns {Partial<HostValues>} a value that it does not report is undefined
 */
function ofHostInfo(hostInfo) {
  const text = (/** @type {string} */ path) => textAt(hostInfo, path) ?? undefined;
  const number = (/** @type {string} */ path) => numberAt(hostInfo, path) ?? undefined;
  // Since 6.0 the fields lie one level deeper.
  const release = text('extra.extra.kernelVersion') ?? text('extra.kernelVersion');
  return {
    'os.name': text('os.name')?.replace(/^PRETTY_NAME="?|"$/g, ''),
    'os.architecture': text('system.cpuArch'),
    'os.hostname': withoutPort(text('system.hostname') ?? null) ?? undefined,
    'kernel.release': release,
    'kernel.number': kernelSeries(release),
    ...memoryIn(number('system.memSizeMB'), number('system.memLimitMB')),
    'cpu.logical': number('system.numCores'),
    'cpu.cores': number('system.numPhysicalCores'),
    ...nodesIn(number('system.numNumaNodes'), hostInfo?.system?.numaEnabled),
  };
}

/**
 * @param {number | undefined} memoryMB
 * @param {number | undefined} limitMB equal to the memory: there is no limit
 */
const memoryIn = (memoryMB, limitMB) => ({
  'memory.totalBytes': memoryMB === undefined ? undefined : memoryMB * MiB,
  'memory.limitBytes':
    memoryMB === undefined || limitMB === undefined || limitMB >= memoryMB
      ? undefined
      : limitMB * MiB,
});

/**
 * @param {number | undefined} nodes
 * @param {unknown} isEnabled mongod calls NUMA enabled where it has several nodes and memory is not
 *   interleaved
 */
const nodesIn = (nodes, isEnabled) => ({
  'numa.nodes': nodes,
  'numa.isInterleaved': nodes === undefined || nodes < 2 ? undefined : isEnabled === false,
});

/**
 * Finds the mount that holds a path, where the server lists mounts (6.0 and later; some list none).
 * @param {any} hostInfo @param {string} path
 * @returns {Partial<HostValues>}
 */
function ofMounts(hostInfo, path) {
  /**
   * @type {{
   *   name: string, type: string, source: string, mountPoint: string, options: unknown,
   *   superOpt: unknown
   * }[]}
   */
  const mounts = (hostInfo?.extra?.extra?.mountInfo ?? hostInfo?.extra?.mountInfo ?? []).map(
    (/** @type {any} */ mount) => ({ ...mount, name: mount.mountPoint }),
  );
  const found = longest(mounts.filter(({ mountPoint }) => isUnder(path, mountPoint)));
  if (found === undefined) return {};
  const words = (/** @type {unknown} */ text) =>
    String(text ?? '')
      .split(',')
      .filter(Boolean);
  return {
    'files.type': found.type,
    'files.device': found.source,
    'files.mountPoint': found.mountPoint,
    'files.options': [...new Set([...words(found.options), ...words(found.superOpt)])],
  };
}

/** Numbers a kernel: 6.12.3 is 6012. @param {string | undefined} release */
function kernelSeries(release) {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(release ?? '') ?? [];
  return major === undefined ? undefined : Number(major) * 1000 + Number(minor);
}

/**
 * @template {{ name: string }} M
 * @param {readonly M[]} mounts
 * @returns {M | undefined} the innermost mount; of two in one place the later one hides the other
 */
const longest = (mounts) =>
  mounts.reduce(
    (/** @type {M | undefined} */ best, mount) =>
      best === undefined || mount.name.length >= best.name.length ? mount : best,
    undefined,
  );

/** @param {string} path @param {string} folder */
const isUnder = (path, folder) =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

module.exports = { ofHostInfo, ofMounts, isUnder, longest, ofWarnings };
