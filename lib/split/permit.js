'use strict';

const crypto = require('node:crypto');
const { DUPLICATE_KEY } = require('../base/pure/server-codes');
const { DATABASE, write } = require('./server');

/**
 * @import { Transaction } from '../base/context'
 * @import { Op } from './operations'
 * @import { Port } from './server'
 */

/**
 * Lets one step happen once. A permit is withdrawn from its beginning, and granted by a transaction
 * only when the step waits for its lock on the server; the step uses it up as its first operation.
 * So a message that arrives late, or for a second time, or after another shell took over, ends at
 * that operation, before it has done anything.
 */

const COLLECTION = 'fences';
const NS = `${DATABASE}.${COLLECTION}`;

/** @param {Port} port */
const preparePermits = (port) =>
  write(port, DATABASE, {
    createIndexes: COLLECTION,
    indexes: [{ name: 'once', key: { permit: 1 }, unique: true }],
  });

const newPermit = () => crypto.randomUUID();

/**
 * Makes the first operation of a step, which fails with 11000 where the permit was used or
 * withdrawn. An insert of an `_id` that exists replaces the document, so that the one that stays
 * has another `_id`.
 * @param {string} permit
 * @returns {Op[]}
 */
const usePermit = (permit) => [
  { op: 'i', ns: NS, o: { _id: `${permit} begins`, permit } },
  { op: 'd', ns: NS, o: { _id: `${permit} begins` } },
  { op: 'i', ns: NS, o: { _id: `${permit} used`, permit } },
];

/**
 * Makes the last operation of a step: a step that fails halfway has used its permit up, too.
 * @param {string} permit
 * @returns {Op[]}
 */
const markDone = (permit) => [
  { op: 'i', ns: NS, o: { _id: doneOf(permit), permit: doneOf(permit) } },
];

/** @param {string} permit */
const doneOf = (permit) => `${permit} done`;

/**
 * Names the document that keeps the permit from being used while it exists.
 * @param {string} permit
 */
const waiting = (permit) => `${permit} waiting`;

/** @param {Port} port @param {string} permit a new permit */
const preparePermit = (port, permit) =>
  write(port, DATABASE, { insert: COLLECTION, documents: [{ _id: waiting(permit), permit }] });

/**
 * Withdraws a permit. After its answer, no message sent with this permit can begin, and no shell
 * can grant the permit; a step that had begun is over.
 * @param {Port} port
 * @param {string} permit
 */
async function withdrawPermit(port, permit) {
  const updates = [
    { q: { _id: waiting(permit) }, u: { $set: { permit, withdrawnAt: new Date() } }, upsert: true },
  ];
  try {
    await write(port, DATABASE, { update: COLLECTION, updates });
  } catch (error) {
    // The permit was used.
    if (/** @type {any} */ (error).code !== DUPLICATE_KEY) throw error;
  }
}

/** Says whether the step of a permit was done. @param {Port} port @param {string} permit */
async function wasDone(port, permit) {
  const { cursor } = await port.command(DATABASE, {
    find: COLLECTION,
    filter: { _id: doneOf(permit) },
    limit: 1,
    singleBatch: true,
    readConcern: { level: 'local' },
  });
  return cursor.firstBatch.length > 0;
}

/**
 * Grants a permit once the transaction is committed; until then that holds the server's lock
 * against the step. A shell that stalled may come here after another one took over.
 * @param {Transaction} transaction
 * @param {string} permit
 * @throws {Error} with code 11000 where it was withdrawn
 */
async function grantPermit(transaction, permit) {
  const { n } = await transaction.command(DATABASE, {
    delete: COLLECTION,
    deletes: [{ q: { _id: waiting(permit), withdrawnAt: null }, limit: 1 }],
  });
  if (Number(n) !== 1)
    throw Object.assign(new Error(`the permit ${permit} was withdrawn`), { code: DUPLICATE_KEY });
}

module.exports = {
  preparePermits,
  newPermit,
  usePermit,
  markDone,
  wasDone,
  preparePermit,
  withdrawPermit,
  grantPermit,
};
