'use strict';

const { changeText, renameText } = require('../base/pure/printable');
const { forward } = require('./directions');
const { answersReads } = require('./old-reads');
const { refusingSource } = require('./replace-view');
const { findCollection } = require('./server');
const { freeName } = require('./where-it-stands');

/**
 * @import { CollectionName, Port } from './server'
 * @import { Split } from './types'
 */

/**
 * Makes the calls that give the last copy another name, so that a finish has nothing to drop.
 *
 * @param {Port} port
 * @param {Split} split
 * @param {CollectionName} copy
 * @returns {Promise<string[]>} calls; none where the copy does not exist
 */
async function keepCalls(port, split, { db, name }) {
  const { phase, from, into } = split;
  if ((await findCollection(port, db, name)) === null) return [];
  const to = await freeName(port, db, `${phase === 'switched' ? from.name : into.name}_kept`);
  return [...(await closeCalls(port, split)), renameText({ db, name }, to)];
}

/**
 * Makes the calls that close a name. A view on a missing collection returns no documents, so the
 * name must refuse reads too.
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<string[]>}
 */
async function closeCalls(port, split) {
  if (split.phase !== 'switched' || !(await answersReads(port, forward(split)))) return [];
  return [changeText(split.from, refusingForGood(split).view)];
}

/**
 * Returns the view at the old name once no rollback is possible: it refuses reads, too.
 * @param {Split} split
 */
const refusingForGood = (split) => ({
  ...refusingSource({ ...forward(split), reads: 'refused' }),
  isAlone: true,
});

module.exports = { closeCalls, keepCalls, refusingForGood };
