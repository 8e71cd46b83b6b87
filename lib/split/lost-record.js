'use strict';

const { TuneError } = require('../base/pure/errors');
const { currentDirection, nsOf } = require('./directions');
const { findCollection, sameUuid } = require('./server');
const { findSplits, DATABASE, COLLECTION } = require('./state');
const { namingLost } = require('./lost-target');
const { stopped } = require('./stopped');
const { isInPlace } = require('./where-it-stands');

/**
 * @import { DataContext } from '../base/context'
 * @import { Direction } from './directions'
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * Explains a lease that is lost because another session dropped the record of the split: no command
 * continues then, so the error says where the documents are and which call opens their name by
 * hand.
 * @param {Port} port
 * @param {any} error
 * @param {Split} split the split as this shell last read it
 * @returns {Promise<TuneError | null>} null: that is not the reason, or it is not known
 */
async function lostRecord(port, error, split) {
  if (error?.code !== 'TUNE-35003') return null;
  try {
    if ((await findSplits(port, { _id: split._id })).length > 0) return null;
    return new TuneError(
      'TUNE-35012',
      `Another session removed the record of the split ${split._id} from ` +
        `${DATABASE}.${COLLECTION}, so no command can continue it. ` +
        `${await whereDocumentsAre(port, currentDirection(split))}`,
      { value: split._id, cause: error },
    );
  } catch {
    return null;
  }
}

/** @param {Port} port @param {Direction} direction @returns {Promise<string>} */
async function whereDocumentsAre(port, { from, to }) {
  if (await isInPlace(port, to)) return `${nsOf(to)} has all documents and is active.`;
  if (await isInPlace(port, from)) return `${nsOf(from)} has all documents and is active.`;
  const cutOff = await findCollection(port, from.db, from.renamedTo);
  if (!cutOff || !sameUuid(cutOff.info.uuid, from.uuid))
    return (
      `Neither ${nsOf(from)} nor ${nsOf(to)} is the collection of the split: ` +
      'find it by its UUID (listCollections).'
    );
  const renamedTo = `${from.db}.${from.renamedTo}`;
  return (
    `${renamedTo} has all documents; ${nsOf(from)} and ${nsOf(to)} are blocked. Drop ` +
    `the view ${nsOf(from)}, then db.adminCommand({ renameCollection: ` +
    `${JSON.stringify(renamedTo)}, to: ${JSON.stringify(nsOf(from))} }).`
  );
}

/**
 * Returns the error that ended the work on a split, as its user should read it.
 * @param {DataContext} ctx
 * @param {any} error
 * @param {Split & { open?: any }} split
 */
const asUsersRead = async ({ port, signal }, error, split) =>
  (await lostRecord(port, error, split)) ??
  stopped(await namingLost(port, error, split), split, signal);

module.exports = { asUsersRead };
