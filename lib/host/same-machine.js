'use strict';

const { MS_PER_SECOND, MiB } = require('../base/pure/units');
const { makeSnapshot, HostFileError } = require('./snapshot');
const { meminfo } = require('./process-files');
const { socketsOf, endsHere, listensOn } = require('./sockets');

/**
 * @import { Place } from './pure/host'
 * @import { Files } from './snapshot'
 * @import { Identity } from './types'
 */

/**
 * Decides whether the server that answers runs on this machine. Reading /proc of another machine
 * would give wrong values, and a tunnel looks like a local server: so a server that is not proven
 * to run here counts as elsewhere.
 *
 */

// Both start times come from the same clock. mongod counts from the moment it runs, the kernel from
// the fork, in whole seconds since the boot.
const START_TOLERANCE_MS = 5000;
const BOOT_TOLERANCE_SECONDS = 2;
const MEMORY_TOLERANCE_MB = 1;
const PLATFORMS = Object.freeze(
  /** @type {Record<string, string>} */ ({ darwin: 'macOS', win32: 'Windows' }),
);
const REPORTED_ONLY = 'only values reported by the server are known';

/**
 * Finds where the server runs: here, here in a container, or elsewhere.
 * @param {Files} files the files of this machine
 * @param {Identity} server
 * @param {string} platform process.platform
 * @returns {Promise<Place>}
 */
async function findPlace(files, server, platform) {
  if (platform !== 'linux')
    return elsewhere(
      `mongosh runs on ${PLATFORMS[platform] ?? platform}, without the Linux files that describe ` +
        `a host; ${REPORTED_ONLY}.`,
    );
  if (server.pid === null || server.startedAtMs === null)
    return elsewhere(
      'The server does not report its process id, so it cannot be found on this machine; ' +
        `${REPORTED_ONLY}.`,
    );
  const same = await proof(files, server.pid, server);
  const found = same.isHere
    ? same
    : (await insideProofs(files, server)).find(({ isHere }) => isHere);
  if (found === undefined)
    return elsewhere(`${same.say}: the server is treated as remote, and ${REPORTED_ONLY}.`);
  const kind = found === same ? 'here' : 'here-container';
  const where =
    kind === 'here'
      ? 'on this machine'
      : `on this machine in a container, as process ${server.pid} there`;
  return {
    kind,
    say: `${found.name} is process ${found.pid} ${where}: ${found.say}.`,
    pid: found.pid,
  };
}

/** @param {string} say @returns {Place} */
const elsewhere = (say) => ({ kind: 'elsewhere', say, pid: null });

/**
 * @typedef {{ isHere: boolean, pid: number, name: string, say: string }} Proof `name`: usually
 *   `mongod`; `say`: half a sentence, what was compared
 */

/** @param {Files} files @param {Identity} server @returns {Promise<Proof[]>} */
async function insideProofs(files, server) {
  const pids = await seenInsideAs(files, /** @type {number} */ (server.pid)).catch(() => []);
  return Promise.all(pids.map((pid) => proof(files, pid, server)));
}

/** @param {Files} files @param {number} pid @param {Identity} server @returns {Promise<Proof>} */
async function proof(files, pid, server) {
  const name = await nameOf(files, pid).catch(() => null);
  const no = (/** @type {string} */ say) => ({ isHere: false, pid, name: 'mongod', say });
  if (name === null)
    return no(`No process on this machine has the id ${pid} that the server reports`);
  if (!name.startsWith('mongo'))
    return no(`The server reports process ${pid}; here that is ${JSON.stringify(name)}`);
  const apartMs = Math.abs(
    (await startedAt(files, pid).catch(() => NaN)) - /** @type {number} */ (server.startedAtMs),
  );
  if (!(apartMs <= START_TOLERANCE_MS))
    return no(`Process ${pid} is a ${name} here too, but with another start time`);
  const sockets = await socketsOf(files, pid);
  const listens = sockets === null ? null : await listensOn(files, pid, sockets, server.port);
  if (listens === false)
    return no(
      `Process ${pid} here is a ${name} of the same age, but it does not listen on port ` +
        `${server.port}`,
    );
  const seen =
    server.client === null || sockets === null
      ? null
      : endsHere(sockets, server.client, server.port);
  if (seen === false)
    return no(
      `The server sees this connection come from ${server.client}, and no connection of ` +
        `process ${pid} here comes from there, as with a tunnel to another machine`,
    );
  if (seen)
    return { isHere: true, pid, name, say: `same start time, and this connection ends at it` };
  return { pid, name, ...(await seemsSame(files, server)) };
}

