'use strict';

const { many } = require('../../base/pure/units');
const { COPY_PHASES, PHASE_TABLE, isBeingUndone, wasIn } = require('./phase-table');
const { isOpenedEarly, stateOfEarly } = require('./split-ended-early');
const { isCopyMissing, isReplaced } = require('./split-names-changed');

/**
 * @import { Tone } from '../../base/types'
 * @import { Split } from '../types'
 * @import { Row } from './types'
 */

/** @type {Readonly<Record<string, { say: string, tone: Tone }>>} */
const PHASES = Object.freeze({
  planned: { say: 'not copied yet', tone: 'faint' },
  created: { say: 'the target is prepared', tone: 'accent' },
  copying: { say: 'copying', tone: 'accent' },
  indexing: { say: 'building the indexes', tone: 'accent' },
  following: { say: 'copied, ready for the cutover', tone: 'good' },
  cutting: { say: 'cutover in progress', tone: 'warn' },
  draining: { say: 'cutover in progress, applying the last changes', tone: 'warn' },
  switching: { say: 'cutover in progress, the target gets its name', tone: 'warn' },
  switched: { say: 'moved, old data kept for a rollback', tone: 'good' },
  aborting: { say: 'abort in progress', tone: 'warn' },
  aborted: { say: 'aborted, the source has all data', tone: 'faint' },
  'cutting-back': { say: 'rollback in progress', tone: 'warn' },
  'draining-back': { say: 'rollback in progress, applying the last changes', tone: 'warn' },
  'switching-back': { say: 'rollback in progress, the source gets its name', tone: 'warn' },
  'rolled-back': { say: 'rolled back, the target is blocked', tone: 'warn' },
  finished: { say: 'finished', tone: 'faint' },
});
const BLOCKED = 'BLOCKED: neither namespace takes writes';
const UNKNOWN = 'not known whether both namespaces are blocked';

/** @param {Row} row @returns {typeof PHASES[string]} */
function stateOf(row) {
  const state = special(row) ?? PHASES[row.phase] ?? { say: row.phase, tone: 'warn' };
  if (row.open?.length)
    return { say: `${row.open.map(unexpected).join('; ')}; ${state.say}`, tone: 'bad' };
  if (row.namesUnknown) return { say: `${UNKNOWN}; ${state.say}`, tone: 'bad' };
  return row.blocked ? { say: `${BLOCKED}; ${state.say}`, tone: 'bad' } : state;
}

/** @param {NonNullable<Row['open']>[number]} name the name where a view of the split is due */
function unexpected({ ns, isFree, otherSplit, kind }) {
  if (otherSplit) return `${ns} TAKES WRITES into a collection of the split ${otherSplit}`;
  if (kind === 'view') return `${ns} IS A VIEW of another session and takes no writes`;
  if (kind)
    return `${ns} TAKES WRITES into a new ${kind} outside the split: stop them, copy it and drop it`;
  return isFree
    ? `${ns} IS NOT BLOCKED: a write creates a new collection there`
    : `${ns} TAKES WRITES into a new collection outside the split: stop them and rename it`;
}

/**
 * Returns words for a state that the phase alone would describe wrongly.
 * @param {Row} row
 * @returns {typeof PHASES[string] | null}
 */
function special(row) {
  const { phase, from } = row;
  if (isBeingUndone(row)) return undoing(row);
  if (isOpenedEarly(row)) return stateOfEarly(row);
  if (phase === 'aborted' && row.kept) return endedWithCopy(row);
  if (phase === 'rolled-back') return backAgain(row);
  if (phase === 'switched') return switched(row);
  if (COPY_PHASES.includes(phase)) return beforeCut(row);
  if (phase === 'finished' && wasIn(row, 'rolled-back'))
    return { say: `ended after a rollback: ${from} is active`, tone: 'faint' };
  return null;
}

/** @param {Row} row @returns {typeof PHASES[string]} */
const undoing = ({ phase }) =>
  PHASE_TABLE[phase].way === 'reverse'
    ? { say: 'a rollback is being undone', tone: 'warn' }
    : { say: 'a cutover is being undone', tone: 'warn' };

/** @param {Row} row @returns {typeof PHASES[string] | null} */
function beforeCut(row) {
  if (isReplaced(row)) return { say: 'another collection has the name of the source', tone: 'bad' };
  if (row.gone === 'source') return { say: 'the source was dropped', tone: 'bad' };
  if (row.renamedAs) return { say: 'the source was renamed', tone: 'bad' };
  return isCopyMissing(row) ? { say: `the copy was ${lossOf(row)}`, tone: 'bad' } : null;
}

/** @param {Row} row @returns {typeof PHASES[string]} */
const endedWithCopy = ({ gone }) =>
  gone === 'source'
    ? { say: 'aborted, the source was dropped or replaced, the copy is kept', tone: 'bad' }
    : { say: 'aborted, the copy is kept', tone: 'faint' };

/** @param {Row} row @returns {typeof PHASES[string] | null} */
function switched(row) {
  const { mode, gone, renamedAs } = row;
  if (isReplaced(row))
    return { say: 'moved, but another collection has the name of the target', tone: 'bad' };
  if (gone === 'target') return { say: 'moved, but the target was dropped', tone: 'bad' };
  if (renamedAs) return { say: 'moved, but the target was renamed', tone: 'bad' };
  if (isCopyMissing(row)) return { say: `moved, the old data was ${lossOf(row)}`, tone: 'warn' };
  return mode === 'offline'
    ? { say: 'moved, old data kept until tune.split.finish()', tone: 'good' }
    : null;
}

/** @param {Row} row */
const lossOf = ({ copyGone }) => (copyGone ? 'dropped' : 'renamed');

/**
 * Returns the words after a rollback, when the names may belong to a later split.
 * @param {Row} row
 * @returns {typeof PHASES[string] | null}
 */
function backAgain({ into, from, otherSplit, movedBy, viewInPlace = null }) {
  if (movedBy) return { say: `rolled back; ${from} belongs to ${movedBy}`, tone: 'faint' };
  if (otherSplit) return { say: `rolled back; ${into} belongs to ${otherSplit}`, tone: 'faint' };
  return viewInPlace === false
    ? { say: 'rolled back, the target is not blocked', tone: 'bad' }
    : null;
}

/** @param {string} phase @returns {string} the phase in words */
const sayPhase = (phase) => PHASES[phase]?.say ?? phase;

/**
 * Says what a copy that stays alone may lack, by the state of its split.
 * @param {Pick<Split, 'needsFullCompare' | 'pendingConflicts'>} split
 * @returns {string[]}
 */
const mayLack = ({ needsFullCompare = false, pendingConflicts = [] }) => [
  ...(needsFullCompare
    ? ['It may lack documents: a comparison that copies what differs was not completed.']
    : []),
  ...(pendingConflicts.length > 0
    ? [`It may lack ${many(pendingConflicts.length, 'document')} (unique conflict).`]
    : []),
];

module.exports = { mayLack, stateOf, sayPhase };
