'use strict';

const { callText } = require('../../base/pure/printable');
const { callLines, part } = require('../../text/layout');
const {
  adoption,
  adviceOfNames,
  asDryRun,
  callsIfChanged,
  isChanged,
  isGone,
  isTaken,
} = require('./split-names-changed');
const { READY_PHASES, blocksIn, isBeingUndone, restartVerb, wasIn } = require('./phase-table');
const { adviceOfEarly, callsOfEarly } = require('./split-ended-early');

/**
 * @import { Ink } from '../../base/types'
 * @import { Mode } from './phase-table'
 * @import { Row } from './types'
 */

/** Prints what to type next on a split. */

/** The words before each command. @type {Readonly<Record<string, string>>} */
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

/** Says what a person does before the next command. @param {Row} row */
const adviceOf = (row) =>
  adviceOfNames(row) ??
  adviceOfEarly(row) ??
  (isChanged(row) || isBeingUndone(row) ? null : (ADVICE[row.phase]?.(row) ?? null));

/** @type {Readonly<Partial<Record<Row['phase'], (row: Row) => string | null>>>} */
const ADVICE = Object.freeze({
  following: (row) =>
    hasDifferences(row)
      ? null
      : 'before the cutover, deploy applications that try both names (docs/split.md)',
  switched: ({ mode, into }) =>
    `connect the application to ${into}, and check it. tune.split.finish() drops the old data` +
    `${mode === 'online' ? ': after that there is no rollback' : ''}.`,
  'rolled-back': ({ from, into, kept, movedBy = null }) =>
    movedBy
      ? null
      : `connect the application to ${from}, and check it.` +
        `${kept ? ` tune.split.finish() drops the data that ${into} had.` : ''}`,
  aborted: (row) => (row.gone === 'source' || wasIn(row, 'cutting') ? null : useSource(row)),
  finished: (row) => (wasIn(row, 'rolled-back') || wasIn(row, 'aborted') ? useSource(row) : null),
});

/** Warns of writes to the free name, which would make a new collection. @param {Row} row */
const useSource = ({ from, into }) =>
  `let applications use ${from} only: this split no longer blocks ${into}, and a write to it makes ` +
  'a new collection';

/** Says whether a comparison found differences. @param {Pick<Row, 'verified'>} row */
const hasDifferences = ({ verified }) => (verified?.differences ?? 0) > 0;

/** @param {Row} row @returns {[string, string | null][]} */
function nextCalls(row) {
  const due = isTaken(row) ? adoption(row) : [];
  const changed = callsIfChanged(row);
  if (isTaken(row) && !row.otherView && !isGone(row)) return due;
  if (changed) return [...due, ...changed];
  return [...due, ...usualCalls(row)];
}

/** @param {Row} row @returns {[string, string | null][]} */
function usualCalls(row) {
  const { ownId: id, phase, verified, next, nextBack } = row;
  if (isBeingUndone(row)) return [blockOf(row), [verbOf(next), next]];
  const isBehind = isWaiting(row) && isOverrun(row);
  const calls = /** @type {[string, string | null][]} */ ([
    [restartVerb(row), isBehind ? callText('split.resume', id, RESTART) : null],
    ['Verify', phase === 'following' && !verified ? callText('split.verify', id) : null],
    blockOf(row),
    ...callsOfEarly(row),
    ['Catch up', hasToCatchUp(row) ? callText('split.resume', id, { confirm: true }) : null],
    ...inOrder(phase, [
      [verbOf(next), next],
      [verbOf(nextBack), nextBack],
    ]),
  ]);
  // Commands that apply later changes first are refused without the oplog.
  const left = isBehind ? calls.filter(([word]) => !NEED_OPLOG.has(word)) : calls;
  return mayBlock(row) ? left : left.map(dryRunFirst);
}

/** @param {Row} row @returns {[string, string | null]} */
const blockOf = ({ viewInPlace, nameTaken, blockCall = null }) => [
  'Block',
  viewInPlace === false && !nameTaken ? blockCall : null,
];

/** Says whether only commands apply writes. @param {Row} row */
const isWaiting = ({ mode, heldBy, phase }) =>
  mode === 'online' && !heldBy && READY_PHASES.includes(phase);

/** @param {Row} row */
const hasToCatchUp = (row) => isWaiting(row) && Boolean(row.broughtOverAt) && !hasDifferences(row);
const NEED_OPLOG = new Set(['Verify', 'Catch up', VERBS.cutover, VERBS.rollback]);

/** The options of a copy from the beginning. */
const RESTART = Object.freeze({ restart: true, confirm: true });

/**
 * The words for what a person decides: the screen of the dry run ends with the call that does it.
 * One screen has one call for the next step, and one for the way back.
 * @type {Readonly<Record<string, string>>}
 */
const DECISIONS = Object.freeze({
  [VERBS.cutover]: 'Dry run',
  [VERBS.finish]: 'Dry run',
  [VERBS.abort]: 'Way back',
});

/** Says whether neither name may take writes now. @param {Row} row */
const mayBlock = ({ phase, mode, blocked = false }) =>
  blocked || blocksIn(phase, /** @type {Mode} */ (mode)) !== false;

/**
 * Makes a decision a dry run first; a call that ends a block of both names does not wait for one.
 * @param {[string, string | null]} call
 * @returns {[string, string | null]}
 */
const dryRunFirst = ([verb, call]) =>
  DECISIONS[verb] ? [DECISIONS[verb], call && asDryRun(call)] : [verb, call];

/**
 * Puts the command that drops the last rollback data last.
 * @param {Row['phase']} phase
 * @param {[string, string | null][]} calls
 */
const inOrder = (phase, calls) =>
  ['switched', 'rolled-back'].includes(phase) ? calls.toReversed() : calls;
/**
 * Says whether the oplog has lost changes that were not applied.
 * @param {Pick<Row, 'broughtOverAt' | 'readUntil' | 'oplogFrom'>} row
 */
const isOverrun = ({ broughtOverAt = null, readUntil = broughtOverAt, oplogFrom = null }) =>
  readUntil !== null && oplogFrom !== null && oplogFrom > readUntil;

module.exports = { nextLines, hasDifferences, isOverrun, verbOf };
