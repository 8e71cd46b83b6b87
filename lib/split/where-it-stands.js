'use strict';

const { TuneError } = require('../base/pure/errors');
const { forward, nsOf } = require('./directions');
const { answersReads } = require('./old-reads');
const { findCollection, sameUuid } = require('./server');
const { isSplitView } = require('./target');
const { expiresNever } = require('./ttl');
const { unexpectedCollection } = require('./unexpected');

/**
 * @import { Direction } from './directions'
 * @import { Port } from './server'
 * @import { SplitJob } from './split-job'
 */

/** How far a cut and a switch have come, by what the server has under the names. */

/**
 * Whether the name has its collection: before the cut that of the source, after the switch that of
 * the target.
 * @param {Port} port
 * @param {{ db: string, name: string, uuid: any }} to
 * @returns {Promise<boolean>}
 */
async function isInPlace(port, to) {
  const here = await findCollection(port, to.db, to.name);
  return here?.type === 'collection' && sameUuid(here.info.uuid, to.uuid);
}

/**
 * Whether the cut is done: whole, with the view in its place.
 * @param {SplitJob} job @param {Direction} direction @returns {Promise<boolean>}
 * @throws {TuneError} TUNE-35005, TUNE-35013
 */
async function isCut({ port, split }, { way, from }) {
  const [here, renamedTo] = [
    await findCollection(port, from.db, from.name),
    await findCollection(port, from.db, from.renamedTo),
  ];
  if (!renamedTo) {
    if (here?.type === 'collection' && sameUuid(here.info.uuid, from.uuid)) return false;
    throw new TuneError(
      'TUNE-35005',
      `${nsOf(from)} is gone, or another collection has its name. Nothing was dropped or renamed.`,
      { value: nsOf(from) },
    );
  }
  if (!sameUuid(renamedTo.info.uuid, from.uuid))
    throw new TuneError(
      'TUNE-35005',
      `${from.db}.${from.renamedTo} is there, made by another session. Nothing was dropped or renamed.`,
      { value: `${from.db}.${from.renamedTo}` },
    );
  if (!here) return false;
  if (!isSplitView(here)) throw await unexpectedCollection(port, split, from);
  if (way === 'reverse' && (await answersReads(port, forward(split)))) return false;
  return expiresNever(port, { db: from.db, name: from.renamedTo }, split.ttl[way]);
}

/**
 * Whether the cut has begun: the source has its renamed name, so it is too late to prepare.
 * @param {Pick<SplitJob, 'port'>} job
 * @param {Direction} direction
 * @returns {Promise<boolean>}
 */
async function hasBegun({ port }, { from }) {
  const renamedTo = await findCollection(port, from.db, from.renamedTo);
  return renamedTo?.type === 'collection' && sameUuid(renamedTo.info.uuid, from.uuid);
}

module.exports = { hasBegun, isCut, isInPlace };
