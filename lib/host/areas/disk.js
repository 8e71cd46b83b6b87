'use strict';

const { dbPathDisk, diskstats, doneBetween } = require('../block-devices');
const { HostFileError, numberIn, latest, span } = require('../snapshot');
const { MS_PER_SECOND, KiB } = require('../../base/pure/units');

/**
 * @import { Counted } from '../block-devices'
 * @import { DiskSecond, Scheduler } from '../pure/host'
 * @import { Area, Gathered, Getters } from '../snapshot'
 */

/** The disk under dbPath: its properties and its activity. @type {Area} */
const AREA = {
  snap: (snapshot) => diskstats(snapshot),
  values(snapshots, subject) {
    const snapshot = latest(snapshots);
    const disk = () => dbPathDisk(snapshot, subject);
    const queue = async (/** @type {string} */ file) =>
      `/sys/block/${(await disk()).name}/queue/${file}`;
    return {
      'disk.name': async () => (await disk()).name,
      'disk.members': async () => (await disk()).members,
      'disk.isRotational': async () => (await numberIn(snapshot, await queue('rotational'))) === 1,
      'disk.readAheadBytes': async () =>
        KiB * (await numberIn(snapshot, await queue('read_ahead_kb'))),
      'disk.schedulers': async () =>
        Promise.all((await disk()).members.map((name) => schedulerOf(snapshot, name))),
      'disk.model': async () => models(snapshot, (await disk()).members),
      ...measured(snapshots, async () => (await disk()).name),
    };
  },
};

/**
 * Computes what the disk did between the first and the last sample.
 * @param {readonly Gathered[]} snapshots
 * @param {() => Promise<string>} disk
 * @returns {Getters}
 */
function measured(snapshots, disk) {
  const done = async () => {
    const [first, last] = span(snapshots);
    return doneBetween(first, last, await disk());
  };
  const perSec = (/** @type {Counted} */ counter) => async () => {
    const all = await done();
    return all[counter] / all.seconds;
  };
  return {
    'disk.readMs': async () => each(await done(), 'readMs', 'reads'),
    'disk.writeMs': async () => each(await done(), 'writeMs', 'writes'),
    'disk.queue': async () => (await perSec('waitingMs')()) / MS_PER_SECOND,
    'disk.busyRatio': async () => Math.min(1, (await perSec('busyMs')()) / MS_PER_SECOND),
    'disk.readBytesPerSec': perSec('readBytes'),
    'disk.writtenBytesPerSec': perSec('writtenBytes'),
    'disk.readsPerSec': perSec('reads'),
    'disk.writesPerSec': perSec('writes'),
    'disk.seconds': async () => seconds(snapshots, await disk()),
  };
}

/**
 * Computes the mean time of a request.
 * @param {Awaited<ReturnType<typeof doneBetween>>} done
 * @param {'readMs' | 'writeMs'} ms
 * @param {'reads' | 'writes'} requests
 */
function each(done, ms, requests) {
  if (done[requests] === 0) throw new HostFileError(`no ${requests} between the samples`);
  return done[ms] / done[requests];
}

/**
 * Computes what the disk did from each sample to the next.
 * @param {readonly Gathered[]} snapshots
 * @param {string} name
 * @returns {Promise<DiskSecond[]>}
 */
async function seconds(snapshots, name) {
  span(snapshots);
  return Promise.all(
    snapshots.slice(1).map(async (snapshot, i) => {
      const done = await doneBetween(snapshots[i], snapshot, name);
      return {
        writtenBytesPerSec: done.writtenBytes / done.seconds,
        readBytesPerSec: done.readBytes / done.seconds,
        writesPerSec: done.writes / done.seconds,
        busyRatio: Math.min(1, done.busyMs / done.seconds / MS_PER_SECOND),
        queue: done.waitingMs / done.seconds / MS_PER_SECOND,
      };
    }),
  );
}

/**
 * Reads the I/O scheduler of a disk, and the schedulers that it could use.
 * @param {Gathered} snapshot
 * @param {string} name
 * @returns {Promise<Scheduler>}
 */
async function schedulerOf(snapshot, name) {
  const target = `/sys/block/${name}/queue/scheduler`;
  const words = (await snapshot.text(target)).trim().split(/\s+/);
  // `noop [deadline] cfq`; a single word where there is no choice.
  const active =
    words.find((word) => /^\[.+\]$/.test(word)) ?? (words.length === 1 ? words[0] : undefined);
  if (!active) throw new HostFileError(`${target} lists no scheduler`);
  return {
    target,
    active: active.replace(/[[\]]/g, ''),
    available: words.map((word) => word.replace(/[[\]]/g, '')),
  };
}

/**
 * Reads the models of the disks, each once.
 * @param {Gathered} snapshot
 * @param {readonly string[]} members
 */
async function models(snapshot, members) {
  const names = await Promise.all(
    members.map(async (name) => (await snapshot.text(`/sys/block/${name}/device/model`)).trim()),
  );
  return [...new Set(names)].join(', ');
}

module.exports = AREA;
