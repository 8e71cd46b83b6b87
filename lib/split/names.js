'use strict';

const { refusal } = require('../model/split-names');

/**
 * Everything a moved collection is called on its way, and the views that refuse what comes to a name where the data is not.
 *
 * @typedef {{ db: string, name: string, aside: string, uuid: any }} Source `aside`: what it is called once it is cut off
 * @typedef {{ db: string, name: string, working: string, uuid: any }} Target `working`: what it is called until the switch
 * @typedef {{ way: 'forth' | 'back', from: Source, to: Target }} Leg `back`: the same the other way round, for a rollback
 */

/** @param {string} planId @param {string} name */
const workingName = (planId, name) => `${name}__tune_${planId}`;
/** @param {string} planId @param {string} name */
const asideName = (planId, name) => `${name}__aside_${planId}`;

/** @param {string} from @param {string} into */
const movedSentence = (from, into) => `${from} was moved to ${into} by mongosh-tune`;
/** @param {string} into @param {string} from */
const notYetSentence = (into, from) => `${into} is not there yet: mongosh-tune is moving ${from} to it`;

/** @param {import('./state').Split} split @returns {Leg} */
const forth = (split) => ({ way: 'forth', from: { ...split.from, uuid: split.sourceUuid }, to: { ...split.into, uuid: split.workingUuid } });

/** @param {import('./state').Split} split @returns {Leg} */
const back = ({ from, into, sourceUuid, workingUuid }) => ({
  way: 'back',
  from: { db: into.db, name: into.name, aside: into.working, uuid: workingUuid },
  to: { db: from.db, name: from.name, working: from.aside, uuid: sourceUuid },
});

/** @param {{ db: string, name: string }} place */
const nsOf = ({ db, name }) => `${db}.${name}`;

module.exports = { workingName, asideName, refusal, movedSentence, notYetSentence, forth, back, nsOf };
