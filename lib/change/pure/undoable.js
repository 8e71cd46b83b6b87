'use strict';

const { sameRun } = require('./journal');
const { leftBy, maybeSent, noWayBack, unknownSettings } = require('./way-back');
const { settingsIn } = require('../../config/effective-config');
const { settingsOf, pick, without } = require('../../config/change');
const { TuneError } = require('../../base/pure/errors');
const { quoteConfig, shownConfig } = require('../../config/engine-config');

/**
 * @import { Change } from '../../base/types'
 * @import { Entry } from './journal'
 * @import { Run } from '../../server/types'
 */

/** Finds the entry of the journal that an undo reverts, and the values to which it reverts. */

/**
 * @param {Pick<Entry, 'outcome' | 'sent'>} entry
 * @returns {boolean} whether a part of the entry is or may be in effect
 */
const mayBeEffective = ({ outcome, sent }) =>
  outcome === 'applied' || outcome === 'unknown' || (outcome === 'interrupted' && sent.length > 0);

/**
 * @param {readonly Entry[]} entries
 * @param {string | undefined} id
 * @param {Run} run
 * @returns {Entry} the named entry, or the last one in effect on this server; repeated undos reach
 *   earlier entries
 * @throws {TuneError} TUNE-10003, TUNE-20010, TUNE-30007
 */
function entryToUndo(entries, id, run) {
  const here = entries.filter((entry) => entry.host === run.host);
  const entry =
    id === undefined ? lastStanding(here, run) : standing(named(entries, id, run), here);
  if (entry === undefined)
    throw new TuneError(
      'TUNE-30007',
      [`tune has no active change on ${run.host}.`, ...partlyUndoneAfter(here, null, run)].join(
        ' ',
      ),
      { value: id, allowed: here.map((one) => one.id) },
    );
  if (!mayBeEffective(entry)) {
    throw new TuneError(
      'TUNE-30007',
      entry.outcome === 'partly-undone'
        ? sayLeft(entry)
        : `The change ${entry.id} is not active: it was ${entry.outcome}.`,
      { value: entry.id, allowed: here.filter(mayBeEffective).map((one) => one.id) },
    );
  }
  if (!sameRun(entry.run, run))
    throw new TuneError('TUNE-30007', sayOtherRun(entry, run), { value: entry.id });
  refuseClosed(entry, entries);
  return entry;
}

/**
 * Returns the last active change of this run, or else the last one of another server of the same
 * name.
 * @param {readonly Entry[]} here @param {Run} run
 */
function lastStanding(here, run) {
  const active = here.filter(
    (one) => mayBeEffective(one) && (one.action !== 'undo' || bringsBack(one, here)),
  );
  return active.findLast((one) => sameRun(one.run, run)) ?? active.at(-1);
}

/**
 * Says whether an undo that ended in the middle left a change effective. Such an undo is finished
 * by another undo of its change. What it undoes may be an undo itself: then a part of the change
 * before that is effective, which no other entry names.
 * @param {Entry} undo @param {readonly Entry[]} here
 */
function bringsBack({ outcome, undoes }, here) {
  const undone = here.find(({ id }) => id === undoes);
  return outcome !== 'applied' && undone?.action === 'undo' && mayBeEffective(undone);
}

/**
 * Returns the entry by which a change may be in effect: itself, or an undo of its undo that ended
 * in the middle.
 * @param {Entry} entry @param {readonly Entry[]} entries
 * @returns {Entry} the entry itself where no part of the change is in effect
 */
const standing = (entry, entries) =>
  mayBeEffective(entry) ? entry : (broughtBackBy(entry, entries) ?? entry);

/**
 * @param {Entry} entry @param {readonly Entry[]} entries
 * @returns {Entry | undefined}
 */
function broughtBackBy({ id }, entries) {
  const later = entries.slice(entries.findIndex((one) => one.id === id) + 1);
  const undos = new Set(later.filter(({ undoes }) => undoes === id).map((undo) => undo.id));
  const again = later.filter(({ undoes }) => undos.has(String(undoes)));
  return (
    again.findLast((one) => mayBeEffective(one) && bringsBack(one, later)) ??
    again.map((one) => broughtBackBy(one, later)).find((one) => one !== undefined)
  );
}

/**
 * Says whether a restart reverted the change. A run that began before the change is another server
 * with that name (containers, forwarded ports).
 * @param {Pick<Entry, 'run' | 'atMs'>} entry @param {Run} run
 * @returns {boolean} whether a restart has ended the change's run
 */
const isEndedByRestart = ({ run: then, atMs }, run) =>
  !sameRun(then, run) &&
  then.host === run.host &&
  run.startedAtMs !== null &&
  run.startedAtMs > atMs;

/** @param {Entry} entry @param {Run} run */
const sayOtherRun = (entry, run) =>
  isEndedByRestart(entry, run)
    ? `${run.host} was started after the change ${entry.id} of ${entry.at}: a ` +
      'restart reverted the settings, or this is another server with that name.'
    : `The change ${entry.id} of ${entry.at} was made on another server with the ` +
      `name ${run.host}, or before a restart: connect to that server.`;

/**
 * Refuses to undo an undo whose change was closed in another way: that would make the change
 * effective, without an active entry for it.
 * @param {Entry} entry @param {readonly Entry[]} entries @throws {TuneError} TUNE-30007
 */
