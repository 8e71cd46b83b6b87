'use strict';

const fs = require('node:fs');

/**
 * Which process this is, among all that ever ran: a host name and a number are those of many. Only
 * Linux says it; elsewhere a lease is waited for.
 */

/**
 * The field of /proc/PID/stat behind the name of the program that holds its start, in ticks since
 * the machine started (proc(5), field 22).
 */
const STARTED_AT = 19;

/** @param {number | 'self'} pid @returns {string | null} null: there is none, or it is not said */
function startOf(pid) {
  const stat = read(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat === null
    ? null
    : (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[STARTED_AT] ?? null);
}

/**
 * Where numbers of processes mean the same: this start of the machine, and this namespace.
 * @returns {string | null}
 */
function spaceOf() {
  const [boot, namespace] = [
    read(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    read(() => fs.readlinkSync('/proc/self/ns/pid')),
  ];
  return boot === null || namespace === null ? null : `${boot} ${namespace}`;
}

/** @template T @param {() => T} doIt @returns {T | null} */
function read(doIt) {
  try {
    return doIt();
  } catch (_absent) {
    return null;
  }
}

/** @returns {string | null} null: this system does not say it */
function thisProcess() {
  const [space, started] = [spaceOf(), startOf('self')];
  return space === null || started === null ? null : `${space} ${process.pid} ${started}`;
}

/**
 * Whether another process surely runs no longer.
 * @param {string | null | undefined} other as thisProcess() said it
 */
function isOver(other) {
  const [boot, namespace, pid, started] = (other ?? '').split(' ');
  if (!started || `${boot} ${namespace}` !== spaceOf()) return false;
  const startedThere = startOf(Number(pid));
  return startedThere === null ? !exists(Number(pid)) : startedThere !== started;
}

/**
 * /proc may hide the processes of other users (hidepid).
 * @param {number} pid
 */
function exists(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {any} */ (error).code !== 'ESRCH';
  }
}

module.exports = { thisProcess, isOver };
