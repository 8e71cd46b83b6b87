'use strict';

const { numberAt, textAt, withoutPort } = require('./ask-server');

/**
 * @import { HostValues } from './pure/host'
 */

const MIB = 2 ** 20;

/**
 * What hostInfo reports, on every release: mongod read it when it started.
 * @param {any} hostInfo
 * @returns {Partial<HostValues>} what it does not report is undefined
 */
function ofHostInfo(hostInfo) {
  const text = (/** @type {string} */ path) => textAt(hostInfo, path) ?? undefined;
  const number = (/** @type {string} */ path) => numberAt(hostInfo, path) ?? undefined;
  // Since 6.0 the fields lie one level lower.
  const release = text('extra.extra.kernelVersion') ?? text('extra.kernelVersion');
  return {
    'os.name': text('os.name')?.replace(/^PRETTY_NAME="?|"$/g, ''),
    'os.architecture': text('system.cpuArch'),
    'os.hostname': withoutPort(text('system.hostname') ?? null) ?? undefined,
    'kernel.release': release,
    'kernel.number': kernelNumber(release),
    ...memoryIn(number('system.memSizeMB'), number('system.memLimitMB')),
    'cpu.logical': number('system.numCores'),
    'cpu.cores': number('system.numPhysicalCores'),
    ...nodesIn(number('system.numNumaNodes'), hostInfo?.system?.numaEnabled),
  };
}

/**
 * @param {number | undefined} memoryMB
 * @param {number | undefined} limitMB as large as the memory: there is none
 */
const memoryIn = (memoryMB, limitMB) => ({
  'memory.totalBytes': memoryMB === undefined ? undefined : memoryMB * MIB,
  'memory.limitBytes':
    memoryMB === undefined || limitMB === undefined || limitMB >= memoryMB
      ? undefined
      : limitMB * MIB,
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
 * The mount that holds a path, where the server lists mounts (6.0 on; some list none).
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

/** 6.12.3 is 6012. @param {string | undefined} release */
function kernelNumber(release) {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(release ?? '') ?? [];
  return major === undefined ? undefined : Number(major) * 1000 + Number(minor);
}

/**
 * @template {{ name: string }} M
 * @param {readonly M[]} mounts
 * @returns {M | undefined} the innermost; of two in one place the later one hides the other
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

module.exports = { ofHostInfo, ofMounts, isUnder, longest };