function refuseClosed({ id, undoes }, entries) {
  const undone = entries.find((one) => one.id === undoes);
  if (undone === undefined || mayBeEffective(undone) || undone.undoneBy === id) return;
  const by = undone.undoneBy
    ? `tune.undo("${undone.undoneBy}") previews how to restore it`
    : 'tune.apply() sets it again';
  throw new TuneError(
    'TUNE-30007',
    `The undo ${id} is done: the change ${undone.id} is ${undone.outcome}; ${by}.`,
    { value: id },
  );
}

/** @param {readonly Entry[]} entries @param {string} id @param {Run} run */
function named(entries, id, run) {
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined)
    throw new TuneError('TUNE-10003', `The journal has no change "${id}".`, {
      value: id,
      allowed: entries.map((one) => one.id),
    });
  if (entry.host !== run.host)
    throw new TuneError(
      'TUNE-20010',
      `The change ${id} was made on ${entry.host}, but this is ${run.host}.`,
      { value: entry.host, allowed: run.host },
    );
  return entry;
}

/**
 * @param {Entry} entry
 * @returns {Change} the values before, for the settings that the server has or may have accepted
 */
function inverseOf(entry) {
  const touched = settingsIn(maybeSent(entry).join(','));
  const { blocked } = leftBy(entry);
  return pick(entry.before, settingsOf(without(touched, blocked)));
}

/** @param {Entry} entry @returns {boolean} whether an undo of the entry has anything to set */
const hasWayBack = (entry) =>
  noWayBack(entry).length === 0 || settingsOf(inverseOf(entry)).length > 0;

/** @param {Entry} entry */
function sayLeft(entry) {
  const { unknown: before, blocked } = leftBy(entry);
  const settings = unknownSettings(entry);
  const left = [
    ...(blocked.length > 0
      ? [`${blocked.join(', ')} kept the value of the change, because ${CONTRADICTS}`]
      : []),
    ...(before.length > 0
      ? [
          `${before.join(', ')} kept the value of the change, because the value ` +
            'before was unknown',
        ]
      : []),
    ...(settings.length > 0
      ? [`${settings.join(', ')} kept the value of the change, because ${LATER_RELEASE}`]
      : []),
  ];
  return `The change ${entry.id} is only partly undone: ${left.join('; ')}.`;
}

const CONTRADICTS = 'its value before contradicts the one that stays';
const LATER_RELEASE = 'only a later release of tune supports that setting';

/**
 * Lists what an undo passes over to reach an earlier entry.
 * @param {readonly Entry[]} entries
 * @param {Entry | null} entry the entry to undo; null: none
 * @param {Run} run
 * @returns {string[]}
 */
function partlyUndoneAfter(entries, entry, run) {
  const later = entries.slice(entries.findIndex((one) => one.id === entry?.id) + 1);
  return later
    .filter((one) => one.outcome === 'partly-undone' && sameRun(one.run, run))
    .map(sayLeft);
}

/**
 * Says what an undo does not restore of a change, and what to do about it.
 * @param {Entry} entry @returns {string[]}
 */
function notBroughtBack(entry) {
  const { unknown: left, blocked } = leftBy(entry);
  const [asked, unknown] = [inverseOf(entry), unknownSettings(entry)];
  const neverSent = settingsOf(entry.change).filter(
    (setting) =>
      asked[setting] === undefined && !left.includes(setting) && !blocked.includes(setting),
  );
  return [
    ...(neverSent.length > 0 ? [`Not restored, because never sent: ${neverSent.join(', ')}.`] : []),
    ...(left.length > 0
      ? [
          'Not restored, because the value before the change is unknown: ' +
            `${left.join(', ')}. It keeps its value until tune.apply() sets another ` +
            'one or the server restarts.',
        ]
      : []),
    ...(blocked.length > 0
      ? [
          `Not restored, because ${CONTRADICTS}: ${blocked.join(', ')}. tune.apply() sets both ` +
            'together.',
        ]
      : []),
    ...(unknown.length > 0
      ? [
          `Not restored, because ${LATER_RELEASE}: ${unknown.join(', ')}. It keeps ` +
            'its value until the server restarts.',
        ]
      : []),
    ...(hasWayBack(entry)
      ? []
      : [
          `No setting of the change ${entry.id} can be undone, and it stays ` +
            `${entry.outcome}; tune.undo("<id>") undoes an earlier one.`,
        ]),
  ];
}

/**
 * @param {Entry} entry
 * @returns {string[]} the facts known of a change whose shell ended in the middle
 */
function progressNote({ outcome, commands, asking, sent, action }) {
  if (outcome !== 'unknown') return [];
  if (action === 'trial')
    return [
      'The trial was cut short: which of its two settings is active is read from the ' +
        "server's log and counters.",
    ];
  const planned = commands.map(shownConfig);
  const answered = sent.filter(({ command }) => planned.includes(shownConfig(command))).length;
  const down =
    sent.length === answered ? '' : ` and ${sent.length - answered} while lowering in steps`;
  const open =
    asking === null
      ? ''
      : `; whether ${quoteConfig(asking.command)} arrived is read from the server's log and counters`;
  return [
    `The shell that made this change ended before it was complete: ${answered} of ` +
      `${commands.length} calls${down} are known to be answered${open}.`,
  ];
}

module.exports = {
  bringsBack,
  entryToUndo,
  standing,
  isEndedByRestart,
  inverseOf,
  hasWayBack,
  partlyUndoneAfter,
  notBroughtBack,
  progressNote,
  mayBeEffective,
};
