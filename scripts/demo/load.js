'use strict';

const crypto = require('node:crypto');
const { MongoClient, Binary } = require('mongodb');

/**
 * @import { Collection } from 'mongodb'
 */

/**
 * Load for the demonstration: many clients change small fields of large documents, so that pages
 * get dirty much faster than a small cache's eviction can clean them. Runs in a process of its own
 * until it is ended, or its parent is gone. Says "loaded" and then one line of "N ops" a second to
 * its parent.
 */

const DOCUMENTS = 3000;
/**
 * Random bytes do not compress: 3000 × 64 KiB make 188 MiB of pages, more than a cache of 256 MiB
 * may hold dirty.
 */
const DOCUMENT_BYTES = 64 * 1024;
const CLIENTS = 16;
const UPDATES_PER_CALL = 20;
const READ_SHARE = 0.2;
const INSERTS_PER_CALL = 100;

/** @param {Collection<any>} collection */
async function fill(collection) {
  for (let first = 0; first < DOCUMENTS; first += INSERTS_PER_CALL) {
    await collection.insertMany(
      Array.from({ length: INSERTS_PER_CALL }, (_, i) => ({
        _id: first + i,
        seen: 0,
        body: new Binary(crypto.randomBytes(DOCUMENT_BYTES)),
      })),
    );
  }
}

const anyId = () => Math.floor(Math.random() * DOCUMENTS);

/** @param {Collection<any>} collection @param {AbortSignal} signal */
async function client(collection, signal) {
  while (!signal.aborted) {
    if (Math.random() < READ_SHARE)
      await collection.findOne({ _id: anyId() }, { projection: { seen: 1 } });
    else
      await collection.bulkWrite(
        Array.from({ length: UPDATES_PER_CALL }, () => ({
          updateOne: { filter: { _id: anyId() }, update: { $inc: { seen: 1 } } },
        })),
        { ordered: false },
      );
  }
}

/** @param {string} uri */
async function main(uri) {
  const stop = new AbortController();
  const end = () => stop.abort();
  process.on('disconnect', end);
  process.on('SIGTERM', end);
  process.on('SIGINT', () => {}); // Ctrl-C on the terminal is for the shell
  const mongo = await new MongoClient(uri, { maxPoolSize: CLIENTS }).connect();
  const collection = mongo.db('shop').collection('orders');
  await fill(collection);
  process.send?.('loaded');
  await Promise.all(Array.from({ length: CLIENTS }, () => client(collection, stop.signal)));
  await mongo.close();
  process.disconnect?.();
}

main(process.argv[2]).catch((error) => {
  // The server of the demonstration ends before this process does.
  if (!/closed|ECONN|interrupted/i.test(String(error)))
    process.stderr.write(`load: ${error.message}\n`);
  // What is left waits for a server that is gone.
  process.exit(1);
});
