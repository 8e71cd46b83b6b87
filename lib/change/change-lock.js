'use strict';

const fs = require('node:fs');
const { readLines, writeOutcome, journalPath } = require('./journal');
const { entriesOf, sameRun } = require('./pure/journal');
const { showChange } = require('../config/change');
const { TuneError } = require('../base/pure/errors');
const { isAlive, writerName } = require('./writer');

/**
 * @import { ChangeRun } from './change-run'
 * @import { Entry } from './pure/journal'
 * @import { Run } from '../server/types'
 */

/**
 * Allows one change at a time: two shells with one journal do not change the same run of a server
 * at the same time. The journal only grows, so its order decides which of the two continues.
 */

/**
 * Ids of changes in progress in this process; kept on `process`, since the module may be loaded
 * twice.
 */
const OWN_IN_PROGRESS = ownInProgressOf(/** @type {any} */ (process));

/** @param {Record<symbol, Set<string> | undefined>} owner @returns {Set<string>} */
function ownInProgressOf(owner) {
  const key = Symbol.for('mongosh-tune.changesInHand');
  const known = owner[key];
  if (known) return known;
  /** @type {Set<string>} */ const made = new Set();
  Object.defineProperty(owner, key, { value: made });
  return made;
}

/** @param {string} id of an entry, or of a group @returns {() => void} removes the mark */
function markInProgress(id) {
  OWN_IN_PROGRESS.add(id);
  return () => OWN_IN_PROGRESS.delete(id);
}

/** @param {string} id of an entry, or of a group */
const isInProgressHere = (id) => OWN_IN_PROGRESS.has(id);

/**
 * @param {Entry} entry
 * @returns {boolean} whether a shell is making the change; a shell that has written "unknown" as
 *   its outcome is not
 */
const isInProgress = (entry) => isInProgressHere(entry.id) || isAlive(entry);

/**
 * Refuses a server that another shell is changing, before the journal is written.
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
 * Refuses the second of two changes begun at the same moment, right after the intent was written:
 * the first one in the journal continues.
 * @param {string} home
 * @param {Run} run
 * @param {{ id: string, force?: boolean }} own
 * @throws {TuneError} TUNE-30010
 */
function refuseSecond(home, run, { id, force }) {
  if (force) return;
  const all = entriesIn(home);
  const at = all.findIndex((entry) => entry.id === id);
  // On a shared file system another shell may have overwritten the own line: that shell continues.
  const earlier = at === -1 ? all : all.slice(0, at);
  const busy = earlier.find((entry) => isBusyOn(entry, run));
  if (!busy) return;
  throw closeRefused(home, id, busyError(busy));
}

/**
 * Closes an entry of which nothing was sent.
 * @template {Error} T
 * @param {string} home @param {string} id @param {T} error
 * @returns {T} the error to throw
 */
function closeRefused(home, id, error) {
  writeOutcome(home, id, { outcome: 'refused', reason: error.message });
  return error;
}

/**
 * Makes the last check before a call: another shell may have closed or undone this change, or begun
 * another by force; and a call that no journal has is not sent.
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
 * @returns {Entry | undefined} the change that was begun by force since that entry
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

/** @param {Entry} entry @param {string} work what the entry makes, in words */
const busyWords = (entry, work) =>
  isInProgressHere(entry.id) || (entry.group && isInProgressHere(entry.group.id))
    ? `This shell is still making ${work}: wait until it has ended.`
    : `Another shell (${writerName(entry)}) is still making ${work}: Ctrl-C there ends it. If ` +
      'that shell has ended, pass { force: true }.';

const NOUNS = Object.freeze({ apply: 'the change', undo: 'the undo', trial: 'the trial' });

/** @param {Entry} entry */
const what = ({ action, id, change }) => `${NOUNS[action]} ${id}, ${showChange(change)},`;

/**
 * @param {string} home
 * @returns {Entry[]} no entries where the journal cannot be read: writing it will fail
 */
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
  closeRefused,
};
