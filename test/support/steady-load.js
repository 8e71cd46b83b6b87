'use strict';

/**
 * A load that does not relent, in a process of its own: many clients change small fields of large
 * documents, so that pages get dirty faster than eviction cleans them. It notes its own longest
 * pause: the time in which no operation of any client ended. `node steady-load.js URI` is the
 * process; required, it is the test's end.
 */
const crypto = require('node:crypto');
const { once } = require('node:events');
const { MongoClient, Binary } = require('mongodb');
const { forkLoad } = require('./forked-load');

/**
 * @import { Collection } from 'mongodb'
 */

const DOCUMENTS = 3000;
const BYTES = 64 * 1024; // random bytes do not compress: 190 MiB of pages
const CLIENTS = 16;
const PER_CALL = 10;

/**
 * @param {string} uri
 * @returns {Promise<{ forget(): Promise<void>, pauses(): Promise<{ longestMs: number, operations:
 *   number }>, stop(): Promise<void> }>} once the
 *   data is in and the load runs; `forget`: begins to measure anew
 */
async function startSteadyLoad(uri) {
  const { child, ended } = await forkLoad(__filename, [uri]);
  const ask = async (/** @type {string} */ what) => {
    child.send(what);
    return (await once(child, 'message'))[0];
  };
  return {
    forget: () => ask('forget'),
    pauses: () => ask('pauses'),
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** @param {Collection<any>} collection */
async function fill(collection) {
  await collection.drop();
  for (let first = 0; first < DOCUMENTS; first += 100) {
    await collection.insertMany(
      Array.from({ length: 100 }, (_, i) => ({
        _id: first + i,
        n: 0,
        body: new Binary(crypto.randomBytes(BYTES)),
      })),
    );
  }
}

const anyUpdate = () => ({
  updateOne: { filter: { _id: Math.floor(Math.random() * DOCUMENTS) }, update: { $inc: { n: 1 } } },
});

/** @param {string} uri */
async function run(uri) {
  const mongo = await new MongoClient(uri, { maxPoolSize: CLIENTS }).connect();
  const collection = mongo.db('load').collection('documents');
  await fill(collection);
  let [lastMs, longestMs, operations] = [performance.now(), 0, 0];
  const note = () => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - lastMs);
    lastMs = now;
  };
  process.on('message', (what) => {
    // A pause that still lasts counts as well.
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    if (what === 'forget') [lastMs, longestMs, operations] = [performance.now(), 0, 0];
    process.send?.({ longestMs, operations });
  });
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.send?.('loaded');
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      for (;;) {
        await collection.bulkWrite(Array.from({ length: PER_CALL }, anyUpdate), { ordered: false });
        operations += PER_CALL;
        note();
      }
    }),
  );
}

if (require.main === module) run(process.argv[2]).catch(() => process.exit(1));

module.exports = { startSteadyLoad };
