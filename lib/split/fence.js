'use strict';

const crypto = require('node:crypto');
const { DATABASE, write } = require('./server');

/**
 * A permit lets one step happen once. It is withdrawn from its beginning, and granted by a transaction only when the step waits for its lock on the server;
 * the step uses it up as its first operation. So a message that arrives late, or for a second time, or after another shell took over, ends at that
 * operation, before it has done anything.
 *
 * @typedef {import('./server').Port} Port
 * @typedef {{ op: 'i' | 'd', ns: string, o: Record<string, unknown>, ui?: unknown }} Write @typedef {{ op: 'c', ns: string, o: Record<string, unknown>, ui?: unknown }} Command
 * @typedef {Write | Command} Op
 */

const COLLECTION = 'fences';
const NS = `${DATABASE}.${COLLECTION}`;
const DUPLICATE_KEY = 11000;

/** @param {Port} port */
const prepareFences = (port) => write(port, DATABASE, { createIndexes: COLLECTION, indexes: [{ name: 'once', key: { permit: 1 }, unique: true }] });

const newPermit = () => crypto.randomUUID();

/**
 * Fails with 11000 where the permit was used or withdrawn. An insert of an `_id` that is there replaces it, so that what stays has another one.
 * @param {string} permit @returns {Op[]}
 */
const usePermit = (permit) => [
  { op: 'i', ns: NS, o: { _id: `${permit} begins`, permit } },
  { op: 'd', ns: NS, o: { _id: `${permit} begins` } },
  { op: 'i', ns: NS, o: { _id: `${permit} used`, permit } },
];

/** @param {string} permit */
const withdrawn = (permit) => ({ _id: `${permit} withdrawn`, permit });

/**
 * From its answer on nothing that was sent with this permit begins any more; what had begun is over.
 * @param {Port} port
 * @param {string} permit
 * @param {{ forever?: boolean }} [options] `forever`: it cannot be granted later, either: whoever made it may only
 *   have stood still
 */
async function withdrawPermit(port, permit, { forever = false } = {}) {
  const { _id } = withdrawn(permit);
  try {
    await write(port, DATABASE, forever
      ? { update: COLLECTION, updates: [{ q: { _id }, u: { $set: { permit, forever } }, upsert: true }] }
      : { insert: COLLECTION, documents: [withdrawn(permit)] });
  } catch (error) {
    if (/** @type {any} */ (error).code !== DUPLICATE_KEY) throw error;
  }
}

/**
 * Once the transaction is committed; until then it holds the server's lock against the step.
 * @param {import('../context').Transaction} transaction
 * @param {string} permit
 * @returns {Promise<boolean>} false: it was withdrawn for ever
 */
async function grantPermit(transaction, permit) {
  const q = { _id: withdrawn(permit)._id, forever: null };
  const { n } = await transaction.command(DATABASE, { delete: COLLECTION, deletes: [{ q, limit: 1 }] });
  return Number(n) === 1;
}

/**
 * Fails with 26 where no collection has this UUID. Nothing is deleted: no document has such an `_id`.
 * @param {{ db: string, name: string, uuid: any }} place @returns {Op}
 */
const isThere = ({ db, name, uuid }) => ({ op: 'd', ns: `${db}.${name}`, ui: uuid, o: { _id: `mongosh-tune ${newPermit()}` } });

/** Fails with 72 where a collection has the name; a view of ours there is about to go. @param {{ db: string, name: string }} place @returns {Op} */
const isNoCollection = ({ db, name }) => command(db, { collMod: name, viewOn: 'mongosh_tune', pipeline: [{ $match: { $expr: { $toInt: 'about to be replaced by mongosh-tune' } } }] });

/** @param {string} db @param {Record<string, unknown>} o @param {any} [uuid] of the collection it is about, whatever its name is by then @returns {Command} */
const command = (db, o, uuid) => ({ op: 'c', ns: `${db}.$cmd`, o, ...(uuid && { ui: uuid }) });

module.exports = { prepareFences, newPermit, usePermit, withdrawPermit, grantPermit, isThere, isNoCollection, command, FENCES: COLLECTION };
