'use strict';

const { sleep } = require('../../lib/context');

/** A plan as tune.split.plan makes it, of collections that exist. @param {import('mongodb').MongoClient} client @param {{ moves: { ns: string, into: string, method?: string }[], id?: string, mode?: string }} wanted */
async function planOf(client, { moves, id = `p${Math.random().toString(36).slice(2, 8)}`, mode = 'online' }) {
  const made = await Promise.all(moves.map(async ({ ns, into, method = 'out' }) => {
    const [db, ...rest] = ns.split('.');
    const [info] = await client.db(db).listCollections({ name: rest.join('.') }).toArray();
    return { ns, into, method, uuid: info.info.uuid, documents: await client.db(db).collection(rest.join('.')).estimatedDocumentCount(), blockers: [], warnings: [] };
  }));
  return { id, at: new Date(), from: moves[0].ns.split('.')[0], mode, moves: made, blockers: [], warnings: [] };
}

/**
 * Writers that remember what the server acknowledged: of each `_id` the value that was acknowledged last, or null when it was deleted. What was
 * under way when an error came may be there or not; both are right.
 * @param {import('mongodb').MongoClient} client @param {{ db: string, name: string, writers?: number, prefix?: string, writeConcern?: object }} where
 */
function startRegister(client, { db, name, writers = 8, prefix = 'w', writeConcern }) {
  /** @type {Map<string, { value: number | null, maybe: (number | null)[] }>} */ const register = new Map();
  const counts = { acknowledged: 0, refused: 0, other: /** @type {Error[]} */ ([]), longestPauseMs: 0 };
  const place = { db, name };
  let on = true;
  let value = 0;
  const one = async (/** @type {number} */ w) => {
    for (let i = 0; on; i += 1) {
      const collection = client.db(place.db).collection(place.name, { writeConcern });
      const _id = `${prefix}${w}-${Math.floor(Math.random() * 400)}`;
      const entry = register.get(_id) ?? { value: null, maybe: [] };
      register.set(_id, entry);
      value += 1;
      const mine = value;
      const gone = entry.value !== null && entry.maybe.length === 0 && Math.random() < 0.25;
      try {
        if (gone) await collection.deleteOne({ _id });
        else if (entry.value === null && entry.maybe.length === 0) await collection.insertOne({ _id, v: mine, unique: `u${mine}`, pad: 'x'.repeat(50) });
        else await collection.updateOne({ _id }, { $set: { v: mine, unique: `u${mine}`, pad: 'x'.repeat(50) } }, { upsert: true });
        Object.assign(entry, { value: gone ? null : mine, maybe: [] });
        counts.acknowledged += 1;
      } catch (error) {
        if (error.code === 166 || error.code === 241) counts.refused += 1;
        else {
          entry.maybe.push(gone ? null : mine);
          counts.other.push(error);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const running = Promise.all(Array.from({ length: writers }, (_, w) => one(w)));
  return {
    counts, place, register,
    stop: async () => { on = false; await running; },
    /** What is in a collection that should not be, and the other way round. @param {string} there @param {string} collection */
    async differences(there, collection) {
      const found = new Map((await client.db(there).collection(collection).find({ _id: { $regex: `^${prefix}` } }).toArray()).map((doc) => [doc._id, doc]));
      const wrong = [];
      for (const [_id, { value: expected, maybe }] of register) {
        const seen = found.get(_id)?.v ?? null;
        if (seen !== expected && !maybe.includes(seen)) wrong.push({ _id, expected, maybe, seen });
        found.delete(_id);
      }
      return [...wrong, ...[...found.keys()].map((_id) => ({ _id, expected: undefined }))];
    },
  };
}

/** @param {() => Promise<boolean> | boolean} is @param {number} [limitMs] */
async function until(is, limitMs = 60_000) {
  const end = Date.now() + limitMs;
  while (!await is()) {
    if (Date.now() > end) throw new Error('it did not happen');
    await sleep(20, new AbortController().signal);
  }
}

module.exports = { planOf, startRegister, until };
