'use strict';

/**
 * An application that reads and writes single documents, and beside it one that does something
 * else: who makes it wait is known. A process of its own; `node mixed-load.js URI MIX` is the
 * process; required, it is the test's end.
 */
const crypto = require('node:crypto');
const { MongoClient, Binary } = require('mongodb');
const { forkLoad } = require('./forked-load');

/**
 * @import { Db } from 'mongodb'
 */

const ORDERS = 4000; // 32 MiB: they fit into the smallest cache
const EVENTS = 40_000; // 320 MiB: more than it holds
const BYTES = 8 * 1024;
const SHOP_CLIENTS = 4;

const any = (/** @type {number} */ n) => Math.floor(Math.random() * n);
const body = (/** @type {number} */ bytes = BYTES) => new Binary(crypto.randomBytes(bytes));
const pause = (/** @type {number} */ ms) => new Promise((go) => setTimeout(go, ms));

/**
 * `culprit`: what tune.who() must name, null: nothing. `work` is done again and again by `clients`
 * of the application `app`.
 * @typedef {{
 *   culprit: string | null, app: string, clients: number,
 *   work(db: Db): Promise<unknown>, prepare?(db: Db): Promise<unknown>,
 *   cleanUp?(db: Db): Promise<unknown>
 * }} Mix
 */
const events = (/** @type {Db} */ db) => db.collection('events');
const settings = (/** @type {Db} */ db) => db.collection('settings');
/** @type {(db: Db) => Promise<unknown>} */
const addExpired = (db) =>
  db.collection('sessions').insertMany(
    Array.from({ length: 2000 }, () => ({ at: new Date(0), body: body(4000) })),
    { ordered: false },
  );
const expireAtOnce = (/** @type {Db} */ db) =>
  db.collection('sessions').createIndex({ at: 1 }, { expireAfterSeconds: 1 });

const MIXES = /** @satisfies {Record<string, Mix>} */ ({
  scan: {
    culprit: 'scan:shop.events',
    app: 'reporting',
    clients: 2,
    work: (db) =>
      events(db)
        .find({ customer: any(1000), secret: 's3cr3t' })
        .toArray(),
  },
  count: {
    culprit: 'scan:shop.events',
    app: 'dashboard',
    clients: 2,
    work: (db) => events(db).countDocuments({ customer: any(1000) }),
  },
  updateMany: {
    culprit: 'scan:shop.events',
    app: 'batch',
    clients: 2,
    work: (db) => events(db).updateMany({ customer: any(1000) }, { $inc: { n: 1 } }),
  },
  targeting: {
    culprit: 'targeting:shop.events',
    app: 'search',
    clients: 2,
    prepare: (db) => events(db).createIndex({ kind: 1 }),
    cleanUp: (db) => events(db).dropIndex('kind_1'),
    work: (db) =>
      events(db)
        .find({ kind: any(4), customer: any(1000) })
        .toArray(),
  },
  export: {
    culprit: 'full-read:shop.events',
    app: 'export',
    clients: 2,
    work: (db) =>
      events(db)
        .find({}, { projection: { n: 1 } })
        .toArray(),
  },
  group: {
    culprit: 'full-read:shop.events',
    app: 'nightly',
    clients: 2,
    work: (db) =>
      events(db)
        .aggregate([{ $group: { _id: '$customer', n: { $sum: '$n' } } }])
        .toArray(),
  },
  sort: {
    culprit: 'spilling-sort:shop.events',
    app: 'ranking',
    clients: 2,
    work: (db) =>
      events(db)
        .aggregate(
          [{ $match: { kind: any(4) } }, { $sort: { n: 1, customer: -1 } }, { $limit: 5000 }],
          { allowDiskUse: true },
        )
        .toArray(),
  },
  dump: {
    culprit: 'task:mongodump',
    app: 'mongodump',
    clients: 2,
    work: (db) =>
      events(db)
        .find({}, { projection: { n: 1 } })
        .hint({ $natural: 1 })
        .toArray(),
  },
  indexBuild: {
    culprit: 'task:index build',
    app: 'operator',
    clients: 1,
    work: async (db) => {
      await events(db).createIndex({ customer: 1, n: 1 }, { name: 'built' });
      await events(db).dropIndex('built');
    },
  },
  ttl: {
    culprit: 'task:ttl',
    app: 'login',
    clients: 4,
    prepare: async (db) => {
      await expireAtOnce(db);
      for (let i = 0; i < 20; i += 1) await addExpired(db);
    },
    work: async (db) => Promise.all([addExpired(db), addExpired(db), pause(200)]),
    cleanUp: (db) => db.collection('sessions').drop(),
  },
  conflicts: {
    culprit: 'write-conflicts:shop.settings',
    app: 'counter',
    clients: 24,
    prepare: (db) =>
      settings(db).insertOne(/** @type {any} */ ({ _id: 'all', n: 0, body: body(200_000) })),
    work: (db) =>
      settings(db).updateOne(/** @type {any} */ ({ _id: 'all' }), {
        $inc: { n: 1 },
        $set: { at: new Date() },
      }),
    cleanUp: (db) => settings(db).drop(),
  },
  loader: {
    culprit: 'writes:shop.loaded',
    app: 'loader',
    clients: 8,
    work: (db) =>
      db.collection('loaded').insertMany(
        Array.from({ length: 100 }, () => ({ body: body(6000) })),
        { ordered: false },
      ),
    cleanUp: (db) => db.collection('loaded').drop(),
  },
  healthy: {
    culprit: null,
    app: 'shop2',
    clients: 2,
    work: (db) =>
      Promise.all([
        db.collection('orders').findOne(/** @type {any} */ ({ _id: any(ORDERS) })),
        pause(5),
      ]),
  },
  smallScan: {
    culprit: null,
    app: 'shop2',
    clients: 2,
    prepare: (db) => settings(db).insertMany(Array.from({ length: 10 }, (_, n) => ({ n }))),
    work: (db) =>
      Promise.all([
        settings(db)
          .find({ n: any(10) })
          .toArray(),
        pause(5),
      ]),
    cleanUp: (db) => settings(db).drop(),
  },
  smallTtl: {
    culprit: null,
    app: 'login',
    clients: 1,
    prepare: expireAtOnce,
    work: (db) =>
      Promise.all([db.collection('sessions').insertOne({ at: new Date(0) }), pause(50)]),
    cleanUp: (db) => db.collection('sessions').drop(),
  },
});
/** @typedef {keyof typeof MIXES} MixName */

