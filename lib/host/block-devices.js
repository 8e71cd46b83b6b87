'use strict';

const { posix } = require('node:path');
const { dbPathMount } = require('./mounts');
const { HostFileError } = require('./snapshot');

/**
 * @import { Mount } from './mounts'
 * @import { Gathered, Subject } from './snapshot'
 * @import { DiskCounters } from './types'
 */

/**
 * Finds the disk that a file system is on.
 * @typedef {{ name: string, members: string[] }} Disk `name`: the whole disk or the stack of disks;
 *   `members`: the disks at its bottom, or the disk itself
 */

/**
 * Finds the disk, or the stack of disks, that holds dbPath.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<Disk>}
 */
async function dbPathDisk(snapshot, subject) {
  const { mount } = await dbPathMount(snapshot, subject);
  const wholes = await snapshot.list('/sys/block');
  const name = wholeOf(wholes, await deviceOf(snapshot, mount, wholes));
  return { name, members: [...new Set(await membersOf(snapshot, name, wholes))].sort() };
}

/**
 * Finds the name in /proc/diskstats by the numbers of the mount. btrfs has its own numbers (0:…),
 * and names one of its devices.
 * @param {Gathered} snapshot
 * @param {Mount} mount
 * @param {readonly string[]} wholes
 */
async function deviceOf(snapshot, { numbers, source, type }, wholes) {
  const stats = await diskstats(snapshot);
  const found = [...stats.values()].find((disk) => disk.numbers === numbers);
  if (found !== undefined) return found.name;
  if (source.startsWith('/dev/mapper/')) return mapped(snapshot, posix.basename(source), wholes);
  const named = sysfsName(source.replace(/^\/dev\//, ''));
  if (source.startsWith('/dev/') && stats.has(named)) return named;
  throw new HostFileError(`${type} on ${source} has no block device`);
}

/** /sys has an exclamation mark for a slash in the name (cciss/c0d0). @param {string} name */
const sysfsName = (name) => name.replaceAll('/', '!');

/**
 * Finds a mapping of the device mapper by its name.
 * @param {Gathered} snapshot
 * @param {string} wanted the name of a mapping
 * @param {readonly string[]} wholes
 * @returns {Promise<string>} the name of the device, such as dm-1
 */
async function mapped(snapshot, wanted, wholes) {
  for (const name of wholes.filter((disk) => disk.startsWith('dm-'))) {
    if ((await snapshot.text(`/sys/block/${name}/dm/name`)).trim() === wanted) return name;
  }
  throw new HostFileError(`/sys/block has no mapping ${wanted}`);
}

/**
 * Finds the whole disk: `nvme0n1p3` is on `nvme0n1`, `sda1` on `sda`.
 * @param {readonly string[]} wholes
 * @param {string} name
 */
function wholeOf(wholes, name) {
  const whole = wholes.includes(name)
    ? name
    : wholes.find((whole) => name.startsWith(whole) && /^p?\d+$/.test(name.slice(whole.length)));
  if (whole === undefined) throw new HostFileError(`/sys/block has no disk for ${name}`);
  return whole;
}

/**
 * Finds the disks at the bottom of a stack.
 * @param {Gathered} snapshot
 * @param {string} name
 * @param {readonly string[]} wholes
 * @returns {Promise<string[]>}
 */
async function membersOf(snapshot, name, wholes) {
  const below = await slavesOf(snapshot, name);
  if (below.length === 0) return [name];
  return (
    await Promise.all(below.map((device) => membersOf(snapshot, wholeOf(wholes, device), wholes)))
  ).flat();
}

/**
 * Finds the devices directly below a stack.
 * @param {Gathered} snapshot
 * @param {string} name
 * @returns {Promise<string[]>} empty for a disk that is no stack
 */
async function slavesOf(snapshot, name) {
  try {
    return await snapshot.list(`/sys/block/${name}/slaves`);
  } catch (error) {
    if (!(error instanceof HostFileError)) throw error;
    return [];
  }
}

/**
 * Reads /proc/diskstats (admin-guide/iostats.rst): counters since the machine started; those of
 * milliseconds have 32 bits.
 */

const PATH = '/proc/diskstats';
/** The kernel counts in these sectors, whatever the disk's own are. */
const SECTOR_BYTES = 512;
const MIN_FIELDS = 14;
const WRAP = 2 ** 32;

/**
 * Reads the counters of all disks.
 * @param {Gathered} snapshot
 * @returns {Promise<Map<string, DiskCounters>>} by the name in /sys
 */
async function diskstats(snapshot) {
  const rows = (await snapshot.text(PATH))
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(
      (row) => row.length >= MIN_FIELDS && row.every((field, i) => i === 2 || /^\d+$/.test(field)),
    );
  if (rows.length === 0) throw new HostFileError(`${PATH} has an unexpected format`);
  return new Map(
    rows.map((row) => {
      const counters = countersOf(row);
      return [counters.name, counters];
    }),
  );
}

/**
 * Parses one row of /proc/diskstats.
 * @param {string[]} row
 * @returns {DiskCounters}
 */
function countersOf([major, minor, name, ...fields]) {
  const [reads, , readSectors, readMs, writes, , writtenSectors, writeMs, , busyMs, waitingMs] =
    fields.map(Number);
  return {
    numbers: `${major}:${minor}`,
    name: name.replaceAll('/', '!'),
    reads,
    readBytes: readSectors * SECTOR_BYTES,
    readMs,
    writes,
    writtenBytes: writtenSectors * SECTOR_BYTES,
    writeMs,
    busyMs,
    waitingMs,
  };
}

/**
 * @typedef {'reads' | 'readBytes' | 'readMs' | 'writes' | 'writtenBytes' | 'writeMs' | 'busyMs' |
 *   'waitingMs'} Counted
 */

/**
 * Computes what a disk did between two samples.
 * @param {Gathered} from @param {Gathered} to @param {string} name
 * @returns {Promise<Record<Counted, number> & { seconds: number }>}
 */
async function doneBetween(from, to, name) {
  const [before, after] = (await Promise.all([diskstats(from), diskstats(to)])).map((all) =>
    all.get(name),
  );
  if (before === undefined || after === undefined)
    throw new HostFileError(`${PATH} has no ${name}`);
  const grown = (/** @type {Counted} */ counter) => {
    const more = after[counter] - before[counter];
    if (more >= 0) return more;
    // Only the milliseconds wrap; any other counter that shrank began again from 0.
    if (counter.endsWith('Ms') && before[counter] > WRAP / 2 && before[counter] < WRAP)
      return more + WRAP;
    throw new HostFileError(`the counters of ${name} were reset`);
  };
  return {
    reads: grown('reads'),
    readBytes: grown('readBytes'),
    readMs: grown('readMs'),
    writes: grown('writes'),
    writtenBytes: grown('writtenBytes'),
    writeMs: grown('writeMs'),
    busyMs: grown('busyMs'),
    waitingMs: grown('waitingMs'),
    seconds: (to.atMs - from.atMs) / 1000,
  };
}

module.exports = { dbPathDisk, diskstats, doneBetween };
