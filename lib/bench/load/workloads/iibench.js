'use strict';

const { mix, between, find, insert } = require('./operations');

/**
 * @import { Random, Document, Place, Source, Workload } from './operations'
 */

/**
 * iiBench for MongoDB (github.com/tmcallaghan/iibench-mongodb): it inserts purchases in batches
 * while up to three secondary indexes are kept, so that every insert changes leaves all over them.
 * Now and then it queries in index order.
 *
 */

const COLLECTION = 'purchases_index';
const CASH_REGISTERS = 1000;
const PRODUCTS = 10_000;
const CUSTOMERS = 100_000;
const MAX_PRICE = 500;
const QUERY_LIMIT = 10;
/** Roughly 100 bytes of the document, and 45 in each of its indexes. */
const DOCUMENT_BYTES = 280;

const INDEXES = Object.freeze([
  { price: 1, customerid: 1 },
  { cashregisterid: 1, price: 1, customerid: 1 },
  { price: 1, dateandtime: 1, customerid: 1 },
]);

/** Makes a purchase; the price depends on the customer, as published. @param {Random} random */
function purchase(random) {
  const customerid = between(0, CUSTOMERS - 1, random);
  return {
    cashregisterid: between(0, CASH_REGISTERS - 1, random),
    customerid,
    productid: between(0, PRODUCTS - 1, random),
    price: (random() * MAX_PRICE + customerid) / 100,
  };
}

/**
 * Makes a record; its moment is later than that of the record before.
 * @param {number} number
 * @param {Source} source
 * @returns {Document}
 */
const record = (number, { random }) => ({
  _id: number,
  dateandtime: BigInt(EPOCH_MS + number),
  ...purchase(random),
});

/** 2026-01-01, fixed: the workload is the same whenever it runs. */
const EPOCH_MS = 1_767_225_600_000;

/** @param {Place} place */
function operations({
  random,
  bytes,
  worker,
  workers,
  insertFrom,
  settings: { perInsert, queries },
}) {
  const drawn = mix(
    /** @type {const} */ ([
      ['query', queries],
      ['insert', 1 - queries],
    ]),
    random,
  );
  let batches = 0;
  let query = 0;
  const insertBatch = () => {
    const first = insertFrom + (worker + workers * batches++) * perInsert;
    return insert(
      COLLECTION,
      Array.from({ length: perInsert }, (_, i) => record(first + i, { random, bytes })),
    );
  };
  return () => {
    const kind = drawn();
    return {
      kind,
      commands: [
        kind === 'insert'
          ? insertBatch()
          : inOrder(query++ % INDEXES.length, random, EPOCH_MS + insertFrom),
      ],
    };
  };
}

/**
 * Makes a query for the ten purchases that follow a random one, by one of the three indexes.
 * @param {number} which
 * @param {Random} random
 * @param {number} untilMs
 * @returns {Document}
 */
function inOrder(which, random, untilMs) {
  const { cashregisterid, customerid, price } = purchase(random);
  const dateandtime = BigInt(Math.floor(EPOCH_MS + random() * (untilMs - EPOCH_MS)));
  const projection = { ...INDEXES[QUERY_INDEX[which]], _id: 0 };
  const $or = [
    [
      { price, dateandtime, customerid: { $gte: customerid } },
      { price, dateandtime: { $gt: dateandtime } },
      { price: { $gt: price } },
    ],
    [{ price, customerid: { $gte: customerid } }, { price: { $gt: price } }],
    [
      { cashregisterid, price, customerid: { $gte: customerid } },
      { cashregisterid, price: { $gt: price } },
      { cashregisterid: { $gt: cashregisterid } },
    ],
  ][which];
  return find(COLLECTION, { $or }, { projection, limit: QUERY_LIMIT });
}

/** The first query uses the third index, as published. */
const QUERY_INDEX = Object.freeze([2, 0, 1]);

/** @type {Workload} */
const IIBENCH = Object.freeze({
  name: 'iibench',
  data: 'iibench',
  say: 'inserts in batches into a collection with secondary indexes',
  source: 'https://github.com/tmcallaghan/iibench-mongodb',
  collection: COLLECTION,
  documentBytes: DOCUMENT_BYTES,
  defaultRecords: 0,
  kinds: ['insert', 'query'],
  indexes: ({ indexes }) => INDEXES.slice(0, indexes),
  document: record,
  operations,
});

module.exports = { IIBENCH };