/**
 * Compares name, memory and start of the machine, where the connection itself proves nothing, as
 * through a Unix socket.
 * @param {Files} files
 * @param {Identity} server
 * @returns {Promise<{ isHere: boolean, say: string }>}
 */
async function seemsSame(files, { hostname, memorySizeMB, bootAtSeconds }) {
  const name = (await files.text('/proc/sys/kernel/hostname').catch(() => '')).trim();
  const memoryMB = await memoryOf(files);
  const bootSeconds = await bootedAt(files).catch(() => NaN);
  if (hostname !== name)
    return {
      isHere: false,
      say: `The server reports host name ${hostname ?? 'none'}, this machine is ${name}`,
    };
  if (memorySizeMB === null || !(Math.abs(memorySizeMB - memoryMB) <= MEMORY_TOLERANCE_MB))
    return {
      isHere: false,
      say:
        `The server's machine has ${memorySizeMB ?? 'unknown'} MiB of memory, this one ` +
        `${memoryMB}`,
    };
  if (bootAtSeconds === null)
    return {
      isHere: false,
      say:
        `Name and memory of the server's machine are those of this one, but when it was ` +
        'started is not reported',
    };
  if (!(Math.abs(bootAtSeconds - bootSeconds) <= BOOT_TOLERANCE_SECONDS))
    return {
      isHere: false,
      say: `The machine of the server has the same name, but another boot time`,
    };
  return {
    isHere: true,
    say: 'process, name, RAM and boot time match the values reported by the server',
  };
}

/** @param {Files} files @returns {Promise<number>} MiB; NaN where it is not known */
async function memoryOf(files) {
  const snapshot = makeSnapshot(files, 0);
  return Math.floor((await meminfo(snapshot).catch(() => ({ MemTotal: NaN }))).MemTotal / MiB);
}

// USER_HZ, the unit of times that the kernel shows programs: 100 on every architecture on which
// Linux runs mongod.
const TICKS_PER_SECOND = 100;
// starttime is field 22 of /proc/<pid>/stat, here counted from behind the name. It has ticks since
// the start of the machine.
const START_FIELD = 19;

/**
 * Computes when a process was started.
 * @param {Files} files
 * @param {number} pid
 * @returns {Promise<number>} ms since 1970
 */
async function startedAt(files, pid) {
  const [stat, machine] = await Promise.all([
    files.text(`/proc/${pid}/stat`),
    files.text('/proc/stat'),
  ]);
  // The name is in brackets and may contain anything, also brackets.
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD]);
  const bootSeconds = Number(/^btime (\d+)$/m.exec(machine)?.[1]);
  if (!Number.isFinite(ticks + bootSeconds))
    throw new HostFileError(`/proc/${pid}/stat has an unexpected format`);
  return MS_PER_SECOND * (bootSeconds + ticks / TICKS_PER_SECOND);
}

/**
 * Reads when the machine was started.
 * @param {Files} files
 * @returns {Promise<number>} seconds since 1970
 */
async function bootedAt(files) {
  const seconds = Number(/^btime (\d+)$/m.exec(await files.text('/proc/stat'))?.[1]);
  if (!Number.isFinite(seconds)) throw new HostFileError('/proc/stat has an unexpected format');
  return seconds;
}

/**
 * @param {Files} files
 * @param {number} pid
 * @returns {Promise<string>} the name that `ps` shows, at most 15 characters
 */
const nameOf = async (files, pid) => (await files.text(`/proc/${pid}/comm`)).trim();

/**
 * Finds the processes that have the number `inner` in a container.
 * @param {Files} files @param {number} inner
 * @returns {Promise<number[]>} their numbers on this machine, which the kernel lists since 4.1
 */
async function seenInsideAs(files, inner) {
  const pids = (await files.list('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const matches = await Promise.all(
    pids.map(async (pid) => {
      const status = await files.text(`/proc/${pid}/status`).catch(() => '');
      const inside = /^NSpid:\s+(.+)$/m.exec(status)?.[1].split(/\s+/).map(Number) ?? [];
      return inside.length > 1 && inside[inside.length - 1] === inner;
    }),
  );
  return pids.filter((_, i) => matches[i]);
}

module.exports = { findPlace };
