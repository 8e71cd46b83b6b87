'use strict';

const { PHASE_TABLE } = require('./pure/phase-table');
const {
  frozenSentence,
  movedSentence,
  notYetSentence,
  refusal,
  remark,
} = require('./pure/split-names');

/**
 * @import { Way } from './pure/phase-table'
 * @import { Split } from './types'
 */

/**
 * Names everything that a moved collection is called during a split, and the views that refuse
 * requests to a name where the data is not.
 *
 * @typedef {{ db: string, name: string, renamedTo: string, uuid: any }} Source `renamedTo`: its
 *   name after the cut
 * @typedef {{ db: string, name: string, stagingName: string, uuid: any }} Target `stagingName`: its
 *   name until the switch
 * @typedef {{
 *   way: Way, from: Source, to: Target, reads: Reads, undoneCuts: NonNullable<Split['undoneCuts']>
 * }} Direction `reverse`: the opposite direction, for a rollback
 */

/**
 * @typedef {'refused' | 'view'} Reads the answer of the old name after the cut: an error, or the
 *   data of that time
 */

/** @param {Split} split @returns {Direction} */
const forward = (split) => ({
  way: 'forward',
  from: { ...split.from, uuid: split.sourceUuid },
  to: { ...split.into, uuid: split.stagingUuid },
  reads: split.reads ?? 'refused',
  undoneCuts: split.undoneCuts ?? [],
});

/** @param {Split} split @returns {Direction} */
const reverse = ({ from, into, sourceUuid, stagingUuid, undoneCuts = [] }) => ({
  way: 'reverse',
  from: { db: into.db, name: into.name, renamedTo: into.stagingName, uuid: stagingUuid },
  to: { db: from.db, name: from.name, stagingName: from.renamedTo, uuid: sourceUuid },
  reads: 'refused',
  undoneCuts,
});

/** @param {Split} split @param {Way} way @returns {Direction} */
const directionOf = (split, way) => (way === 'forward' ? forward : reverse)(split);

/** Returns the direction in which documents are copied in a split's phase. @param {Split} split */
const currentDirection = (split) => directionOf(split, PHASE_TABLE[split.phase].way ?? 'forward');

/** @param {{ db: string, name: string }} place */
const nsOf = ({ db, name }) => `${db}.${name}`;

/**
 * Returns the view that takes the name of a source that is cut off.
 * @param {Direction} direction
 * @returns {{ viewOn: string, pipeline: object[] }}
 */
function viewInPlace({ from, to, reads }) {
  const [ns, into] = [nsOf(from), nsOf(to)];
  return {
    viewOn: from.renamedTo,
    pipeline:
      reads === 'view' ? remark(frozenSentence(ns, into)) : refusal(movedSentence(ns, into)),
  };
}

/**
 * Returns the view that has the name of the target until the switch.
 * @param {Pick<Split, 'from' | 'into'>} split
 * @returns {{ viewOn: string, pipeline: object[] }}
 */
const viewBeforeSwitch = ({ from, into }) => ({
  viewOn: into.stagingName,
  pipeline: refusal(notYetSentence(nsOf(into), nsOf(from))),
});

module.exports = {
  directionOf,
  currentDirection,
  forward,
  reverse,
  nsOf,
  viewInPlace,
  viewBeforeSwitch,
};
