'use strict';

const { posix } = require('node:path');
const { HostFileError } = require('./snapshot');
const { dbPathMount } = require('./mounts');
const { diskstats } = require('./diskstats');

/**
 * @import { Mount } from './mounts'
 * @import { Subject } from './part'
 * @import { Gathered } from './snapshot'
 */

/**
 * Which disk a file system is on.
 * @typedef {{ name: string, members: string[] }} Disk `name`: the whole disk or the stack;
 *   `members`: the disks at its bottom, itself for a plain one
 */

/** @param {Gathered} snapshot @param {Subject} subject @returns {Promise<Disk>} */
async function dbPathDisk(snapshot, subject) {
  const { mount } = await dbPathMount(snapshot, subject);
  const wholes = await snapshot.list('/sys/block');
  const name = wholeOf(wholes, await deviceOf(snapshot, mount, wholes));
  return { name, members: [...new Set(await membersOf(snapshot, name, wholes))].sort() };
}

/**
 * The name in /proc/diskstats goes by the numbers of the mount. btrfs has numbers of its own (0:…),
 * and names one of its devices.
 * @param {Gathered} snapshot
 * @param {Mount} mount
 * @param {readonly string[]} wholes
 */
async function deviceOf(snapshot, { numbers, source, type }, wholes) {
  const stats = await diskstats(snapshot);
  const found = [...stats.values()].find((one) => one.numbers === numbers);
  if (found !== undefined) return found.name;
  if (source.startsWith('/dev/mapper/')) return mapped(snapshot, posix.basename(source), wholes);
  const named = sysfsName(source.replace(/^\/dev\//, ''));
  if (source.startsWith('/dev/') && stats.has(named)) return named;
  throw new HostFileError(`${type} on ${source} has no block device of its own`);
}

/** In /sys a slash of the name (cciss/c0d0) is an exclamation mark. @param {string} name */
const sysfsName = (name) => name.replaceAll('/', '!');

/**
 * @param {Gathered} snapshot
 * @param {string} wanted name of a mapping
 * @param {readonly string[]} wholes
 * @returns {Promise<string>} such as dm-1
 */
async function mapped(snapshot, wanted, wholes) {
  for (const name of wholes.filter((one) => one.startsWith('dm-'))) {
    if ((await snapshot.text(`/sys/block/${name}/dm/name`)).trim() === wanted) return name;
  }
  throw new HostFileError(`/sys/block has no mapping ${wanted}`);
}

/**
 * `nvme0n1p3` is on `nvme0n1`, `sda1` on `sda`.
 * @param {readonly string[]} wholes
 * @param {string} name
 */
function wholeOf(wholes, name) {
  const whole = wholes.includes(name)
    ? name
    : wholes.find((one) => name.startsWith(one) && /^p?\d+$/.test(name.slice(one.length)));
  if (whole === undefined) throw new HostFileError(`/sys/block has no disk for ${name}`);
  return whole;
}

/**
 * @param {Gathered} snapshot
 * @param {string} name
 * @param {readonly string[]} wholes
 * @returns {Promise<string[]>}
 */
async function membersOf(snapshot, name, wholes) {
  const below = await slavesOf(snapshot, name);
  if (below.length === 0) return [name];
  return (
    await Promise.all(below.map((one) => membersOf(snapshot, wholeOf(wholes, one), wholes)))
  ).flat();
}

/**
 * @param {Gathered} snapshot
 * @param {string} name
 * @returns {Promise<string[]>} none for a disk that is no stack
 */
async function slavesOf(snapshot, name) {
  try {
    return await snapshot.list(`/sys/block/${name}/slaves`);
  } catch (error) {
    if (!(error instanceof HostFileError)) throw error;
    return [];
  }
}

module.exports = { dbPathDisk };
