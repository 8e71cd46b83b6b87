'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { Binary } = require('mongodb');
const { startServer, startReplicaSet } = require('../support/server');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { itemsOf } = require('../../lib/report/pure/html/kinds');
const { renderReport } = require('../../lib/report/pure/html/page');
const { pageAssets } = require('../../lib/report/write-report');
const { collectionValues } = require('../../lib/rules/collection-values');
const { loadCollectionRules } = require('../../lib/rules/registry');
const { judgeCollections } = require('../../lib/rules/runner');
const { run: collections } = require('../../lib/commands/collections');

/** @import { Server } from '../support/server' */

/** @param {Awaited<ReturnType<typeof collections>>} answer @param {string} rule */
const findingOf = ({ findings }, rule) => {
  const found = findings.find((finding) => finding.rule === rule);
  assert.ok(found, rule);
  return found;
};
/**
 * The finding about indexes, had nothing used them for so long.
 * @param {Awaited<ReturnType<typeof collections>>} answer @param {number} days
 */
const inDays = ({ rows, oplog, cache }, days) =>
  judgeCollections(
    loadCollectionRules().filter(({ id }) => id === 'unused-indexes'),
    collectionValues({
      rows,
      oplog,
      cacheMaxBytes: cache.maxBytes,
      atMs: Date.now() + days * 86_400_000,
    }),
    {},
  )[0];
const ask = (/** @type {Server} */ server, more = {}) =>
  collections(contextOf(server.client), { seconds: 0.5, limit: 1000, ...more });

