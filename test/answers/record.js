'use strict';
// node test/answers/record.js: asks a real server the questions of ofServer() in questions.js, and
// keeps what it answers to each command in server.bson.br. Then: npm run answers.

const fs = require('node:fs');
const zlib = require('node:zlib');
const { BSON } = require('bson');
const { tune } = require('../../lib/node');
const { temporaryFolder } = require('../support/cleanup');
const { recordingClient } = require('../support/dialogue');
const { startServer } = require('../support/server');
const { SERVER, ofServer } = require('./questions');

/**
 * @import { MongoClient } from 'mongodb'
 * @import { Exchange } from '../support/dialogue'
 */

const DAY_MS = 86_400_000;
const WINDOW = { params: { [zlib.constants.BROTLI_PARAM_LGWIN]: 24 } };
/** What names this machine, and what it is called in the answers. */
const NAMES = Object.freeze([
  [/\/[^"\\ ]*\/mongod(?=["\\ ]|$)/g, '/usr/bin/mongod'],
  [/\/tmp\/mongosh-tune-\d+-mongod-\w+/g, '/var/lib/mongodb'],
  [/"port":\d+/g, '"port":27017'],
]);

main();

async function main() {
  const server = await startServer({
    args: ['--wiredTigerEngineConfigString', 'eviction_dirty_trigger=15'],
  });
  try {
    await fill(server.client);
    await server.adminCommand({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig: 'eviction_target=75',
    });
    const all = await askAll(server.client);
    const { host } = await server.adminCommand({ serverStatus: 1 });
    const [hostname, port] = host.split(':');
    const plain = renamed(
      all,
      [
        ...NAMES,
        [new RegExp(`\\b${host}\\b`, 'g'), 'db1:27017'],
        [new RegExp(`"host":"${hostname}"`, 'g'), '"host":"db1"'],
        [new RegExp(`^${hostname}$`), 'db1'],
      ],
      Number(port),
    );
    fs.writeFileSync(SERVER, zlib.brotliCompressSync(BSON.serialize(plain), WINDOW));
  } finally {
    await server.stop();
  }
}

/** A shop with dates that expire, an index and a view. @param {MongoClient} client */
async function fill(client) {
  const shop = client.db('shop');
  const now = Date.now();
  const many = (/** @type {number} */ length, /** @type {(i: number) => object} */ fields) =>
    Array.from({ length }, (_, i) => ({ _id: /** @type {any} */ (i), ...fields(i) }));
  await shop
    .collection('orders')
    .insertMany(
      many(20_000, (i) => ({
        customer: i % 700,
        at: new Date(now - 30 * DAY_MS + i * 130_000),
        text: 'x'.repeat(200),
      })),
    );
  await shop.collection('orders').createIndex({ at: 1 }, { expireAfterSeconds: 30 * 86_400 });
  await shop.collection('orders').createIndex({ customer: 1 });
  await shop.collection('customers').insertMany(many(700, (i) => ({ name: `c${i}` })));
  await shop
    .collection('sessions')
    .insertMany(many(3000, (i) => ({ until: new Date(now + i * 20_000) })));
  await shop.collection('sessions').createIndex({ until: 1 }, { expireAfterSeconds: 0 });
  await shop.createCollection('big_orders', {
    viewOn: 'orders',
    pipeline: [{ $match: { customer: 1 } }],
  });
  await client.db('admin').command({ fsync: 1 });
}

/** @param {MongoClient} client @returns {Promise<Record<string, Exchange[]>>} by question */
async function askAll(client) {
  /** @type {Record<string, Exchange[]>} */
  const heard = {};
  const questions = ofServer((name) =>
    tune(recordingClient(client, (heard[name] = [])), { home: temporaryFolder('home').path }),
  );
  for (const ask of Object.values(questions)) await ask();
  return heard;
}

/**
 * @param {any} value
 * @param {readonly (readonly [RegExp, string])[]} names
 * @param {number} port
 * @returns {any}
 */
function renamed(value, names, port) {
  if (typeof value === 'string')
    return names.reduce((text, [from, to]) => text.replace(from, to), value);
  if (value === port) return 27_017;
  if (Array.isArray(value)) return value.map((one) => renamed(one, names, port));
  return value?.constructor === Object
    ? Object.fromEntries(
        Object.entries(value).map(([name, one]) => [name, renamed(one, names, port)]),
      )
    : value;
}
