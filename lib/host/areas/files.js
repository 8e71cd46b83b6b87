'use strict';

const { HostFileError } = require('../snapshot');
const { latest } = require('../part');
const { dbPathMount } = require('../mounts');
const { blockedThreads, readThreads } = require('../threads');

/**
 * @import { Mount } from '../mounts'
 * @import { Area } from '../part'
 * @import { Gathered } from '../snapshot'
 */

const KIB = 1024;
/**
 * The four figures of a line of df, as POSIX has them: blocks of 1024 bytes, used, available,
 * share.
 */
const FIGURES = [/^\d+$/, /^\d+$/, /^\d+$/, /^(\d+%|-)$/];

/**
 * The file system of dbPath, and the threads of the server that wait in the kernel.
 * @type {Area}
 */
const AREA = {
  snap: (snapshot, subject) => readThreads(snapshot, subject),
  values(snapshots, subject) {
    const snapshot = latest(snapshots);
    const found = () => dbPathMount(snapshot, subject);
    return {
      'files.path': async () => (await found()).path,
      'files.type': async () => (await found()).mount.type,
      'files.device': async () => (await found()).mount.source,
      'files.mountPoint': async () => (await found()).mount.point,
      'files.options': async () => (await found()).mount.options,
      'files.totalBytes': async () => (await space(snapshot, (await found()).mount)).totalBytes,
      'files.freeBytes': async () => (await space(snapshot, (await found()).mount)).freeBytes,
      'files.blocked': () => blockedThreads(snapshots, subject),
    };
  },
};

/**
 * @param {Gathered} snapshot
 * @param {Mount} mount
 * @returns {Promise<{ totalBytes: number, freeBytes: number }>} `freeBytes`: for who is not root,
 *   as mongod should be
 */
async function space(snapshot, { point, source }) {
  const rows = (await snapshot.command('df')).split('\n').flatMap(rowIn);
  // df shows each device once: a bind mount of it goes by another mount point.
  const row =
    rows.find((one) => one.point === point) ??
    rows.find(({ device }) => source.includes('/') && device === source);
  if (row === undefined) throw new HostFileError(`df has no line for ${point}`);
  return { totalBytes: row.blocks * KIB, freeBytes: row.available * KIB };
}

/**
 * @param {string} line device and mount point may have blanks
 * @returns {{ device: string, blocks: number, available: number, point: string }[]} none for any
 *   other line
 */
function rowIn(line) {
  const words = line.split(/ +/);
  const at = words.findIndex(
    (_, i) =>
      i > 0 &&
      FIGURES.every((figure, k) => figure.test(words[i + k] ?? '')) &&
      words[i + FIGURES.length]?.startsWith('/'),
  );
  if (at < 0) return [];
  return [
    {
      device: words.slice(0, at).join(' '),
      blocks: Number(words[at]),
      available: Number(words[at + 2]),
      point: words.slice(at + FIGURES.length).join(' '),
    },
  ];
}

module.exports = AREA;
