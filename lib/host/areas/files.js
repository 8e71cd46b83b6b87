'use strict';

const { MS_PER_SECOND, KiB } = require('../../base/pure/units');
const { HostFileError, latest } = require('../snapshot');
const { dbPathMount } = require('../mounts');

/**
 * @import { Mount } from '../mounts'
 * @import { Area, Gathered, Subject } from '../snapshot'
 * @import { BlockedThreads } from '../pure/host'
 */

/**
 * The four figures in a line of df, as POSIX defines them: blocks of 1024 bytes, used, available,
 * share.
 */
const FIGURES = [/^\d+$/, /^\d+$/, /^\d+$/, /^(\d+%|-)$/];

/**
 * The file system of dbPath, and the server's threads that are blocked in the kernel.
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
 * @returns {Promise<{ totalBytes: number, freeBytes: number }>} `freeBytes`: for a user who is not
 *   root, as mongod should not be
 */
async function space(snapshot, { point, source }) {
  const rows = (await snapshot.command('df')).split('\n').flatMap(rowIn);
  // df shows each device once: it names a bind mount by another mount point.
  const row =
    rows.find((row) => row.point === point) ??
    rows.find(({ device }) => source.includes('/') && device === source);
  if (row === undefined) throw new HostFileError(`df has no line for ${point}`);
  return { totalBytes: row.blocks * KiB, freeBytes: row.available * KiB };
}

/**
 * @param {string} line device and mount point may have blanks
 * @returns {{ device: string, blocks: number, available: number, point: string }[]} empty for any
 *   other line
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

/**
 * Finds threads of the server that sleep and cannot be woken (state D): nearly always they wait for
 * a disk or a lock in the kernel.
 * @typedef {{ name: string, wchan: string | null, standsFor: number }} Blocked `wchan`: the kernel
 *   function in which it sleeps; `standsFor`: how many threads it represents
 */

// The name may contain anything, also brackets.
const STAT = /^\d+ \((.*)\) (\S)/s;
const BLOCKED = 'D';
// Reading a thread takes some 20 µs. Of more threads than these each sample reads another part, and
// each thread represents several (heuristic).
const MAX_THREADS = 4000;
// Read this many at a time, so that the shell can respond meanwhile.
const AT_ONCE = 250;

/**
 * Keeps the blocked threads of a sample; the files, one or two for each connection, are not kept.
 * @type {WeakMap<Gathered, Promise<Blocked[]>>}
 */
const seen = new WeakMap();

/**
 * Reads the threads once for each sample, so that all are of that moment.
 * @param {Gathered} snapshot
 * @param {Subject} subject
 * @returns {Promise<Blocked[]>}
 */
function readThreads(snapshot, subject) {
  const reading = seen.get(snapshot) ?? readNow(snapshot, subject);
  seen.set(snapshot, reading);
  return reading;
}

/** @param {Gathered} snapshot @param {Subject} subject @returns {Promise<Blocked[]>} */
async function readNow(snapshot, { pid }) {
  if (pid === null) throw new HostFileError("the server's process is not known");
  const folder = `/proc/${pid}/task`;
  const ids = await snapshot.list(folder);
  const standsFor = Math.ceil(ids.length / MAX_THREADS);
  const chosen = ids.filter(
    (_, i) => (i + Math.floor(snapshot.atMs / MS_PER_SECOND)) % standsFor === 0,
  );
  /** @type {Blocked[]} */
  const blocked = [];
  for (let at = 0; at < chosen.length; at += AT_ONCE) {
    const threads = await Promise.all(
      chosen.slice(at, at + AT_ONCE).map((id) => readThread(snapshot, `${folder}/${id}`)),
    );
    blocked.push(
      ...threads.flatMap((thread) => (thread === null ? [] : [{ ...thread, standsFor }])),
    );
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  return blocked;
}

/**
 * @param {Gathered} snapshot
 * @param {string} folder
 * @returns {Promise<Omit<Blocked, 'standsFor'> | null>} null: the thread runs, or has ended
 *   meanwhile
 */
async function readThread(snapshot, folder) {
  const [, name, state] = STAT.exec(await orEmpty(snapshot.passing(`${folder}/stat`))) ?? [];
  if (state !== BLOCKED) return null;
  const wchan = (await orEmpty(snapshot.passing(`${folder}/wchan`))).trim();
  // 0: the thread belongs to another user, or runs again.
  return { name: name.replace(/\d+$/, ''), wchan: wchan === '' || wchan === '0' ? null : wchan };
}

/** @param {Promise<string>} reading */
async function orEmpty(reading) {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof HostFileError)) throw error;
    return '';
  }
}

/**
 * Groups blocked threads by the kernel function in which they wait.
 * @param {readonly Gathered[]} snapshots @param {Subject} subject
 * @returns {Promise<BlockedThreads[]>} groups with most threads first
 */
async function blockedThreads(snapshots, subject) {
  const all = (
    await Promise.all(snapshots.map((snapshot) => readThreads(snapshot, subject)))
  ).flat();
  return [...new Set(all.map(({ wchan }) => wchan))]
    .map((wchan) => {
      const same = all.filter((thread) => thread.wchan === wchan);
      return {
        wchan,
        threads: same.reduce((sum, { standsFor }) => sum + standsFor, 0) / snapshots.length,
        names: [...new Set(same.map(({ name }) => name))].sort(),
      };
    })
    .sort((a, b) => b.threads - a.threads);
}

module.exports = AREA;