/**
 * @param {string} uri
 * @param {MixName} name
 * @returns {Promise<{ stop(): Promise<void> }>} once the data is in and the load runs
 */
async function startMix(uri, name) {
  const { child, ended } = await forkLoad(__filename, [uri, name]);
  return {
    stop: async () => {
      child.send('stop');
      await ended;
    },
  };
}

/** @param {Db} db */
async function fill(db) {
  if ((await db.collection('orders').estimatedDocumentCount()) === 0)
    for (let first = 0; first < ORDERS; first += 500)
      await db
        .collection('orders')
        .insertMany(
          Array.from(
            { length: 500 },
            (_, i) => /** @type {any} */ ({ _id: first + i, n: 0, body: body() }),
          ),
        );
  if ((await events(db).estimatedDocumentCount()) === 0)
    for (let first = 0; first < EVENTS; first += 500)
      await events(db).insertMany(
        Array.from({ length: 500 }, () => ({
          customer: any(1000),
          kind: any(4),
          secret: 's3cr3t',
          n: any(1e6),
          body: body(),
        })),
      );
}

/** Where it is alone on the server, the shop itself waits for nothing. @param {Db} db */
const shop = (db) =>
  any(5) === 0
    ? db
        .collection('orders')
        .updateOne(/** @type {any} */ ({ _id: any(ORDERS) }), { $inc: { n: 1 } })
    : db
        .collection('orders')
        .findOne(/** @type {any} */ ({ _id: any(ORDERS) }), { projection: { n: 1 } });

/** @param {string} uri @param {MixName} name */
async function run(uri, name) {
  const mix = /** @type {Mix} */ (MIXES[name]);
  const connect = async (/** @type {string} */ appName) =>
    (await new MongoClient(uri, { appName, maxPoolSize: 100 }).connect()).db('shop');
  const [front, back] = [await connect('shop'), await connect(mix.app)];
  await fill(front);
  await mix.prepare?.(back);
  let isOver = false;
  const repeat = async (/** @type {() => Promise<unknown>} */ work) => {
    while (!isOver) await work();
  };
  const running = Promise.all([
    ...Array.from({ length: SHOP_CLIENTS }, () =>
      repeat(() => Promise.all([shop(front), pause(2)])),
    ),
    ...Array.from({ length: mix.clients }, () => repeat(() => mix.work(back))),
  ]);
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.on('message', async () => {
    isOver = true;
    await running;
    await mix.cleanUp?.(back);
    process.exit(0);
  });
  process.send?.('loaded');
  await running;
}

if (require.main === module)
  run(process.argv[2], /** @type {MixName} */ (process.argv[3])).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  });

module.exports = { startMix, MIXES };
