'use strict';

const fs = require('node:fs');
const os = require('node:os');

/**
 * @import { Entry, Writer } from './pure/journal'
 */

/**
 * Says who wrote a line of the journal, and whether that process still runs. Several computers and
 * containers may share the folder, so a process id alone means nothing. null: unknown here (no
 * /proc)
 * @typedef {Pick<Entry, 'at' | 'writerPid' | 'writer' | 'asking' | 'sent' | 'trial' |
 *   'outcome' | 'reason'>} Written
 */

/**
 * Milliseconds without a journal line after which a writer that cannot be checked counts as dead: a
 * checkpoint may delay a call by ten minutes.
 */
const SILENT_MS = 15 * 60_000;
/** The same for a trial, in lengths of a block: two blocks of one side, and the wash-out. */
const SILENT_BLOCKS = 3;
/** Milliseconds: the time since the start is read in whole seconds, and clocks are corrected. */
const BOOT_TOLERANCE_MS = 10_000;

/** @returns {Writer} the data of this process */
function ownWriter() {
  return {
    host: os.hostname(),
    bootId: read(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    bootedAtMs: Math.round(Date.now() - os.uptime() * 1000),
    pidNamespace: read(() => fs.readlinkSync('/proc/self/ns/pid')),
    startedTicks: startOf(process.pid),
  };
}

/** @param {() => string} value @returns {string | null} */
function read(value) {
  try {
    return value();
  } catch (_absent) {
    return null;
  }
}

/**
 * @param {number} pid
 * @returns {string | null} when the process began, in ticks since the boot; null where /proc is
 *   absent, or of another container
 */
function startOf(pid) {
  return read(() => {
    if (fs.readlinkSync('/proc/self') !== String(process.pid))
      throw new Error('the processes of another namespace');
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may hold spaces and brackets.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  });
}

/**
 * @param {Written} entry
 * @param {number} [nowMs]
 * @returns {boolean} whether another process may still be making the change: one that cannot be
 *   checked counts as alive until it has written nothing for too long
 */
function isAlive(entry, nowMs = Date.now()) {
  const { writerPid, writer } = entry;
  if (writerPid === undefined || hasWriterEnded(entry)) return false;
  const own = ownWriter();
  if (!writer || !isSamePlace(writer, own)) return nowMs - lastSignMs(entry) <= maxQuietMs(entry);
  if (writerPid === process.pid && writer.startedTicks === own.startedTicks) return false;
  return isRunning(writerPid) && !isAnother(writer.startedTicks, startOf(writerPid));
}

/**
 * Says whether the process itself has written that it ended; the outcome of its change is unknown.
 * @param {Written} entry
 */
const hasWriterEnded = ({ outcome, reason }) => outcome === 'unknown' && typeof reason === 'string';

/** @param {Writer} a @param {Writer} b */
function isSamePlace(a, b) {
  const isUnreported = a.bootId === null && b.bootId === null;
  const isSameBoot = isUnreported
    ? Math.abs(a.bootedAtMs - b.bootedAtMs) <= BOOT_TOLERANCE_MS
    : a.bootId === b.bootId;
  return isSameBoot && a.host === b.host && a.pidNamespace === b.pidNamespace;
}

/** Says whether a process id was reused. @param {string | null} then @param {string | null} now */
const isAnother = (then, now) => then !== null && now !== null && then !== now;

/** @param {Written} entry */
const maxQuietMs = ({ trial }) => SILENT_MS + SILENT_BLOCKS * 1000 * (trial?.seconds ?? 0);

/** @param {Written} entry */
const lastSignMs = ({ at, asking, sent }) =>
  Math.max(Date.parse(at) || 0, asking?.atMs ?? 0, sent.at(-1)?.atMs ?? 0);

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Returns the name of a writer for a message.
 * @param {Pick<Written, 'writerPid' | 'writer'>} entry
 */
const writerName = ({ writerPid, writer }) =>
  `process ${writerPid}${writer && writer.host !== os.hostname() ? ` on ${writer.host}` : ''}`;

module.exports = { ownWriter, isAlive, writerName, SILENT_MS };
