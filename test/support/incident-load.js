'use strict';

const { randomBytes } = require('node:crypto');
const { setTimeout: sleep } = require('node:timers/promises');

/** @import { MongoClient } from 'mongodb' */

const DOCUMENTS = 20_000;
const BYTES = 2000;

/** Updates that fit the cache of a server as it is, and keep its threads busy. */
const HEAVY = Object.freeze({ threads: 12, pauseMs: 0, documents: 2400, bytes: 8000, batch: 40 });

/**
 * Fills a collection.
 * @param {MongoClient} client
 * @param {{ collection?: string, documents?: number, bytes?: number, more?: object }} [size]
 */
async function fill(
  client,
  { collection = 'orders', documents = DOCUMENTS, bytes = BYTES, more = {} } = {},
) {
  const orders = client.db('shop').collection(collection);
  const BATCH = 500;
  for (let from = 0; from < documents; from += BATCH)
    await orders.insertMany(
      Array.from({ length: Math.min(BATCH, documents - from) }, (_, i) => ({
        key: from + i,
        part: Math.random(),
        payload: randomBytes(bytes),
        ...more,
      })),
      { ordered: false },
    );
  await orders.createIndex({ key: 1 });
}

/**
 * An even load, until it is stopped: errors belong to incidents, and are passed over.
 * @param {MongoClient} client
 * @param {{ threads?: number, pauseMs?: number, documents?: number, bytes?: number, batch?: number,
 *   isJournaled?: boolean }} [options]
 *   `batch`: documents of one update, so that a slow client can keep a server busy;
 *   `isJournaled`: each write waits for the disk
 */
function steadyLoad(
  client,
  {
    threads = 4,
    pauseMs = 10,
    documents = DOCUMENTS,
    bytes = 200,
    batch = 1,
    isJournaled = false,
  } = {},
) {
  let isOn = true;
  const orders = client.db('shop').collection('orders');
  const how = { writeConcern: { w: 1, j: isJournaled } };
  const share = Math.floor(documents / threads);
  // Each thread has keys of its own: write conflicts are another incident.
  const one = async (/** @type {number} */ thread) => {
    while (isOn) {
      const key = thread * share + Math.floor(Math.random() * (share - batch));
      try {
        const filter = { key: { $gte: key, $lt: key + batch } };
        await orders.updateMany(filter, { $set: { note: randomBytes(bytes) } }, how);
        await orders.findOne({ key: (key * 7) % documents });
      } catch (_incident) {
        await sleep(100);
      }
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  const all = Array.from({ length: threads }, (_, thread) => one(thread));
  return {
    stop: async () => {
      isOn = false;
      await Promise.race([Promise.allSettled(all), sleep(5000)]);
    },
  };
}

module.exports = { HEAVY, fill, steadyLoad };
