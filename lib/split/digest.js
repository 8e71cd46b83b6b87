'use strict';

const crypto = require('node:crypto');
const { READ } = require('./server');
const { sourceName } = require('./target');

/** Of one side of a leg the hash over every byte of some documents, in the order of `_id`. @typedef {import('./work').Work} Work @typedef {import('./names').Leg} Leg */

const SIDES = Object.freeze(/** @type {const} */ (['source', 'target']));

/** @param {Work} work @param {Leg} leg @param {'source' | 'target'} side @returns {Promise<[string, string]>} */
const placeOf = async ({ port }, leg, side) => (side === 'source' ? [leg.from.db, await sourceName(port, leg)] : [leg.to.db, leg.to.working]);

/** @param {Work} work @param {Leg} leg @param {'source' | 'target'} side @param {object} filter @returns {Promise<{ hash: string, documents: number }>} */
async function digest(work, leg, side, filter) {
  const cursor = work.port.aggregate(...await placeOf(work, leg, side), [{ $match: filter }, { $sort: { _id: 1 } }], { ...READ, raw: true, hint: { _id: 1 } });
  const hash = crypto.createHash('sha1');
  let documents = 0;
  try {
    for (let document = await cursor.tryNext(); document; document = await cursor.tryNext()) {
      hash.update(document);
      documents += 1;
    }
  } finally {
    await cursor.close();
  }
  return { hash: hash.digest('hex'), documents };
}

module.exports = { digest, placeOf, SIDES };
