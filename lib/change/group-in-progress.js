'use strict';

const { TuneError } = require('../base/pure/errors');
const { ofGroup, neverBegun, isUneven, undoesOf } = require('./pure/journal-groups');
const { mayBeEffective } = require('./pure/undoable');
const { isInProgress, isInProgressHere } = require('./change-lock');
const { isAlive, writerName } = require('./journal-writers');

/**
 * @import { Entry } from './pure/journal'
 */

/**
 * Whether another shell is at work on a change of several members: also between two of them, when
 * no call is on its way.
 */

/**
 * @param {readonly Entry[]} entries
 * @param {string} id of a group
 * @returns {Entry | null} the last entry of the shell that makes it, or takes it back, at this
 *   moment
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
  const isOver = neverBegun(entries, id).length === 0 && !found.some(mayBeEffective);
  return !isOver && (isInProgressHere(id) || isAlive(last)) ? last : null;
}

/**
 * @param {readonly Entry[]} entries @param {string} id of a group
 * @throws {TuneError} TUNE-30010
 */
function refuseGroupAtWork(entries, id) {
  const entry = groupAtWork(entries, id);
  if (entry === null) return;
  throw new TuneError(
    'TUNE-30010',
    `Another shell (${writerName(entry)}) is still at work on the change ${id} of several ` +
      'members: Ctrl-C there ends it. If that process is no shell any more, pass { force: true }.',
    { value: id },
  );
}

/**
 * Two changes that go from member to member at the same time would each take the other back.
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

module.exports = { groupAtWork, refuseGroupAtWork, refuseMembersAtWork };
