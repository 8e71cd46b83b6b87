'use strict';

const { callText, collectionText, literal, renameText } = require('../../base/pure/printable');
const { ABORTABLE, COPY_PHASES, CUT_BACK_PHASES, restartVerb } = require('./phase-table');
const { firstCall, firstWords } = require('./split-ended-early');
const { partsOf } = require('./split-names');

/**
 * @import { Row } from './types'
 */

/** Says what happened and what to type where other sessions changed what the names of a split have. */

/** Says what a person does first. @param {Row} row @returns {string | null} */
function adviceOfNames(row) {
  if (isTaken(row) && !row.otherView) return adviceOfTaken(row);
  if (isReplaced(row)) return adviceOfReplaced(row);
  if (row.renamedAs) return row.renameCall ? adviceOfRenamed(row) : adviceOfHidden(row);
  if (isGone(row)) return ADVICE_IF_GONE[row.phase](row);
  return isCopyMissing(row) ? adviceOfCopy(row) : null;
}

/** Returns the advice after a rename, at which the change stream ends. @param {Row} row */
const adviceOfRenamed = (row) =>
  isStreamed(row)
    ? 'rename it back, then copy again: the change stream ends at a rename.'
    : 'rename it back before the next command.';

/** Says whether changes of the collection are followed. @param {Row} row */
const isStreamed = ({ phase, mode }) =>
  mode === 'online' && (phase === 'switched' || COPY_PHASES.includes(phase));

/** @param {Row} row */
const adviceOfHidden = (row) =>
  `drop the view ${namesOf(row).active}, then rename ${row.renamedAs} to that name.`;

/** Returns the advice where another collection has the name of the one that took the writes. @param {Row} row */
function adviceOfReplaced(row) {
  if (ABORTABLE.includes(row.phase)) return ADVICE_IF_GONE.following(row);
  const { active } = namesOf(row);
  if (isCutBack(row))
    return `stop the writers of ${active}, and rename it: status then shows the way.`;
  const keep = `to keep ${active} as it is now, type these. They end the split, and drop nothing.`;
  const isWayBack = row.renamedAs || (row.phase === 'switched' && !isCopyMissing(row));
  return isWayBack
    ? `${keep} To go back instead, stop its writers and rename ${active}: status then shows the way.`
    : keep;
}

/** @param {Row} row */
function adviceOfCopy(row) {
  if (row.phase !== 'switched') return null;
  const { active } = namesOf(row);
  const check = `connect the application to ${active}, and check it.`;
  if (!row.copyCall) return `${check} There is no rollback: finish ends the split.`;
  return row.mode === 'online' ? `${check} For a rollback, rename the old data back first.` : check;
}

/** @param {Row} row */
function adviceOfTaken(row) {
  const stop = 'stop the writer, then run these';
  if (row.isSeries)
    return (
      `a time series cannot be renamed: stop what writes to ${namesOf(row).blocked}, ` +
      'copy its documents elsewhere, and drop it. Then call status again.'
    );
  if (row.ownData)
    return `${firstWords(row)}${stop}. Then compare: what was written there is on one side only.`;
  return isCopied(row)
    ? `${stop} three in order. Copy stops at an _id that both sides have: compare it by hand.`
    : `${stop}.`;
}

/** Says whether documents can be copied into it; a missing collection would be made new. @param {Row} row */
const isCopied = (row) => !row.ownData && !row.renamedAs && !isGone(row);

/** Returns the advice without the source, where the copy may be the last one. @param {Row} row */
const adviceOfCopyKept = (row) =>
  isCopyMissing(row)
    ? null
    : `the copy ${row.stagingName} may be the only one. Abort with { keepCopy: true } keeps it.`;

/** Says what is left of the data. @param {Row} row */
const adviceOfOldData = (row) =>
  isCopyMissing(row)
    ? null
    : `the old data ${row.renamedTo} may be the only one. Roll back with { lost: true } gives ` +
      `it the name ${row.from} again, without later writes.`;

/** The advice where the collection that takes the writes was dropped. */
const ADVICE_IF_GONE = Object.freeze(
  /** @type {Record<string, (row: Row) => string | null>} */ ({
    following: adviceOfCopyKept,
    cutting: adviceOfCopyKept,
    draining: adviceOfCopyKept,
    aborting: adviceOfCopyKept,
    switched: adviceOfOldData,
    'cutting-back': adviceOfOldData,
    'draining-back': adviceOfOldData,
    'rolled-back': ({ kept }) => (kept ? `${kept} may be the only copy: rename it.` : null),
  }),
);

