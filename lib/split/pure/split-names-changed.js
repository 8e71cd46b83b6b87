'use strict';

const { callText, collectionText, literal, renameText } = require('../../base/pure/printable');
const { partsOf } = require('./split-names');

/**
 * @import { Row } from './types'
 */

/**
 * What is said, and what is to be typed, where other sessions changed what the names of a split
 * have.
 */

/** What a person does first. @param {Row} row @returns {string | null} */
function adviceOfNames(row) {
  if (isTaken(row) && !row.otherView) return adviceOfTaken(row);
  if (row.renamedAs)
    return `rename ${row.renamedAs} to ${namesOf(row).active} before the next command.`;
  return isGone(row) ? ADVICE_IF_GONE[row.phase](row) : null;
}

/** @param {Row} row */
function adviceOfTaken(row) {
  const stop = 'stop what writes there; then these';
  if (row.ownData)
    return `${stop} before anything else. Compare then: what was written there is on one side only.`;
  return isCopied(row)
    ? `${stop} three before anything else. Copy ends at the first _id that is on both sides: ` +
        'compare by hand.'
    : `${stop} before anything else.`;
}

/** Into a collection that is not there a copy would make a new one. @param {Row} row */
const isCopied = (row) => !row.ownData && !row.renamedAs && !isGone(row);

/** The way on where the collection that takes the writes was dropped. */
const ADVICE_IF_GONE = Object.freeze(
  /** @type {Record<string, (row: Row) => string | null>} */ ({
    following: ({ stagingName }) =>
      `the copy ${stagingName} may be the only one. Abort with { keepCopy: true } keeps it.`,
    switched: ({ renamedTo, from }) =>
      `the old data ${renamedTo} may be the only one. Roll back with { lost: true } gives it the ` +
      `name ${from} again, without later writes.`,
    'rolled-back': ({ kept }) => (kept ? `${kept} may be the only copy: rename it.` : null),
  }),
);

/** Whether the collection that should take the writes no longer exists. @param {Row} row */
const isGone = ({ gone = null, phase }) =>
  gone === (phase === 'switched' ? 'target' : 'source') && phase in ADVICE_IF_GONE;

/** Where a collection of others lies at the name that should be blocked. @param {Row} row */
const isTaken = ({ viewInPlace = null, nameTaken }) => viewInPlace === false && nameTaken === true;

/** The name that is blocked, and the one that is active. @param {Row} row */
const namesOf = ({ phase, from, into }) =>
  phase === 'switched' ? { blocked: from, active: into } : { blocked: into, active: from };

/**
 * How the documents of another session's collection get to the others. A view has none.
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
    ['Rename', renameText({ db: database, name }, renameTo)],
    ['Block', blockCall],
    ['Copy', isCopied(row) ? copy : null],
  ];
}

/** What still helps where the collection that takes the writes is gone. @param {Row} row */
const callsIfGone = ({ phase, ownId, next }) =>
  /** @type {[string, string | null][]} */ (
    {
      following: [['Abort', callText('split.abort', ownId, { keepCopy: true })]],
      switched: [['Roll back', callText('split.rollback', ownId, { lost: true })]],
    }[/** @type {string} */ (phase)] ?? [['Finish', next && asDryRun(next)]]
  );

/** @param {string} call @returns {string} */
const asDryRun = (call) => call.replace(/, \{ confirm: true \}\)$/, ')');

/** Where the name that should be blocked is not. @param {Row} row @returns {string | null} */
function notBlocking(row) {
  if ((row.viewInPlace ?? null) !== false) return null;
  const { blocked, active } = namesOf(row);
  if (row.otherView)
    return `Another session created a view ${blocked}. Reads of it are answered by ${row.otherView}.`;
  if (row.ownData)
    return `Another session renamed a collection of the split to ${blocked}, which takes writes.`;
  return row.nameTaken
    ? `Another session created a collection ${blocked}. Its documents are not in ${active} (TUNE-35013).`
    : `Another session dropped the view at ${blocked} that blocked it. A write to ${blocked} ` +
        `creates a new collection.${row.blockRefused ? ` ${row.blockRefused}` : ''}`;
}

/** Where the collection that takes the writes is not. @param {Row} row @returns {string | null} */
function notActive(row) {
  const { active } = namesOf(row);
  if (row.renamedAs) return `Another session renamed ${active} to ${row.renamedAs}.`;
  return isGone(row) ? `Another session dropped ${active}, or replaced it.` : null;
}

module.exports = {
  adoption,
  adviceOfNames,
  asDryRun,
  callsIfGone,
  isGone,
  isTaken,
  notActive,
  notBlocking,
};
