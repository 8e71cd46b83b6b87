'use strict';

const { frozenSentence, movedSentence, refusal, remark } = require('./pure/split-names');

/**
 * Everything a moved collection is called on its way, and the views that refuse what comes to a
 * name where the data is not.
 *
 * @typedef {{ db: string, name: string, aside: string, uuid: any }} Source `aside`: what it is
 *   called once it is cut off
 * @typedef {{ db: string, name: string, working: string, uuid: any }} Target `working`: what it is
 *   called until the switch
 * @typedef {{
 *   way: 'forth' | 'back', from: Source, to: Target, reads: Reads, former: readonly string[]
 * }} Leg `back`: the same the other way round, for a
 *   rollback; `former`: what the source was called while it was cut off before, and put back
 */

/**
 * @typedef {'refused' | 'view'} Reads what the old name answers after the cut: an error, or what
 *   the data was then
 */

/** @param {import('./state').Split} split @returns {Leg} */
const forth = (split) => ({
  way: 'forth',
  from: { ...split.from, uuid: split.sourceUuid },
  to: { ...split.into, uuid: split.workingUuid },
  reads: split.reads ?? 'refused',
  former: split.former ?? [],
});

/** @param {import('./state').Split} split @returns {Leg} */
const back = ({ from, into, sourceUuid, workingUuid, former = [] }) => ({
  way: 'back',
  from: { db: into.db, name: into.name, aside: into.working, uuid: workingUuid },
  to: { db: from.db, name: from.name, working: from.aside, uuid: sourceUuid },
  reads: 'refused',
  former,
});

/** @param {{ db: string, name: string }} place */
const nsOf = ({ db, name }) => `${db}.${name}`;

/**
 * What takes the name of a source that is cut off.
 * @param {Leg} leg
 * @returns {{ viewOn: string, pipeline: object[] }}
 */
function viewInPlace({ from, to, reads }) {
  const [ns, into] = [nsOf(from), nsOf(to)];
  return {
    viewOn: from.aside,
    pipeline:
      reads === 'view' ? remark(frozenSentence(ns, into)) : refusal(movedSentence(ns, into)),
  };
}

module.exports = { forth, back, nsOf, viewInPlace };