/** Says whether a rollback has begun to cut the target off. @param {Pick<Row, 'phase'>} row */
const isCutBack = ({ phase }) => CUT_BACK_PHASES.includes(phase);

/** Says whether the target has the data. @param {Pick<Row, 'phase'>} row */
const hasTarget = (row) => row.phase === 'switched' || isCutBack(row);

/** Says whether the collection that should take the writes no longer exists. @param {Row} row */
const isGone = ({ gone = null, phase }) =>
  gone === (hasTarget({ phase }) ? 'target' : 'source') && phase in ADVICE_IF_GONE;

/** Says whether another collection has the name of the one that took the writes. @param {Row} row */
const isReplaced = ({ activeHas = null, gone, renamedAs }) =>
  activeHas === 'collection' && Boolean(gone || renamedAs);

/** Says whether the collection that follows is not under its name. @param {Row} row */
const isCopyMissing = ({ copyGone = false, copyRenamedAs }) => copyGone || Boolean(copyRenamedAs);

/** Says whether a collection of the split is not under its name. @param {Row} row */
const isChanged = (row) =>
  isGone(row) || isReplaced(row) || Boolean(row.renamedAs) || isCopyMissing(row);

/** Says whether another session's collection has the name that should be blocked. @param {Row} row */
const isTaken = ({ viewInPlace = null, nameTaken }) => viewInPlace === false && nameTaken === true;

/** Returns the name that is blocked, and the one that is active. @param {Row} row */
const namesOf = ({ phase, from, into }) =>
  hasTarget({ phase }) ? { blocked: from, active: into } : { blocked: into, active: from };

/**
 * Makes the calls that add the documents of another session's collection to the others. A view has none.
 * @param {Row} row
 * @returns {[string, string | null][]}
 */
function adoption(row) {
  const { blockCall = null, renameTo = null } = row;
  const { blocked, active } = namesOf(row);
  const [[database, name], [db, coll]] = [partsOf(blocked), partsOf(active)];
  if (row.otherView || renameTo === null) return [['Block', row.otherView ? blockCall : null]];
  const merge = { into: { db, coll }, whenMatched: 'fail' };
  const copy = `${collectionText(database, renameTo)}.aggregate([{ $merge: ${literal(merge)} }])`;
  return [
    firstCall(row),
    ['Rename', renameText({ db: database, name }, renameTo)],
    ['Block', blockCall],
    ['Copy', isCopied(row) ? copy : null],
  ];
}

/**
 * Makes the calls where a collection of the split is not under its name.
 * @param {Row} row
 * @returns {[string, string | null][] | null} null: the usual calls apply
 */
function callsIfChanged(row) {
  if (isGone(row) || isReplaced(row)) return callsIfGone(row);
  if (row.renamedAs) return callsIfRenamed(row);
  return isCopyMissing(row) ? callsWithoutCopy(row) : null;
}

/** @param {Row} row */
function callsIfRenamed(row) {
  const { phase, ownId, next, renameCall = null } = row;
  const isCut = ABORTABLE.includes(phase) && !COPY_PHASES.includes(phase);
  return pairs([
    ['Rename', renameCall],
    [restartVerb(row), renameCall && isStreamed(row) ? restartText(ownId) : null],
    [phase === 'aborting' ? 'Abort' : 'Resume', renameCall && isCut ? next : null],
    ['Roll back', renameCall && isCutBack(row) ? next : null],
  ]);
}

/** Makes the calls that still help where the collection that takes the writes is gone. @param {Row} row */
function callsIfGone(row) {
  const { phase, ownId } = row;
  if (ABORTABLE.includes(phase)) return pairs([['Dry run', abortText(ownId)]]);
  const lost = callText('split.rollback', ownId, { lost: true });
  if (isCutBack(row)) return pairs([['Dry run', isReplaced(row) ? null : lost]]);
  if (phase !== 'switched' || isReplaced(row) || row.copyGone) return keepAndFinish(row);
  return pairs([
    ['Rename', row.copyCall ?? null],
    ['Dry run', lost],
  ]);
}

/** @param {string} id */
const abortText = (id) => callText('split.abort', id, { keepCopy: true });

