'use strict';

const crypto = require('node:crypto');
const { bucketsOf } = require('./pure/split-names');

/**
 * Makes operations of applyOps, and operations that only prove: these fail where the names are not
 * as they were read, so no operation after them is done.
 *
 * @typedef {{ op: 'i' | 'd', ns: string, o: Record<string, unknown>, ui?: unknown }} Write
 * @typedef {{ op: 'c', ns: string, o: Record<string, unknown>, ui?: unknown }} Command
 * @typedef {Write | Command} Op
 */

/**
 * Makes a proof that fails with 26 where no collection has this UUID. It deletes nothing: no
 * document has such an `_id`.
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
 * Makes a proof that fails with 72 where a collection has the name; a free name passes.
 * @param {{ db: string, name: string }} place
 * @param {{ viewOn: string, pipeline: object[] }} [view] a view of tune that stays there; otherwise
 *   it is about to be replaced
 * @returns {Op}
 */
const isNoCollection = ({ db, name }, view = GOING) => command(db, { collMod: name, ...view });

/**
 * Adds proofs against time series. A time series has a view under its name, which passes for one of
 * tune: its buckets are a collection.
 * @param {readonly Op[]} operations
 * @param {(db: string) => boolean} mayProve
 * @returns {Op[]} the operations after proofs that no name which they prove or make to be a view's
 *   has buckets
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
 * @param {any} [uuid] of the collection, whatever its name is by then
 * @returns {Command}
 */
const command = (db, o, uuid) => ({ op: 'c', ns: `${db}.$cmd`, o, ...(uuid && { ui: uuid }) });

module.exports = { isThere, isNoCollection, withoutTimeSeries, command };
