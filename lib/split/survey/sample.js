'use strict';

const { toNumber } = require('../../base/pure/numbers');
const { mapServerError } = require('../../base/server-errors');

/**
 * @import { Drawn, Sample } from '../pure/shape'
 * @import { Context } from '../../base/types'
 */

/**
 * Documents: with so many each of four parts is known to within a hundredth of the whole (a
 * binomial of 10,000).
 */
const DRAWN = 10_000;

/**
 * Some documents of a collection, by the value of one field: its order is the server's, which knows
 * all types.
 * @param {Context} ctx
 * @param {string} database
 * @param {string} name
 * @param {string} field
 * @returns {Promise<Sample>}
 */
async function drawSample({ port, signal }, database, name, field) {
  try {
    const { cursor } = await port.command(database, {
      aggregate: name,
      cursor: { batchSize: DRAWN },
      allowDiskUse: true,
      pipeline: [
        { $sample: { size: DRAWN } },
        {
          $project: {
            _id: 0,
            value: `$${field}`,
            there: { $ne: [{ $type: `$${field}` }, 'missing'] },
            bytes: { $bsonSize: '$$ROOT' },
            bornMs: {
              $cond: [
                { $eq: [{ $type: '$_id' }, 'objectId'] },
                { $toLong: { $toDate: '$_id' } },
                null,
              ],
            },
          },
        },
        { $sort: { value: 1 } },
      ],
    });
    const { n } = await port.command(database, { count: name });
    return { documents: toNumber(n) ?? null, drawn: cursor.firstBatch.map(sampledDocument) };
  } catch (error) {
    throw mapServerError(error, '$sample', signal);
  }
}

/** @param {any} document @returns {Drawn} */
const sampledDocument = ({ value, there, bytes, bornMs }) => ({
  ...textOf(value),
  bytes: toNumber(bytes) ?? 0,
  bornMs: toNumber(bornMs) ?? null,
  missing: !there,
});

/** How mongosh reads what is not JSON. @type {Record<string, (text: string) => string>} */
const LITERALS = {
  ObjectId: (text) => `ObjectId("${text}")`,
  Long: (text) => `Long("${text}")`,
  Decimal128: (text) => `Decimal128("${text}")`,
  Int32: (text) => text,
  Double: (text) => text,
};

/** @param {any} value @returns {{ key: string, shown: string }} */
function textOf(value) {
  if (Object.prototype.toString.call(value) === '[object Date]')
    return { key: value.toISOString(), shown: `ISODate("${value.toISOString()}")` };
  const literal = LITERALS[value?._bsontype];
  if (literal) return { key: String(value), shown: literal(String(value)) };
  return {
    key: typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'),
    shown: JSON.stringify(value) ?? 'undefined',
  };
}

module.exports = { drawSample };
