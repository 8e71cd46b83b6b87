'use strict';

const { randomBytes } = require('node:crypto');
const { setTimeout: sleep } = require('node:timers/promises');

/** @import { MongoClient } from 'mongodb' */

const DOCUMENTS = 20_000;
const BYTES = 2000;

/**
 * Fills a collection.
 * @param {MongoClient} client @param {{ documents?: number, bytes?: number, more?: object }} [size]
 */
async function fill(client, { documents = DOCUMENTS, bytes = BYTES, more = {} } = {}) {
  const orders = client.db('shop').collection('orders');
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
 * @param {{ threads?: number, pauseMs?: number, documents?: number, bytes?: number }} [options]
 */
function steadyLoad(
  client,
  { threads = 4, pauseMs = 10, documents = DOCUMENTS, bytes = 200 } = {},
) {
  let isOn = true;
  const orders = client.db('shop').collection('orders');
  const one = async () => {
    while (isOn) {
      const key = Math.floor(Math.random() * documents);
      try {
        await orders.updateOne({ key }, { $set: { note: randomBytes(bytes) } });
        await orders.findOne({ key: (key * 7) % documents });
      } catch (_incident) {
        await sleep(100);
      }
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  const all = Array.from({ length: threads }, one);
  return {
    stop: async () => {
      isOn = false;
      await Promise.race([Promise.allSettled(all), sleep(5000)]);
    },
  };
}

module.exports = { fill, steadyLoad };
