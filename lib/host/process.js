'use strict';

const { HostFileError } = require('./snapshot');
const { MS_PER_SECOND } = require('../base/pure/units');

/**
 * @import { Files } from './snapshot'
 */

// USER_HZ, in which the kernel tells times to programs: 100 on every architecture Linux runs mongod
// on.
const TICKS_PER_SECOND = 100;
// Of /proc/<pid>/stat, counted behind the name: field 22, starttime, in ticks since the machine was
// started.
const START_FIELD = 19;

/** @param {Files} files @param {number} pid @returns {Promise<number>} ms since 1970 */
async function startedAt(files, pid) {
  const [stat, machine] = await Promise.all([
    files.text(`/proc/${pid}/stat`),
    files.text('/proc/stat'),
  ]);
  // The name stands in brackets and may hold anything, also brackets.
  const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD]);
  const bootSeconds = Number(/^btime (\d+)$/m.exec(machine)?.[1]);
  if (!Number.isFinite(ticks + bootSeconds))
    throw new HostFileError(`/proc/${pid}/stat is not as it should be`);
  return MS_PER_SECOND * (bootSeconds + ticks / TICKS_PER_SECOND);
}

/**
 * @param {Files} files
 * @returns {Promise<number>} seconds since 1970 at which this machine was started
 */
async function bootedAt(files) {
  const seconds = Number(/^btime (\d+)$/m.exec(await files.text('/proc/stat'))?.[1]);
  if (!Number.isFinite(seconds)) throw new HostFileError('/proc/stat is not as it should be');
  return seconds;
}

/**
 * @param {Files} files
 * @param {number} pid
 * @returns {Promise<string>} as `ps` shows it; at most 15 characters
 */
const nameOf = async (files, pid) => (await files.text(`/proc/${pid}/comm`)).trim();

/**
 * The process that counts as `inner` in a container.
 * @param {Files} files @param {number} inner
 * @returns {Promise<number[]>} as this machine counts; the kernel tells since 4.1
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

module.exports = { startedAt, bootedAt, nameOf, seenInsideAs };
