'use strict';

const crypto = require('node:crypto');
const { bucketsOf } = require('./pure/split-names');

/**
 * Operations of applyOps, and those that only prove: they fail where the names are not as they were
 * read, so nothing after them is done.
 *
 * @typedef {{ op: 'i' | 'd', ns: string, o: Record<string, unknown>, ui?: unknown }} Write
 * @typedef {{ op: 'c', ns: string, o: Record<string, unknown>, ui?: unknown }} Command
 * @typedef {Write | Command} Op
 */

/**
 * Fails with 26 where no collection has this UUID. Nothing is deleted: no document has such an
 * `_id`.
 * @param {{ db: string, name: string, uuid: any }} place
 * @returns {Op}
 */
const isThere = ({ db, name, uuid }) => ({
  op: 'd',
  ns: `${db}.${name}`,
  ui: uuid,
  o: { _id: `mongosh-tune ${crypto.randomUUID()}` },
});

const GOING = Object.freeze({
  viewOn: 'mongosh_tune',
  pipeline: [{ $match: { $expr: { $toInt: 'about to be replaced by mongosh-tune' } } }],
});

/**
 * Fails with 72 where a collection has the name; what is free passes.
 * @param {{ db: string, name: string }} place
 * @param {{ viewOn: string, pipeline: object[] }} [view] of ours that stays there; otherwise it is
 *   about to go
 * @returns {Op}
 */
const isNoCollection = ({ db, name }, view = GOING) => command(db, { collMod: name, ...view });

/**
 * A time series has a view under its name, which passes for one of ours: its buckets are a collection.
 * @param {readonly Op[]} operations
 * @param {(db: string) => boolean} mayProve
 * @returns {Op[]} behind proofs that no name that is proven or made to be a view's has them
 */
function withoutTimeSeries(operations, mayProve) {
  const proofs = operations.flatMap(({ ns, o: { viewOn, collMod, create } }) => {
    const db = ns.slice(0, -'.$cmd'.length);
    const name = bucketsOf(`${collMod ?? create}`);
    return viewOn && mayProve(db) ? [isNoCollection({ db, name })] : [];
  });
  return [...proofs, ...operations];
}

/**
 * @param {string} db
 * @param {Record<string, unknown>} o
 * @param {any} [uuid] of the collection it is about, whatever its name is by then
 * @returns {Command}
 */
const command = (db, o, uuid) => ({ op: 'c', ns: `${db}.$cmd`, o, ...(uuid && { ui: uuid }) });

module.exports = { isThere, isNoCollection, withoutTimeSeries, command };
