'use strict';

const { TuneError } = require('../base/pure/errors');
const { wholeEntries } = require('../change/journal');
const { entriesOf, sameRun } = require('../change/pure/journal');
const { noWayBack } = require('../change/pure/way-back');
const { mayBeEffective, isEndedByRestart } = require('../change/pure/undoable');
const { readFactsAndSettings } = require('../observe/settings');
const { refuseUnverified } = require('../change/check-server');
const { planUndo, revert } = require('../change/undo-entry');
const { pendingNow } = require('../change/pending-calls');
const { pendingWords } = require('../change/pure/pending-call');
const { withTimeout } = require('../base/timing');
const { spareHome, mergeSpare, endByRestart } = require('./group-journal');
const { revertedWords } = require('./pure/reverted-words');
const { limitsFor } = require('./reach');

/**
 * @import { Entry, JournalLine } from '../change/pure/journal'
 * @import { Run } from '../server/types'
 * @import { PlannedStop } from './group-report'
 * @import { Reverted } from './pure/reverted-words'
 * @import { Context } from '../base/types'
 * @import { Settings } from '../change/types'
 */

/**
 * Reverts the members of a change when an error stops it.
 * @typedef {{ home: string, kept: readonly JournalLine[], spare: string | null }} Place `spare`:
 *   the folder of the journal that is written instead of `home`
 */

/**
 * Reverts what this shell sent, so that nothing depends on the file of the journal; the journal
 * adds what other sessions did. A call whose answer was lost is reverted too.
 * @param {Context} ctx
 * @param {{ id: string, stops: readonly PlannedStop[], at: number, journalCopy: readonly JournalLine[] }}
 *   what `journalCopy`: the lines of the change in the journal
 * @param {Error} error the error that stopped the change
 * @returns {Promise<Error>} that error, with the outcome of each member
 */
async function revertMembers(ctx, { id, stops, at, journalCopy }, error) {
  /** @type {Place} */
  const place = { home: ctx.home, kept: [...journalCopy], spare: null };
  /** @type {Reverted} */
  const became = { back: [], restarted: [], foreign: [], left: [], problem: null, spare: null };
  for (const entry of sentOf(place, became)) {
    const member = String(entry.group?.member);
    ctx.progress(`undoing the change on ${member}`);
    const stop = /** @type {PlannedStop} */ (stops.find(({ place: { host } }) => host === member));
    try {
      became[await undoAnywhere(place, stop, entry)].push(member);
    } catch (cause) {
      const { message, code } = /** @type {Error & { code?: string }} */ (cause);
      became.left.push({ member, why: message, code: code ?? null });
    }
  }
  if (place.spare !== null) became.spare = mergeSpare(place.home, place.spare);
  const words = revertedWords(became, { id, host: stops[at].place.host, at, of: stops.length });
  return Object.assign(error, {
    message: [error.message, ...words.sentences].join(' '),
    id,
    sent: {},
    undo: words.undo,
    takenBack: became.back,
    left: became.left.map(({ member, why }) => `${member} (${why})`),
  });
}

/**
 * @param {Place} place @param {Reverted} became
 * @returns {Entry[]} the entries that were sent or may have been, the last one first
 */
function sentOf({ home, kept }, became) {
  const own = entriesOf(kept).filter(mayBeEffective).reverse();
  try {
    const all = wholeEntries(home, kept);
    return own.map((entry) => all.find(({ id }) => id === entry.id) ?? entry);
  } catch (cause) {
    became.problem = /** @type {Error} */ (cause).message;
    return own;
  }
}

const JOURNAL_FAILS = Object.freeze(['TUNE-40001', 'TUNE-40002', 'TUNE-40010']);

/**
 * Undoes one entry, also where the journal fails, which must not leave the set half changed: the
 * undo is then written into a spare one.
 * @param {Place} place @param {PlannedStop} stop @param {Entry} entry
 * @returns {Promise<'back' | 'restarted' | 'foreign'>}
 */
async function undoAnywhere(place, stop, entry) {
  try {
    if (place.spare === null) wholeEntries(place.home, place.kept);
    return await undoOne(stop, entry, place.spare ?? place.home);
  } catch (cause) {
    const { code } = /** @type {Error & { code?: string }} */ (cause);
    if (place.spare !== null || !JOURNAL_FAILS.includes(String(code))) throw cause;
    place.spare = spareHome(place.kept);
    return undoOne(stop, entry, place.spare);
  }
}

/**
 * Undoes one entry, also after Ctrl-C: nothing is left half done.
 * @param {PlannedStop} stop
 * @param {Entry} entry
 * @param {string} home of the journal
 * @returns {Promise<'back' | 'restarted' | 'foreign'>} `foreign`: another session has undone it,
 *   and a session has set something since
 */
async function undoOne({ ctx, place }, entry, home) {
  const { signal } = new AbortController();
  const known = /** @type {Context} */ (ctx);
  const there = { ...known, home, signal, interrupt: known.signal };
  const { facts, settings } = await withTimeout(
    () => readFactsAndSettings(there),
    limitsFor().memberMs,
    signal,
  );
  if (!sameRun(entry.run, settings.run)) {
    refuseAnother(entry, settings.run, place.host);
    endByRestart(home, entry);
    return 'restarted';
  }
  refuseRedone(entry, settings.entries);
  const planned = planBack(entry, { settings, cores: facts.cores });
  if (planned === null) return 'foreign';
  const done = await revert(there, entry, planned, { settings, force: false, isOwnWayBack: true });
  if (done) refuseUnverified(done, place.host);
  const pending = pendingNow(entry, settings);
  if (pending !== null)
    throw new TuneError('TUNE-20006', pendingWords(pending), { value: pending });
  const unknown = noWayBack(entry);
  if (unknown.length > 0)
    throw new TuneError('TUNE-30005', `The previous value is not known: ${unknown.join(', ')}.`, {
      value: unknown,
    });
  return 'back';
}

/**
 * Refuses a process that has run since before the change, but is not the changed one.
 * @param {Entry} entry @param {Run} run @param {string} host
 * @throws {TuneError} TUNE-20010
 */
function refuseAnother(entry, run, host) {
  if (isEndedByRestart(entry, run)) return;
  throw new TuneError('TUNE-20010', `Another process now answers at ${host}.`, { value: host });
}

/**
 * Refuses a change that another session has undone and then redone: that session wants the active
 * settings.
 * @param {Entry} entry @param {readonly Entry[]} entries @throws {TuneError} TUNE-30006
 */
function refuseRedone({ id, outcome }, entries) {
  const isUndone = outcome === 'undone' || outcome === 'partly-undone';
  const redone = entries.find((one) => one.undoes === id && one.undoneBy !== undefined);
  if (isUndone || redone === undefined) return;
  throw new TuneError('TUNE-30006', 'Another session undid the change there and redid it.', {
    value: redone.id,
  });
}

/**
 * Plans an undo. Where another session undid the change while a call was in progress, the call may
 * have arrived after that undo, whose values need not be kept then.
 * @param {Entry} entry
 * @param {{ settings: Settings, cores: number | null }} seen
 */
function planBack(entry, seen) {
  const isUndone = entry.outcome === 'undone' || entry.outcome === 'partly-undone';
  const meant = isUndone ? { ...entry, external: [], logged: undefined } : entry;
  try {
    return planUndo(meant, { ...seen, force: false, journalOnly: false }).planned;
  } catch (cause) {
    const { code } = /** @type {Error & { code?: string }} */ (cause);
    if (isUndone && code === 'TUNE-30006') return null;
    throw cause;
  }
}

module.exports = { revertMembers };
