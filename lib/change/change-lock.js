'use strict';

const fs = require('node:fs');
const { readLines, writeOutcome, journalPath } = require('./journal');
const { isAlive, writerName } = require('./journal-writers');
const { entriesOf, sameRun } = require('./pure/journal');
const { showChange } = require('../config/change');
const { TuneError } = require('../base/pure/errors');

/**
 * @import { ChangeRun } from './change-run'
 * @import { Entry } from './pure/journal'
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
  const busy = all.slice(0, Math.max(0, at)).find((entry) => isBusyOn(entry, run));
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
      'Another session has closed this change meanwhile: in the journal it is ' +
        `${own.reason ?? own.outcome}.`,
      { value: changeRun.id },
    );
  const forced = all
    .slice(at + 1)
    .find((one) => one.force && one.outcome !== 'refused' && sameRun(one.run, own.run));
  if (forced)
    throw new TuneError(
      'TUNE-30010',
      `Another shell (${writerName(forced)}) began ${what(forced)} by force, so this one stops.`,
      { value: forced.id },
    );
}

/** @param {Entry} entry @param {Run} run */
const isBusyOn = (entry, run) =>
  entry.outcome === 'unknown' &&
  !entry.groupEnded &&
  sameRun(entry.run, run) &&
  isInProgress(entry);

/** @param {Entry} entry @returns {TuneError} */
const busyError = (entry) =>
  new TuneError(
    'TUNE-30010',
    `Another shell (${writerName(entry)}) is at ${what(entry)} on this server, and has not written ` +
      'its end: Ctrl-C there ends it. If it is over there, pass { force: true }.',
    { value: entry.id },
  );

const NOUNS = Object.freeze({ apply: 'the change', undo: 'the undo', trial: 'the trial' });

/** @param {Entry} entry */
const what = ({ action, id, change }) => `${NOUNS[action]} ${id}, ${showChange(change)},`;

/** @param {string} home @returns {Entry[]} none where it cannot be read: writing it will fail */
function entriesIn(home) {
  try {
    return entriesOf(readLines(home).lines);
  } catch (_unreadable) {
    return [];
  }
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
  busyError,
  entriesIn,
  refused,
};
