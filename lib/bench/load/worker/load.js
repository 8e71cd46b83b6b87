'use strict';

const { LOADED } = require('../data');

/**
 * @import { MongoClient } from 'mongodb'
 */

/**
 * Puts records into the collection, in pieces of which each is noted when it is in: an interrupted
 * load goes on where it was.
 *
 * @typedef {{
 *   database: string, collection: string, pieces: number[], perPiece: number, records: number,
 *   concurrentPieces: number
 * }} Load
 */

/** What a load that was interrupted in the middle of a piece had put in. */
const DUPLICATE_KEY = 11000;

/**
 * @param {MongoClient} client
 * @param {Load & { document(number: number): Record<string, unknown>, loaded(count: number): void,
 *   stopped(): boolean }} load
 */
async function load(
  client,
  { database, collection, pieces, perPiece, records, concurrentPieces, document, loaded, stopped },
) {
  const db = client.db(database);
  const queue = [...pieces];
  const one = async () => {
    for (let piece = queue.shift(); piece !== undefined && !stopped(); piece = queue.shift()) {
      const first = piece * perPiece;
      const documents = Array.from({ length: Math.min(perPiece, records - first) }, (_, i) =>
        document(first + i),
      );
      const { writeErrors = [] } = await db.command({
        insert: collection,
        documents,
        ordered: false,
      });
      const wrong = writeErrors.find(
        (/** @type {{ code: number }} */ { code }) => code !== DUPLICATE_KEY,
      );
      if (wrong) throw new Error(wrong.errmsg);
      await db.command({
        update: LOADED,
        updates: [{ q: { _id: piece }, u: { $set: { records: documents.length } }, upsert: true }],
      });
      loaded(documents.length);
    }
  };
  await Promise.all(Array.from({ length: concurrentPieces }, one));
}

module.exports = { load };
