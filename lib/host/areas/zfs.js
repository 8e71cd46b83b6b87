'use strict';

const { HostFileError, latest } = require('../snapshot');
const { dbPathMount } = require('../mounts');

/**
 * @import { Area, Gathered } from '../snapshot'
 */

const ARC = '/proc/spl/kstat/zfs/arcstats';

/**
 * The properties of dbPath's dataset and its pool, where it lies on ZFS.
 * @type {Area}
 */
const AREA = {
  values(snapshots, subject) {
    const snapshot = latest(snapshots);
    const dataset = async () => {
      const { mount } = await dbPathMount(snapshot, subject);
      if (mount.type !== 'zfs') throw new HostFileError(`${mount.point} is ${mount.type}`);
      return mount.source;
    };
    const property = async (/** @type {string} */ name) =>
      propertyOf(snapshot, 'zfs', await dataset(), name);
    const arc = async (/** @type {string} */ name) => {
      await dataset();
      return statistic(await snapshot.text(ARC), name);
    };
    return {
      'zfs.recordBytes': async () => numberOf(await property('recordsize'), 'recordsize'),
      'zfs.compression': () => property('compression'),
      'zfs.atime': () => property('atime'),
      'zfs.primaryCache': () => property('primarycache'),
      'zfs.sync': () => property('sync'),
      'zfs.ashift': async () =>
        numberOf(
          await propertyOf(snapshot, 'zpool', (await dataset()).split('/')[0], 'ashift'),
          'ashift',
        ),
      'zfs.arcMaxBytes': () => arc('c_max'),
      'zfs.arcBytes': () => arc('size'),
    };
  },
};

/**
 * @param {Gathered} snapshot
 * @param {'zfs' | 'zpool'} command
 * @param {string} name
 * @param {string} property
 */
async function propertyOf(snapshot, command, name, property) {
  const row = (await snapshot.command(command))
    .split('\n')
    .map((line) => line.split('\t'))
    .find((row) => row[0] === name && row[1] === property);
  if (row?.[2] === undefined)
    throw new HostFileError(`${command} does not report ${property} of ${name}`);
  return row[2];
}

/** @param {string} text @param {string} what */
function numberOf(text, what) {
  if (!/^\d+$/.test(text))
    throw new HostFileError(`${what} is not a number: ${JSON.stringify(text.slice(0, 40))}`);
  return Number(text);
}

/** @param {string} kstat one statistic a line: name, type, value @param {string} name */
function statistic(kstat, name) {
  const found = new RegExp(`^${name}\\s+\\d+\\s+(\\d+)$`, 'm').exec(kstat);
  if (found === null) throw new HostFileError(`${ARC} does not report ${name}`);
  return Number(found[1]);
}

module.exports = AREA;
