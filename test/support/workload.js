'use strict';

/**
 * Load of one kind in a process of its own, so that its own work does not slow down the looks at
 * the server. `node workload.js URI KIND` is the process; required, it is the test's end.
 */
const crypto = require('node:crypto');
const { MongoClient, Binary } = require('mongodb');
const { forkLoad } = require('./forked-load');

const KiB = 1024;
const PER_INSERT = 100;
const NAMES = ['price', 'customer', 'register'];

/**
 * `documents` of `bytes` each are there before it begins; then `clients` do `work` again and again.
 * @typedef {import('mongodb').Collection<any>} Collection
 * @typedef {{
 *   documents: number, bytes: number, clients: number,
 *   work(collection: Collection): Promise<unknown>, make?(): object,
 *   prepare?(collection: Collection): Promise<unknown>
 * }} Kind
 * @typedef {keyof typeof KINDS} KindName
 */

const any = (/** @type {number} */ n) => Math.floor(Math.random() * n);
const body = (/** @type {number} */ bytes) => new Binary(crypto.randomBytes(bytes)); // random bytes do not compress
/** @param {Collection} collection @param {number} documents @param {number} count */
const addOne = (collection, documents, count) =>
  collection.bulkWrite(
    Array.from({ length: count }, () => ({
      updateOne: { filter: { _id: any(documents) }, update: { $inc: { n: 1 } } },
    })),
    { ordered: false },
  );
const receipt = () =>
  Object.fromEntries(NAMES.map((name) => [name, crypto.randomBytes(100).toString('latin1')]));
const pause = (/** @type {number} */ ms) => new Promise((go) => setTimeout(go, ms));

let dueMs = 0;
/**
 * The next beat of all clients together; what was late is made up for, as in front of a shop that
 * opens late.
 * @param {number} everyMs
 */
async function beat(everyMs) {
  dueMs = Math.max(dueMs + everyMs, performance.now() - 10_000);
  await pause(Math.max(0, dueMs - performance.now()));
}

const KINDS = /** @satisfies {Record<string, Kind>} */ ({
  // 450 MiB, read at random: more than the smallest cache, less than a machine's memory.
  read: {
    documents: 7200,
    bytes: 64 * KiB,
    clients: 16,
    work: (c) =>
      c
        .find(
          { _id: { $in: Array.from({ length: 8 }, () => any(7200)) } },
          { projection: { n: 1 } },
        )
        .toArray(),
  },
  // 188 MiB: nearly all of the smallest cache can be dirty, so eviction never catches up.
  update: { documents: 3000, bytes: 64 * KiB, clients: 16, work: (c) => addOne(c, 3000, 20) },
  // 31 MiB, an eighth of the smallest cache: above a dirty trigger that was set low, below the
  // default of 20%.
  touch: { documents: 2000, bytes: 16 * KiB, clients: 16, work: (c) => addOne(c, 2000, 20) },
  // 188 MiB again, but by so few clients that one eviction thread is too few for them and four are
  // enough: all wait for the same device.
  few: {
    documents: 12_000,
    bytes: 16 * KiB,
    clients: 6,
    work: (c) =>
      c.updateMany(
        { _id: { $in: Array.from({ length: 20 }, () => any(12_000)) } },
        { $inc: { n: 1 } },
      ),
  },
  // As many updates in every second, so that the age of a snapshot can be told from their number.
  steady: {
    documents: 2000,
    bytes: KiB,
    clients: 5,
    work: (c) => Promise.all([addOne(c, 2000, 10), pause(50)]),
  },
  // 100 updates a second whatever happens, by clients of whom there are always enough: what it asks
  // for does not depend on the server.
  paced: {
    documents: 2000,
    bytes: KiB,
    clients: 16,
    work: async (c) => {
      await beat(10);
      await c.updateOne({ _id: any(2000) }, { $inc: { n: 1 } });
    },
  },
  // iibench: every insert changes leaves of three more trees at random places, 60 MiB of them to
  // begin with.
  insert: {
    documents: 100_000,
    bytes: 100,
    clients: 8,
    make: receipt,
    work: (c) => c.insertMany(Array.from({ length: PER_INSERT }, receipt), { ordered: false }),
    prepare: (c) => c.createIndexes(NAMES.map((name) => ({ key: { [name]: 1 } }))),
  },
  // 300 kB in a call and no index but _id: what is inserted is update data until its page is
  // written.
  bulk: {
    documents: 100,
    bytes: 100,
    clients: 8,
    work: (c) =>
      c.insertMany(
        Array.from({ length: PER_INSERT }, () => ({ body: body(3000) })),
        { ordered: false },
      ),
  },
  // 8 MiB in the cache, looked through from end to end for what is not there.
  scan: { documents: 8000, bytes: KiB, clients: 16, work: (c) => c.find({ n: -1 }).toArray() },
  // As much as `read` reads, but by clients that think in between.
  calm: {
    documents: 7200,
    bytes: 64 * KiB,
    clients: 4,
    work: (c) => Promise.all([c.findOne({ _id: any(7200) }, { projection: { n: 1 } }), pause(10)]),
  },
});

/**
 * @param {string} uri @param {KindName} kind
 * @returns {Promise<{ stop(): Promise<void> }>} once the data is in and the load runs
 */
async function startWorkload(uri, kind) {
  const { child, ended } = await forkLoad(__filename, [uri, kind]);
  return {
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** @param {Collection} collection @param {Kind} kind */
async function fill(
  collection,
  { documents, bytes, make = () => ({ body: body(bytes) }), prepare },
) {
  await collection.drop();
  for (let first = 0; first < documents; first += PER_INSERT) {
    await collection.insertMany(
      Array.from({ length: PER_INSERT }, (_, i) => ({ _id: first + i, n: 0, ...make() })),
      { ordered: false },
    );
  }
  await prepare?.(collection);
}

/** @param {string} uri @param {KindName} name */
async function run(uri, name) {
  const kind = /** @type {Kind} */ (KINDS[name]);
  const mongo = await new MongoClient(uri, { maxPoolSize: kind.clients }).connect();
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  const collection = mongo.db('load').collection(name);
  await fill(collection, kind);
  process.send?.('loaded');
  await Promise.all(
    Array.from({ length: kind.clients }, async () => {
      for (;;) await kind.work(collection);
    }),
  );
}

if (require.main === module)
  run(process.argv[2], /** @type {KindName} */ (process.argv[3])).catch(() => process.exit(1));

module.exports = { startWorkload };
