'use strict';

const { KiB } = require('../base/pure/units');
const { HostFileError } = require('./snapshot');

/**
 * @import { Gathered, Subject } from './snapshot'
 */

/**
 * Names a file of mongod's process.
 * @param {Subject} subject
 * @param {string} name
 * @returns {string} its path in the process's folder
 */
function serverFile({ pid }, name) {
  if (pid === null) throw new HostFileError('the mongod process is not visible here');
  return `/proc/${pid}/${name}`;
}

/**
 * Turns a missing file into null.
 * @template T
 * @param {Promise<T>} reading
 * @returns {Promise<T | null>} null where the file does not exist; a file that exists and cannot be
 *   read stays an error
 */
async function ifThere(reading) {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof HostFileError && /is not (there|in the file)$/.test(error.message))
      return null;
    throw error;
  }
}

/**
 * Reads a status file of a process.
 * @param {Gathered} snapshot
 * @param {string} path a `status` file
 * @returns {Promise<Record<string, string>>} proc(5)
 */
async function statusIn(snapshot, path) {
  return statusOf(path, await snapshot.text(path));
}

/**
 * Parses a status file of a process.
 * @param {string} path
 * @param {string} text
 * @returns {Record<string, string>}
 */
function statusOf(path, text) {
  const lines = [...text.matchAll(/^(\w+):[ \t]*(.*?)[ \t]*$/gm)];
  if (lines.length === 0) throw new HostFileError(`${path} has an unexpected format`);
  return Object.fromEntries(lines.map(([, name, value]) => [name, value]));
}

/** @param {string | undefined} value `4242 kB` @returns {number | undefined} */
const kbToBytes = (value) =>
  value === undefined || !/^\d+ kB$/.test(value) ? undefined : Number.parseInt(value, 10) * KiB;

const PATH = '/proc/meminfo';

/**
 * Reads the memory of the machine.
 * @param {Gathered} snapshot
 * @returns {Promise<Record<string, number>>} bytes; a value that the kernel does not report is
 *   absent (MemAvailable before 3.14)
 */
async function meminfo(snapshot) {
  const lines = [...(await snapshot.text(PATH)).matchAll(/^(\S+):\s+(\d+) kB$/gm)];
  if (lines.length === 0) throw new HostFileError(`${PATH} has an unexpected format`);
  return Object.fromEntries(lines.map(([, name, kib]) => [name, Number(kib) * KiB]));
}

/**
 * Finds the control groups of a process: cgroups(7). The limits of all its groups apply to it, so
 * the tightest one counts.
 * @typedef {{ version: 1 | 2, folders: string[] }} Groups `folders`: the process's own group first,
 *   then the groups around it
 * @typedef {{ folder: string, limit: number }} Tightest
 */

/**
 * Finds the control groups of mongod for one controller.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @param {'memory' | 'cpu'} controller
 * @returns {Promise<Groups>}
 */
async function groupsOf(snapshot, subject, controller) {
  const rows = (await snapshot.text(serverFile(subject, 'cgroup')))
    .trim()
    .split('\n')
    .map((line) => /^\d+:([^:]*):(.*)$/.exec(line) ?? ['', '', '']);
  const old = rows.find(([, controllers]) => controllers.split(',').includes(controller));
  const own = old ?? rows.find(([line, controllers]) => line !== '' && controllers === '');
  if (own === undefined)
    throw new HostFileError(`${serverFile(subject, 'cgroup')} lists no cgroup for ${controller}`);
  const mount = findMount(
    await snapshot.text('/proc/self/mountinfo'),
    old === undefined ? null : controller,
  );
  if (mount === null) throw new HostFileError(`the ${controller} cgroups are not mounted here`);
  return { version: old === undefined ? 2 : 1, folders: upwards(mount, own[2]) };
}

/**
 * Finds where the groups of a controller are mounted.
 * @param {string} mountinfo
 * @param {string | null} controller a controller of version 1; null: version 2
 * @returns {{ root: string, point: string } | null}
 */
function findMount(mountinfo, controller) {
  for (const line of mountinfo.split('\n')) {
    const [, root, point, type, options] =
      /^\d+ \d+ \S+ (\S+) (\S+) .* - (\S+) \S+ (\S+)$/.exec(line) ?? [];
    const isIt =
      controller === null
        ? type === 'cgroup2'
        : type === 'cgroup' && options.split(',').includes(controller);
    if (isIt) return { root, point };
  }
  return null;
}

/**
 * Lists the folders from a group up to the root of what is mounted. A container sees only its own
 * groups: for a group outside only the root is listed.
 * @param {{ root: string, point: string }} mount
 * @param {string} group
 */
function upwards({ root, point }, group) {
  const isInside =
    !group.includes('/..') && (root === '/' || group === root || group.startsWith(`${root}/`));
  const names = isInside
    ? group
        .slice(root === '/' ? 0 : root.length)
        .split('/')
        .filter((name) => name !== '')
    : [];
  return names.map((_, i) => [point, ...names.slice(0, names.length - i)].join('/')).concat(point);
}

/**
 * Finds the lowest limit of the groups that have one.
 * @param {Groups} groups
 * @param {(folder: string) => Promise<number | null>} limitIn null: the group has no limit
 * @returns {Promise<Tightest | null>}
 */
async function tightest({ folders }, limitIn) {
  const limits = await Promise.all(
    folders.map(async (folder) => ({ folder, limit: await limitIn(folder) })),
  );
  const set = /** @type {Tightest[]} */ (limits.filter(({ limit }) => limit !== null));
  return set.length === 0
    ? null
    : set.reduce((best, group) => (group.limit < best.limit ? group : best));
}

/**
 * Reads a file of numbers.
 * @param {Gathered} snapshot
 * @param {string} path
 * @returns {Promise<number[] | null>} the numbers of its first line, NaN for `max`; null where the
 *   file does not exist
 */
async function numbersIn(snapshot, path) {
  const text = await ifThere(snapshot.text(path));
  if (text === null) return null;
  const words = text.trim().split(/\s+/);
  if (!words.every((word) => /^(-?\d+|max)$/.test(word)))
    throw new HostFileError(`${path} contains no number: ${JSON.stringify(text.slice(0, 40))}`);
  return words.map(Number);
}

module.exports = {
  serverFile,
  ifThere,
  statusIn,
  statusOf,
  kbToBytes,
  meminfo,
  groupsOf,
  tightest,
  numbersIn,
};
