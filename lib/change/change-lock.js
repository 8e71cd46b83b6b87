'use strict';

const fs = require('node:fs');
const { readLines, writeOutcome, journalPath } = require('./journal');
const { entriesOf, sameRun } = require('./pure/journal');
const { showChange } = require('../config/change');
const { TuneError } = require('../base/pure/errors');
const os = require('node:os');

/**
 * @import { ChangeRun } from './change-run'
 * @import { Entry, Writer } from './pure/journal'
 * @import { Run } from '../server/types'
 */

/**
 * One change at a time: two shells with one journal do not change the same run of a server at the
 * same time. The journal only grows, so its order decides which of two goes on.
 */

/**
 * What this very process is at, which it cannot be asked about as another one can. A process may
 * have loaded this twice, as a snippet and by require().
 */
const IN_HAND = inHandOf(/** @type {any} */ (process));

/** @param {Record<symbol, Set<string> | undefined>} owner @returns {Set<string>} */
function inHandOf(owner) {
  const key = Symbol.for('mongosh-tune.changesInHand');
  const known = owner[key];
  if (known) return known;
  /** @type {Set<string>} */ const made = new Set();
  Object.defineProperty(owner, key, { value: made });
  return made;
}

/** @param {string} id of an entry, or of a group @returns {() => void} lets go of it */
function markInProgress(id) {
  IN_HAND.add(id);
  return () => IN_HAND.delete(id);
}

/** @param {string} id of an entry, or of a group */
const isInProgressHere = (id) => IN_HAND.has(id);

/**
 * @param {Entry} entry
 * @returns {boolean} whether a shell is at it; one that wrote down that it does not know what
 *   became of it is not
 */
const isInProgress = (entry) => isInProgressHere(entry.id) || isAlive(entry);

/**
 * Before anything is written down.
 * @param {string} home
 * @param {Run} run
 * @param {{ force?: boolean }} plan
 * @throws {TuneError} TUNE-30010
 */
function refuseBusyServer(home, run, { force }) {
  const busy = force ? undefined : entriesIn(home).find((entry) => isBusyOn(entry, run));
  if (busy) throw busyError(busy);
}

/**
 * Right after the intent was written: of two at the same moment the first one in the journal goes
 * on.
 * @param {string} home
 * @param {Run} run
 * @param {{ id: string, force?: boolean }} own
 * @throws {TuneError} TUNE-30010
 */
function refuseSecond(home, run, { id, force }) {
  if (force) return;
  const all = entriesIn(home);
  const at = all.findIndex((entry) => entry.id === id);
  // On a shared file system another shell may have written over the own line: that one goes on.
  const earlier = at === -1 ? all : all.slice(0, at);
  const busy = earlier.find((entry) => isBusyOn(entry, run));
  if (!busy) return;
  throw refused(home, id, busyError(busy));
}

/**
 * Closes an entry that nothing was sent of.
 * @template {Error} T
 * @param {string} home @param {string} id @param {T} error
 * @returns {T} to be thrown
 */
function refused(home, id, error) {
  writeOutcome(home, id, { outcome: 'refused', reason: error.message });
  return error;
}

/**
 * The last check before a call: another shell may have closed or undone this change, or begun
 * another by force; and what is in no journal is not sent.
 * @param {ChangeRun} changeRun
 * @throws {TuneError} TUNE-30006, TUNE-30010, TUNE-40001, TUNE-40002
 */
function checkStillOwn(changeRun) {
  const { home } = changeRun.ctx;
  if (!changeRun.hasJournalChanged(sizeOf(home))) return;
  changeRun.restoreJournal();
  const all = entriesIn(home);
  const at = all.findIndex(({ id }) => id === changeRun.id);
  if (at === -1) return;
  const own = all[at];
  if (own.outcome !== 'unknown' || typeof own.reason === 'string')
    throw new TuneError(
      'TUNE-30006',
      `Another session closed this change (${own.reason ?? own.outcome}).`,
      { value: changeRun.id },
    );
  const forced = forcedSince(all, own.id, ({ run }) => sameRun(run, own.run));
  if (forced)
    throw new TuneError(
      'TUNE-30010',
      `Another shell (${writerName(forced)}) started ${what(forced)} by force, so ` +
        'this one stops.',
      { value: forced.id },
    );
}

/**
 * @param {readonly Entry[]} all @param {string} id of an entry
 * @param {(entry: Entry) => boolean} concerns
 * @returns {Entry | undefined} what was begun by force since that entry
 */
const forcedSince = (all, id, concerns) =>
  all
    .slice(all.findIndex((one) => one.id === id) + 1)
    .find((one) => one.force && one.outcome !== 'refused' && concerns(one));