/** @param {Row} row */
const keepAndFinish = ({ keepCalls = [], next }) =>
  pairs([
    ...keepCalls.map((call) => [/renameCollection/.test(call) ? 'Rename' : 'Block', call]),
    ['Dry run', next && asDryRun(next)],
  ]);

/**
 * Makes the calls without a copy: before the cutover a new one can be made; after it there is no rollback.
 * @param {Row} row
 */
function callsWithoutCopy(row) {
  const { phase, ownId, next, nextBack, blockCall = null, nameTaken } = row;
  const isMoved = phase === 'switched';
  return pairs([
    ['Block', nameTaken ? null : blockCall],
    ...(row.closeCalls ?? []).map((call) => ['Block', call]),
    ['Rename', row.copyCall ?? null],
    isMoved ? ['Dry run', next && asDryRun(next)] : [restartVerb(row), restartText(ownId)],
    ['Way back', isMoved ? null : nextBack && asDryRun(nextBack)],
  ]);
}

/** @param {(string | null)[][]} calls */
const pairs = (calls) => /** @type {[string, string | null][]} */ (calls);

/** Makes the call for a copy from the beginning. @param {string} id */
const restartText = (id) => callText('split.resume', id, { restart: true, confirm: true });

/**
 * Returns the commands of the phase that fail now.
 * @param {Row} row
 * @returns {{ next?: string, nextBack?: null }}
 */
function nextOfChanged(row) {
  if (row.phase === 'switched')
    return isReplaced(row) || isCopyMissing(row) ? { nextBack: null } : {};
  return isCopyMissing(row) ? { next: restartText(row.ownId) } : {};
}

/** @param {string} call @returns {string} */
const asDryRun = (call) => call.replace(/, \{ confirm: true \}\)$/, ')');

/** Says so where the name that should be blocked is not. @param {Row} row @returns {string | null} */
function notBlocking(row) {
  if ((row.viewInPlace ?? null) !== false) return null;
  const { blocked, active } = namesOf(row);
  if (row.heldBy) return notBlockingNow(row, blocked, active);
  if (row.otherView)
    return `Another session created a view ${blocked}. Reads of it are answered by ${row.otherView}.`;
  if (row.ownData)
    return `Another session renamed a collection of the split to ${blocked}, which takes writes.`;
  return row.nameTaken
    ? `Another session created a ${row.isSeries ? 'time series' : 'collection'} ${blocked}. Its documents are not in ${active} (TUNE-35013).`
    : `Another session dropped the view at ${blocked} that blocked it. A write to ${blocked} ` +
        `creates a new collection.${row.blockRefused ? ` ${row.blockRefused}` : ''}`;
}

/**
 * Says so where a shell is at work, which may have done it.
 * @param {Row} row @param {string} blocked @param {string} active
 */
const notBlockingNow = ({ nameTaken }, blocked, active) =>
  nameTaken
    ? `${blocked} is not blocked: it is another collection or view. Its documents are not in ${active}.`
    : `${blocked} is not blocked: a write to it creates a new collection.`;

/**
 * Says so where the collection that takes the writes is not under its name.
 * @param {Row} row @returns {string | null}
 */
function notActive(row) {
  const { active } = namesOf(row);
  if (isReplaced(row)) return replaced(row, active);
  if (row.renamedAs) return `Another session renamed ${active} to ${row.renamedAs}.`;
  return isGone(row) ? `Another session dropped ${active}, or replaced it.` : null;
}

/** @param {Row} row @param {string} active */
const replaced = ({ renamedAs }, active) =>
  renamedAs
    ? `Another session renamed ${active} to ${renamedAs}. Another collection has the name ` +
      `${active} and takes the writes.`
    : `Another session replaced ${active}. The collection that is now ${active} takes the writes.`;

/** Says so where the collection that follows is not under its name. @param {Row} row @returns {string | null} */
function notFollowing(row) {
  if (!isCopyMissing(row)) return null;
  const [name, what] =
    row.phase === 'switched' ? [row.renamedTo, 'the old data'] : [row.stagingName, 'the copy'];
  return row.copyRenamedAs
    ? `Another session renamed ${name}, ${what}, to ${row.copyRenamedAs}.`
    : `Another session dropped ${name}, ${what}, or replaced it.`;
}

module.exports = {
  adoption,
  adviceOfNames,
  asDryRun,
  callsIfChanged,
  isChanged,
  isCopyMissing,
  isGone,
  isReplaced,
  isTaken,
  nextOfChanged,
  notActive,
  notBlocking,
  notFollowing,
};
