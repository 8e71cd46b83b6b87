'use strict';

const { callText, collectionText, literal, quoted } = require('../../base/pure/literal');
const { callLines, part } = require('../../text/layout');
const { READY_PHASES } = require('./phase-table');
const { partsOf } = require('./split-names');

/**
 * @import { Ink } from '../../base/types'
 * @import { Row } from './types'
 */

/** What to type next on a split. */

/** What a command is called before it. @type {Readonly<Record<string, string>>} */
const VERBS = Object.freeze({
  run: 'Run',
  verify: 'Repair',
  cutover: 'Cut over',
  rollback: 'Roll back',
  finish: 'Finish',
  abort: 'Abort',
  resume: 'Resume',
});

/** @param {string | null} call */
const verbOf = (call) => VERBS[call?.match(/^tune\.split\.(\w+)/)?.[1] ?? ''] ?? 'Apply';

/** @param {Row} row @param {Ink} ink @returns {string[]} */
function nextLines(row, ink) {
  const advice = adviceOf(row);
  return [...(advice === null ? [] : part('NEXT', advice, ink)), ...callLines(nextCalls(row), ink)];
}

/** What a person does before the next command. @param {Row} row */
function adviceOf(row) {
  const { phase, mode, from, into } = row;
  if (isTaken(row))
    return (
      'stop what writes there; then these three before anything else. Copy ends at the first _id ' +
      'that is on both sides: compare by hand.'
    );
  if (phase === 'following' && !hasDifferences(row))
    return 'before the cutover, deploy applications that try both names (docs/split.md)';
  if (phase === 'switched')
    return (
      `connect the application to ${into}, and check it. Finish drops the old data` +
      `${mode === 'online' ? ': after that there is no rollback' : ''}.`
    );
  if (phase === 'rolled-back')
    return `connect the application to ${from}, and check it. Finish drops the data that ${into} had.`;
  return null;
}

/** Which a comparison found. @param {Pick<Row, 'verified'>} row */
const hasDifferences = ({ verified }) => (verified?.differences ?? 0) > 0;

/** Where a collection of others lies at the name that should be blocked. @param {Row} row */
const isTaken = ({ viewInPlace = null, nameTaken }) => viewInPlace === false && nameTaken === true;

/** The name that is blocked, and the one that is active. @param {Row} row */
const namesOf = ({ phase, from, into }) =>
  phase === 'rolled-back' ? { blocked: into, active: from } : { blocked: from, active: into };

/** How the documents of another session's collection get to the others. @param {Row} row */
function adoption(row) {
  const { blocked, active } = namesOf(row);
  const [[database, name], [db, coll]] = [partsOf(blocked), partsOf(active)];
  const other = `${name}_other`;
  const merge = { into: { db, coll }, whenMatched: 'fail' };
  return /** @type {[string, string][]} */ ([
    ['Rename', `${collectionText(database, name)}.renameCollection(${quoted(other)})`],
    ['Block', String(row.blockCall)],
    ['Copy', `${collectionText(database, other)}.aggregate([{ $merge: ${literal(merge)} }])`],
  ]);
}

/** @param {Row} row @returns {[string, string | null][]} */
function nextCalls(row) {
  if (isTaken(row)) return adoption(row);
  const { id, phase, verified, next, nextBack } = row;
  const isBehind = isWaiting(row) && isOverrun(row);
  const calls = /** @type {[string, string | null][]} */ ([
    ['Copy again', isBehind ? callText('split.resume', id, RESTART) : null],
    ['Verify', phase === 'following' && !verified ? callText('split.verify', id) : null],
    ['Block', row.viewInPlace === false ? (row.blockCall ?? null) : null],
    ['Catch up', hasToCatchUp(row) ? callText('split.resume', id, { confirm: true }) : null],
    ...inOrder(phase, [
      [verbOf(next), next],
      [verbOf(nextBack), nextBack],
    ]),
  ]);
  // What applies later changes first is refused without them.
  return isBehind ? calls.filter(([word]) => !NEED_OPLOG.has(word)) : calls;
}

/** Whether writes are applied by commands alone. @param {Row} row */
const isWaiting = ({ mode, heldBy, phase }) =>
  mode === 'online' && !heldBy && READY_PHASES.includes(phase);

/** @param {Row} row */
const hasToCatchUp = (row) => isWaiting(row) && Boolean(row.broughtOverAt) && !hasDifferences(row);
const NEED_OPLOG = new Set(['Verify', 'Catch up', VERBS.cutover, VERBS.rollback]);

/** Options of a copy from the beginning. */
const RESTART = Object.freeze({ restart: true, confirm: true });

/**
 * What drops the last way back comes last, and as a dry run.
 * @param {Row['phase']} phase
 * @param {[string, string | null][]} calls
 * @returns {[string, string | null][]}
 */
const inOrder = (phase, calls) =>
  ['switched', 'rolled-back'].includes(phase)
    ? calls
        .toReversed()
        .map(([verb, call]) => [
          verb,
          verb === VERBS.finish ? (call?.replace(CONFIRM, ')') ?? null) : call,
        ])
    : calls;
const CONFIRM = /, \{ confirm: true \}\)$/;

/**
 * Whether the oplog no longer has what was not applied.
 * @param {Pick<Row, 'broughtOverAt' | 'oplogFrom'>} row
 */
const isOverrun = ({ broughtOverAt = null, oplogFrom = null }) =>
  broughtOverAt !== null && oplogFrom !== null && oplogFrom > broughtOverAt;

/** Where the name that should be blocked is not. @param {Row} row @returns {string | null} */
function notBlocking(row) {
  if ((row.viewInPlace ?? null) !== false) return null;
  const { blocked, active } = namesOf(row);
  return row.nameTaken
    ? `Another session created a collection ${blocked}. Its documents are not in ${active} (TUNE-35013).`
    : `Another session dropped the view at ${blocked} that blocked it. A write to ${blocked} ` +
        'creates a new collection.';
}

module.exports = { nextLines, notBlocking, hasDifferences, isOverrun, verbOf };
