'use strict';

const { TuneError } = require('../base/pure/errors');
const { ofGroup, neverBegun, isUneven, undoesOf } = require('./pure/journal-groups');
const { mayBeEffective } = require('./pure/undoable');
const {
  isInProgress,
  isInProgressHere,
  entriesIn,
  closeRefused,
  busyWords,
} = require('./change-lock');
const { sameRun } = require('./pure/journal');
const { isAlive } = require('./writer');

/**
 * @import { Entry, MemberGroup } from './pure/journal'
 * @import { Run } from '../server/types'
 */

/**
 * Says whether another shell is changing several members, also between two of them, when no call is
 * in progress.
 */

/**
 * @param {readonly Entry[]} entries
 * @param {string} id of a group
 * @returns {Entry | null} the last entry of the shell that makes or reverts it at this moment
 */
function groupAtWork(entries, id) {
  const undoes = undoesOf(entries, id);
  const groups = new Set(undoes.flatMap(({ group }) => (group ? [group.id] : [])));
  return (
    makerOf(entries, id) ??
    undoes.find((entry) => !entry.group && entry.outcome === 'unknown' && isInProgress(entry)) ??
    [...groups].map((one) => makerOf(entries, one)).find((entry) => entry !== null) ??
    null
  );
}

/** @param {readonly Entry[]} entries @param {string} id @returns {Entry | null} */
function makerOf(entries, id) {
  const found = ofGroup(entries, id);
  const last = found.at(-1);
  if (last === undefined || last.groupEnded || !isUneven(entries, id)) return null;
  const isFullyReverted = neverBegun(entries, id).length === 0 && !found.some(mayBeEffective);
  return !isFullyReverted && (isInProgressHere(id) || isAlive(last)) ? last : null;
}

/**
 * @param {readonly Entry[]} entries @param {string} id of a group
 * @throws {TuneError} TUNE-30010
 */
function refuseGroupAtWork(entries, id) {
  const entry = groupAtWork(entries, id);
  if (entry === null) return;
  throw new TuneError('TUNE-30010', busyWords(entry, `the change ${id} of several members`), {
    value: id,
  });
}

/**
 * Refuses a second change from member to member at the same time: each would revert the other.
 * @param {readonly Entry[]} entries @param {readonly string[]} hosts @throws {TuneError} TUNE-30010
 */
function refuseMembersAtWork(entries, hosts) {
  const ids = new Set(
    entries.flatMap(({ group }) =>
      group?.members.some((member) => hosts.includes(member)) ? [group.id] : [],
    ),
  );
  for (const id of ids) refuseGroupAtWork(entries, id);
}

/**
 * @typedef {{
 *   id?: string, undoes: string | null, group?: MemberGroup, force?: boolean, isOwnWayBack?: boolean
 * }} Own the change to make; `id`: of its entry, once that is written; `isOwnWayBack`: the shell
 *   that changes the members reverts its own change
 */

/**
 * Refuses to change a server that is a member of a change of several members, also between two
 * members, when no call is in progress. Of two changes begun at the same moment the first one in
 * the journal continues.
 * @param {string} home @param {Run} run @param {Own} own
 * @throws {TuneError} TUNE-30010
 */
function refuseMemberAtWork(home, run, own) {
  // A shell that reverts its own members continues, whichever other shell is at work.
  if (own.force || own.isOwnWayBack) return;
  const entries = entriesIn(home);
  const undoneIds = undoneBy(entries, own);
  // The undo of one member only is no part of a change that goes from member to member.
  const undone = own.group ? entries.filter(({ id }) => undoneIds.has(id)) : [];
  const related = new Set([own, ...undone].map(({ group }) => group?.id));
  const at = entries.findIndex(
    ({ id, group }) => id === own.id || (group && group.id === own.group?.id),
  );
  const ids = new Set(
    entries
      .slice(0, at === -1 ? undefined : at)
      .flatMap((entry) => (isMember(entry, run) ? [String(entry.group?.id)] : [])),
  );
  for (const id of ids) if (!related.has(id)) refuseGroupAtWork(entries, id);
}

/** @param {Entry} entry @param {Run} run @returns {boolean} whether its group changes that server */
const isMember = ({ group, run }, { me = null, ...now }) =>
  group !== undefined && (group.members.includes(String(me)) || sameRun(run, now));

/**
 * @param {readonly Entry[]} entries @param {Pick<Own, 'undoes'>} own
 * @returns {Set<string>} the ids of the undone change, and of those that it had undone
 */
function undoneBy(entries, { undoes }) {
  const ids = /** @type {Set<string>} */ (new Set());
  for (let next = undoes; next !== null && !ids.has(next);) {
    const id = next;
    ids.add(id);
    next = entries.find((entry) => entry.id === id)?.undoes ?? null;
  }
  return ids;
}

/**
 * Refuses the second of two changes right after its intent was written.
 * @param {string} home @param {Run} run @param {Own & { id: string }} own
 * @throws {TuneError} TUNE-30010
 */
function refuseSecondAtWork(home, run, own) {
  try {
    refuseMemberAtWork(home, run, own);
  } catch (error) {
    throw closeRefused(home, own.id, /** @type {Error} */ (error));
  }
}

module.exports = {
  groupAtWork,
  refuseGroupAtWork,
  refuseMembersAtWork,
  refuseMemberAtWork,
  refuseSecondAtWork,
};
