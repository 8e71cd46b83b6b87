'use strict';

/**
 * @import { Random } from './keys'
 */

/**
 * A workload: what the data is, and what is done with it. Pure: randomness comes from outside.
 *
 * @typedef {Record<string, unknown>} Document
 * @typedef {{ kind: string, commands: Document[] }} Operation its commands are sent one after the
 *   other; its latency is that of all
 * @typedef {{ random: Random, bytes(count: number): Uint8Array }} Source `bytes`: random ones,
 *   which do not compress
 * @typedef {Source & { records: number, worker: number, workers: number, lanes: number, insertFrom:
 *   number, settings: Settings }} Place `worker`
 *   of `workers`, from 0; `lanes`: operations of this worker that may be under way at once;
 *   `insertFrom`: first number of a record that no run before has inserted
 * @typedef {{
 *   indexes: number, perInsert: number, queries: number, keys?: 'zipfian' | 'uniform'
 * }} Settings of iiBench; `keys`: of YCSB, zipfian where it is not said
 * @typedef {{
 *   name: string, data: string, say: string, source: string, collection: string,
 *   documentBytes: number, defaultRecords: number, kinds: readonly string[],
 *   indexes(settings: Settings): Document[], document(number: number, source: Source): Document,
 *   operations(place: Place): () => Operation,
 * }} Workload `data`: workloads of the same word share their data; `documentBytes`: about, with
 *   indexes; `indexes`: beside that of _id
 */

/** @type {Settings} */
const SETTINGS = Object.freeze({ indexes: 3, perInsert: 100, queries: 0 });

/** @param {number} from @param {number} to inclusive @param {Random} random */
const between = (from, to, random) => from + Math.floor(random() * (to - from + 1));

/**
 * One reply with everything: a batch holds more documents than any of the workloads asks for.
 * @param {string} collection
 * @param {Document} query
 * @param {Document} [more]
 * @returns {Document}
 */
const find = (collection, query, more) => ({
  find: collection,
  filter: query,
  ...more,
  singleBatch: true,
});

/** @param {string} collection @param {unknown} _id @param {Document} change @returns {Document} */
const updateOne = (collection, _id, change) => ({
  update: collection,
  updates: [{ q: { _id }, u: change }],
});

/** @param {string} collection @param {Document[]} documents @returns {Document} */
const insert = (collection, documents) => ({ insert: collection, documents, ordered: false });

module.exports = { SETTINGS, between, find, updateOne, insert };