describe('free space, unused indexes and the oplog, on a real server', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  before(async () => {
    server = await startReplicaSet({ members: 1 });
    const orders = server.db('shop').collection('orders');
    await orders.createIndexes([
      { key: { customer: 1 }, name: 'customer_1' },
      { key: { no: 1 }, name: 'no_1', unique: true },
      { key: { at: 1 }, name: 'at_1', expireAfterSeconds: 1e6 },
    ]);
    for (let first = 0; first < 20_000; first += 500)
      await orders.insertMany(
        Array.from({ length: 500 }, (_, i) => ({
          no: first + i,
          customer: `customer ${i}`,
          body: new Binary(crypto.randomBytes(8000)),
        })),
      );
    await server.adminCommand({ fsync: 1 });
    // On a busy machine the index was evicted meanwhile: writes of each of its keys bring it back.
    await orders.insertMany(
      Array.from({ length: 500 }, (_, i) => ({ no: 20_000 + i, customer: `customer ${i}` })),
    );
  });
  after(() => server?.stop());

  it('an index that no query uses rents cache; once it is used, it does not', async () => {
    const answer = await ask(server);
    const row = answer.rows.find(({ index }) => index === 'customer_1');
    assert.equal(row?.uses, 0);
    assert.ok(Number(row?.cacheBytes) > 100_000);
    assert.ok(Math.abs(Date.now() - Number(row?.usesSince)) < 180_000, 'since it was made');
    const { status, code, values, message } = findingOf(answer, 'unused-indexes');
    assert.deepEqual([status, code], ['ok', 'too-early'], message);
    const { indexes, cacheBytes } = /** @type {any} */ (values);
    assert.deepEqual(
      indexes.map((/** @type {any} */ { index }) => index),
      ['customer_1'],
      'neither _id nor the unique nor the TTL index',
    );
    assert.equal(cacheBytes, row?.cacheBytes);
    const later = inDays(answer, 8);
    assert.deepEqual([later.status, later.code], ['info', 'unused'], later.message);
    assert.match(later.message, /shop\.orders customer_1 rents .*, not used for 8 d/);

    await server.db('shop').collection('orders').findOne({ customer: 'customer 1' });
    const used = await ask(server);
    assert.equal(findingOf(used, 'unused-indexes').code, 'fine');
    assert.equal(inDays(used, 8).code, 'fine');
    assert.equal(used.rows.find(({ index }) => index === 'customer_1')?.uses, 1);
  });

  it('what deletes leave is reusable, and compact returns it', async () => {
    const orders = server.db('shop').collection('orders');
    assert.equal(findingOf(await ask(server), 'reusable-space').code, 'fine');
    await orders.deleteMany({ no: { $lt: 18_500 } });
    let answer = await ask(server);
    // Checkpoints free it, and the history store still reads it for a while.
    for (let i = 0; i < 20 && findingOf(answer, 'reusable-space').code === 'fine'; i += 1) {
      await server.adminCommand({ fsync: 1 });
      await new Promise((go) => setTimeout(go, 500));
      answer = await ask(server);
    }
    const row = answer.rows.find(({ ns, index }) => ns === 'shop.orders' && index === null);
    const raw = await server.db('shop').command({ collStats: 'orders' });
    assert.equal(row?.reusableBytes, raw.freeStorageSize);
    const { status, code, values } = findingOf(answer, 'reusable-space');
    assert.deepEqual([status, code], ['info', 'worth-it']);
    assert.ok(Number(values.reusableBytes) > 100 * 2 ** 20);
    assert.match(`${answer}`, /shop\.orders {2}[\d.]+ MiB reusable/);

    await server.db('shop').command({ compact: 'orders', force: true });
    assert.equal(findingOf(await ask(server), 'reusable-space').code, 'fine');
  });

  it('the oplog: what it holds at the present pace', async () => {
    const calm = await ask(server);
    assert.equal(findingOf(calm, 'oplog-window').code, 'fine', `${calm}`);
    const log = server.db('shop').collection('log');
    const load = startLoad(
      async () => {
        await log.insertOne({ body: new Binary(crypto.randomBytes(500_000)) });
      },
      { loops: 2 },
    );
    try {
      const answer = await ask(server, { seconds: 3 });
      const { status, code, message } = findingOf(answer, 'oplog-window');
      assert.deepEqual([status, code], ['info', 'short-at-rate'], message);
      const { maxBytes, bytesPerSec, secondsAtPace } = /** @type {any} */ (answer.oplog);
      assert.ok(maxBytes >= 990 * 2 ** 20 && bytesPerSec > 500_000);
      assert.ok(Math.abs(secondsAtPace - maxBytes / bytesPerSec) < 1);
    } finally {
      await load.stop();
    }
  });

  it('the page has them', async () => {
    const answer = await ask(server);
    const items = await itemsOf('tune.report', answer, async () => null);
    const page = renderReport(items, { at: new Date(), assets: pageAssets(), notes: [] });
    assert.match(page, /unused-indexes/);
    assert.match(page, /reusable/);
    assert.match(page, /oplog-window/);
  });
});

describe('free space and unused indexes, with little to go by', function () {
  this.timeout(60_000);
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer({ auth: true });
    await server.db('shop').collection('a').createIndex({ n: 1 });
    await server.db('shop').collection('a').insertOne({ n: 1 });
    await server.addRole('few', [
      { resource: { cluster: true }, actions: ['serverStatus', 'listDatabases', 'top'] },
      { resource: { db: '', collection: '' }, actions: ['collStats', 'listCollections'] },
    ]);
  });
  after(() => server?.stop());

  it('without $indexStats: the uses are not known, the privilege is named, nothing is invented', async () => {
    const client = await server.connect(await server.addUser('fewUser', ['few']));
    const answer = await collections(contextOf(client), { seconds: 0.2, limit: 100 });
    const row = answer.rows.find(({ index }) => index === 'n_1');
    assert.deepEqual([row?.uses, row?.usesSince], [null, null]);
    assert.equal(findingOf(answer, 'unused-indexes').status, 'unknown');
    assert.match(answer.notes.join(' '), /indexes of shop are not known: .*indexStats/);
  });

  it('a server in no replica set has no oplog, and that is no finding', async () => {
    const answer = await ask(server);
    assert.equal(answer.oplog, null);
    assert.equal(findingOf(answer, 'oplog-window').status, 'unknown');
    assert.doesNotMatch(`${answer}`, /oplog/);
  });
});
