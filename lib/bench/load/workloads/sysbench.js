'use strict';

const { uniform, find, updateOne, insert } = require('./operations');

/**
 * @import { Random, Place, Workload } from './operations'
 */

/**
 * sysbench-mongodb (github.com/tmcallaghan/sysbench-mongodb), one collection. An operation is its
 * "transaction": 10 point reads, 4 reads of 100 neighbours (plain, sum, sorted, distinct), 1 update
 * of an indexed field, 1 of another field, 1 delete and insert of the same _id.
 *
 */

const COLLECTION = 'sbtest1';
const POINT_READS = 10;
const RANGE = 100;
const DOCUMENT_BYTES = 250;
const ONLY_C = Object.freeze({ c: 1, _id: 0 });
const ALL_IN_ONE_REPLY = Object.freeze({ batchSize: RANGE + 1 });

/** Makes groups of 11 digits, joined by a dash. @param {number} groups @param {Random} random */
const digits = (groups, random) =>
  Array.from({ length: groups }, () => String(Math.floor(random() * 1e11)).padStart(11, '0')).join(
    '-',
  );

/** @param {number} _id @param {number} max @param {Random} random */
const fields = (_id, max, random) => ({
  _id,
  k: 1 + Math.floor(random() * max),
  c: digits(10, random),
  pad: digits(5, random),
});

/** @param {Place} place */
function operations({ records, random }) {
  const choose = uniform(records, random);
  const id = () => choose() + 1;
  const near = () => {
    const first = id();
    return { _id: { $gte: first, $lte: first + RANGE - 1 } };
  };
  return () => {
    const replaced = id();
    return {
      kind: 'transaction',
      commands: [
        ...Array.from({ length: POINT_READS }, () =>
          find(COLLECTION, { _id: id() }, { projection: ONLY_C, limit: 1 }),
        ),
        find(COLLECTION, near(), { projection: ONLY_C, ...ALL_IN_ONE_REPLY }),
        {
          aggregate: COLLECTION,
          pipeline: [
            { $match: near() },
            { $project: { k: 1, _id: 0 } },
            { $group: { _id: null, average: { $sum: '$k' } } },
          ],
          cursor: {},
        },
        find(COLLECTION, near(), { projection: ONLY_C, sort: { c: 1 }, ...ALL_IN_ONE_REPLY }),
        { distinct: COLLECTION, key: 'c', query: near() },
        updateOne(COLLECTION, id(), { $inc: { k: 1 } }),
        updateOne(COLLECTION, id(), { $set: { c: digits(10, random) } }),
        { delete: COLLECTION, deletes: [{ q: { _id: replaced }, limit: 1 }] },
        insert(COLLECTION, [fields(replaced, records, random)]),
      ],
    };
  };
}

/** @type {Workload} */
const SYSBENCH = Object.freeze({
  name: 'sysbench',
  data: 'sysbench',
  say: 'transactions of 14 reads, 2 updates, 1 delete and insert, uniform',
  source: 'https://github.com/tmcallaghan/sysbench-mongodb',
  collection: COLLECTION,
  documentBytes: DOCUMENT_BYTES,
  defaultRecords: 100_000,
  kinds: ['transaction'],
  indexes: () => [{ k: 1 }],
  document: (number, { random }) => fields(number + 1, number + 1, random),
  operations,
});

module.exports = { SYSBENCH };