/** @param {Entry} entry @param {Run} run */
const isBusyOn = (entry, run) =>
  entry.outcome === 'unknown' &&
  !entry.groupEnded &&
  sameRun(entry.run, run) &&
  isInProgress(entry);

/** @param {Entry} entry @returns {TuneError} */
const busyError = (entry) =>
  new TuneError('TUNE-30010', busyWords(entry, `${what(entry)} on this server`), {
    value: entry.id,
  });

/** @param {Entry} entry @param {string} work what it makes */
const busyWords = (entry, work) =>
  isInProgressHere(entry.id) || (entry.group && isInProgressHere(entry.group.id))
    ? `This shell is still making ${work}: wait until it has ended.`
    : `Another shell (${writerName(entry)}) is still making ${work}: Ctrl-C there ends it. If ` +
      'that shell has ended, pass { force: true }.';

const NOUNS = Object.freeze({ apply: 'the change', undo: 'the undo', trial: 'the trial' });

/** @param {Entry} entry */
const what = ({ action, id, change }) => `${NOUNS[action]} ${id}, ${showChange(change)},`;

/** @param {string} home @returns {Entry[]} none where it cannot be read: writing it will fail */
function entriesIn(home) {
  /** @type {ReturnType<typeof readLines>['lines']} */ let lines;
  try {
    ({ lines } = readLines(home));
  } catch (_unreadable) {
    return [];
  }
  return entriesOf(lines);
}

/** @param {string} home */
const sizeOf = (home) => fs.statSync(journalPath(home), { throwIfNoEntry: false })?.size ?? 0;

/**
 * Who wrote a line of the journal, and whether that process still runs. Several computers and
 * containers may share the folder, so a process id alone means nothing. null: unknown here (no
 * /proc)
 * @typedef {Pick<Entry, 'at' | 'writerPid' | 'writer' | 'asking' | 'sent' | 'trial' |
 *   'outcome' | 'reason'>} Written
 */

/** A call may wait for a checkpoint of ten minutes, and for a level to fall before it. */
const SILENT_MS = 15 * 60_000;
/** Two blocks of the same setting may follow each other, with what is washed out. */
const SILENT_BLOCKS = 3;
/** The time since the start is read in whole seconds, and clocks are corrected. */
const BOOT_TOLERANCE_MS = 10_000;

/** @returns {Writer} this process */
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
 * @returns {string | null} when it began, in ticks since the boot; null where /proc is absent, or
 *   of another container
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
 * @returns {boolean} whether another process may still be at it: one that cannot be asked about is
 *   alive until it has
 *   been silent for too long
 */
function isAlive(entry, nowMs = Date.now()) {
  const { writerPid, writer } = entry;
  if (writerPid === undefined || isOver(entry)) return false;
  const own = ownWriter();
  if (!writer || !isSamePlace(writer, own)) return nowMs - lastSignMs(entry) <= patienceOf(entry);
  if (writerPid === process.pid && writer.startedTicks === own.startedTicks) return false;
  return runs(writerPid) && !isAnother(writer.startedTicks, startOf(writerPid));
}

/**
 * What became of it stays open, but the process itself has written that it is over.
 * @param {Written} entry
 */
const isOver = ({ outcome, reason }) => outcome === 'unknown' && typeof reason === 'string';

/** @param {Writer} a @param {Writer} b */
function isSamePlace(a, b) {
  const isUnreported = a.bootId === null && b.bootId === null;
  const isSameBoot = isUnreported
    ? Math.abs(a.bootedAtMs - b.bootedAtMs) <= BOOT_TOLERANCE_MS
    : a.bootId === b.bootId;
  return isSameBoot && a.host === b.host && a.pidNamespace === b.pidNamespace;
}

/** Process ids are reused. @param {string | null} then @param {string | null} now */
const isAnother = (then, now) => then !== null && now !== null && then !== now;

/** @param {Written} entry */
const patienceOf = ({ trial }) => SILENT_MS + SILENT_BLOCKS * 1000 * (trial?.seconds ?? 0);

/** @param {Written} entry */
const lastSignMs = ({ at, asking, sent }) =>
  Math.max(Date.parse(at) || 0, asking?.atMs ?? 0, sent.at(-1)?.atMs ?? 0);

/** @param {number} pid */
function runs(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** As a message names it. @param {Pick<Written, 'writerPid' | 'writer'>} entry */
const writerName = ({ writerPid, writer }) =>
  `process ${writerPid}${writer && writer.host !== os.hostname() ? ` on ${writer.host}` : ''}`;

module.exports = {
  markInProgress,
  isInProgressHere,
  isInProgress,
  refuseBusyServer,
  refuseSecond,
  checkStillOwn,
  forcedSince,
  busyError,
  busyWords,
  entriesIn,
  refused,
  ownWriter,
  isAlive,
  writerName,
  SILENT_MS,
};
