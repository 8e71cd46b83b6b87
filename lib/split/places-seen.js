'use strict';

const { bucketsOf } = require('./pure/split-names');
const { tryAgain } = require('./server-lock');

/**
 * @import { CollectionName, Port } from './server'
 */

/**
 * Detects views that another session made meanwhile: a step proves that a name is no collection,
 * but any view passes that proof, and such a view would be dropped, or changed.
 *
 * @typedef {{ check(): Promise<void> }} Seen `check` throws an error after which the step is tried
 *   again
 */

/**
 * Reads what has the names of a step, before its operations are chosen by that.
 * @param {Port} port
 * @param {readonly CollectionName[]} places
 * @returns {Promise<Seen>}
 */
async function seePlaces(port, places) {
  const before = await textOf(port, places);
  return {
    async check() {
      const now = await textOf(port, places);
      const changed = [...before].find(([db, text]) => now.get(db) !== text);
      if (changed) throw tryAgain(`collections or views of ${changed[0]} were changed`);
    },
  };
}

/**
 * @param {Port} port @param {readonly CollectionName[]} places
 * @returns {Promise<Map<string, string>>} by database
 */
async function textOf(port, places) {
  /** @type {Map<string, string>} */ const texts = new Map();
  for (const db of new Set(places.map((place) => place.db))) {
    const names = places.flatMap((one) => (one.db === db ? [one.name, bucketsOf(one.name)] : []));
    const { cursor } = await port.command(db, {
      listCollections: 1,
      filter: { name: { $in: names } },
    });
    const found = cursor.firstBatch.map(
      (/** @type {any} */ { name, type, options, info }) =>
        `${name} ${JSON.stringify([type, options, info?.uuid])}`,
    );
    texts.set(db, found.toSorted().join('\n'));
  }
  return texts;
}

module.exports = { seePlaces };
