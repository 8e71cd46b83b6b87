'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { BSONRegExp } = require('mongodb');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { runMongosh } = require('../support/mongosh');
const { startReplicaSet, startServer } = require('../support/server');
const { skipIf } = require('../support/skip');
const { run: splitPlan } = require('../../lib/commands/split-plan');
const { run: splitScript } = require('../../lib/commands/split-script');

/**
 * @import { Collection, Db } from 'mongodb'
 */

const VIEW_WRITE = 166;
const LONG_MS = 300_000;

/** @param {Db} db */
async function fill(db) {
  await db.createCollection('orders', {
    validator: { total: { $gte: 0 }, mail: { $not: { $regex: new BSONRegExp('^x y', 'ix') } } },
    validationLevel: 'moderate',
  });
  await db
    .collection('orders')
    .insertMany([
      { _id: null, total: 1 },
      { _id: 'text', total: 2 },
      { _id: { a: 1 }, total: 3 },
      ...Array.from({ length: 2000 }, (_, i) => ({ _id: i, total: i, mail: `m${i}` })),
    ]);
  await db
    .collection('orders')
    .insertOne({ _id: 'invalid', total: -1 }, { bypassDocumentValidation: true });
  await db.collection('orders').createIndexes([
    { key: { mail: 1 }, unique: true, sparse: true, name: 'mail' },
    { key: { total: 1 }, hidden: true, name: 'hidden' },
    { key: { '$**': 'text' }, name: 'text' },
    { key: { at: 1 }, expireAfterSeconds: 3600, name: 'ttl' },
    { key: { total: 'hashed' }, name: 'hashed', partialFilterExpression: { total: { $gt: 5 } } },
  ]);
  await db.createCollection('names', { collation: { locale: 'de', strength: 2 } });
  await db.collection('names').insertMany(['a', 'B', 'c'].map((_id) => ({ _id, word: _id })));
  await db.collection('names').createIndexes([
    { key: { word: 1 }, unique: true, name: 'simple', collation: { locale: 'simple' } },
    { key: { word: -1 }, name: 'own' },
  ]);
  await db.collection('names').insertMany(['x', 'X'].map((word, _id) => ({ _id, word })));
  await db.createCollection('cheap', {
    viewOn: 'orders',
    pipeline: [
      { $match: { total: { $lt: 10 } } },
      { $lookup: { from: 'names', localField: 'x', foreignField: '_id', as: 'x' } },
    ],
  });
}

/** @param {Db} db @param {string} name */
const optionsOf = async (db, name) =>
  (await db.listCollections({ name }, { bsonRegExp: true }).toArray())[0]?.options;
/** @param {Db} db @param {string} name */
const indexesOf = async (db, name) =>
  (await db.collection(name).indexes()).sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));

describe('tune.split.script(), executed in mongosh', function () {
  this.timeout(LONG_MS);
  /** @type {any} */ let server;
  const folder = temporaryFolder('script');
  after(() => folder.remove());
  afterEach(() => server?.stop());

  /** @param {string} script */
  const run = (script) => {
    const file = path.join(folder.path, 'split.js');
    fs.writeFileSync(file, script);
    return runMongosh([server.uri, '--quiet', '--file', file], {
      timeout: LONG_MS,
      coverage: false,
    });
  };

  /** Everything stands in the new place as it was in the old one. @param {any} before */
  async function moved(before) {
    const [from, to] = [server.db('app'), server.db('app2')];
    for (const name of ['orders', 'names']) {
      assert.deepEqual(await optionsOf(to, name), before[name].options);
      assert.deepEqual(await indexesOf(to, name), before[name].indexes);
      await assert.rejects(
        from.collection(name).find().toArray(),
        (error) =>
          error.code === 241 &&
          error.message.includes(`app.${name} was moved to app2.${name} by mongosh-tune`),
      );
      for (const write of [
        () => from.collection(name).insertOne({}),
        () => from.collection(name).updateOne({}, { $set: { a: 1 } }),
        () => from.collection(name).deleteOne({}),
      ])
        await assert.rejects(write(), { code: VIEW_WRITE });
    }
    assert.equal(
      (await to.listCollections().toArray()).filter(({ name }) => name.includes('__tune_')).length,
      0,
    );
    assert.equal(
      await to.collection('cheap').countDocuments(),
      await to.collection('orders').countDocuments({ total: { $lt: 10 } }),
    );
  }

  async function definitionsNow() {
    const db = server.db('app');
    return {
      orders: { options: await optionsOf(db, 'orders'), indexes: await indexesOf(db, 'orders') },
      names: { options: await optionsOf(db, 'names'), indexes: await indexesOf(db, 'names') },
    };
  }

  for (const method of ['out', 'ranges']) {
    it(`a replica set, by ${method}: every acknowledged write is in the new place, and nothing else`, async function () {
      server = await startReplicaSet({ members: 1 });
      skipIf(
        this,
        server.version.startsWith('4.') && method === 'ranges' ? 'ranges need 5.0' : null,
      );
      await fill(server.db('app'));
      const before = await definitionsNow();
      const plan = await splitPlan(contextOf(server.client), {
        source: 'app',
        collections: ['orders', 'names'],
        seconds: 0.2,
      });
      assert.deepEqual([...plan.blockers, ...plan.moves.flatMap(({ blockers }) => blockers)], []);
      plan.moves.forEach((move) => {
        move.method = /** @type {any} */ (method);
      });
      const register = new Map(
        (await server.db('app').collection('orders').find().toArray()).map((one) => [
          JSON.stringify(one._id),
          one,
        ]),
      );
      const writers = startWriters(server.db('app').collection('orders'), register);
      const { code, stdout, stderr } = await run(
        (await splitScript(contextOf(server.client), plan)).script,
      );
      const { acknowledged, refused } = await writers.stop();
      assert.equal(code, 0, stdout + stderr);
      assert.ok(
        acknowledged > 100 && refused > 0,
        `${acknowledged} acknowledged, ${refused} refused`,
      );
      const there = new Map(
        (await server.db('app2').collection('orders').find().toArray()).map((one) => [
          JSON.stringify(one._id),
          one,
        ]),
      );
      assert.deepEqual(
        [...register.keys()].filter((key) => !there.has(key)),
        [],
        'lost',
      );
      assert.deepEqual(
        [...there.keys()].filter((key) => !register.has(key)),
        [],
        'deleted, and there again',
      );
      for (const [key, one] of register) assert.deepEqual(there.get(key), one);
      await moved(before);
    });
  }

  it('a standalone server, with the writes refused meanwhile', async () => {
    server = await startServer();
    await fill(server.db('app'));
    const before = await definitionsNow();
    const plan = await splitPlan(contextOf(server.client), {
      source: 'app',
      collections: ['orders', 'names'],
      seconds: 0.2,
    });
    assert.equal(plan.mode, 'offline');
    const { code, stdout, stderr } = await run(
      (await splitScript(contextOf(server.client), plan)).script,
    );
    assert.equal(code, 0, stdout + stderr);
    assert.equal(await server.db('app2').collection('orders').countDocuments(), 2004);
    await moved(before);
  });

  /** What another user does between two blocks. */
  const CHANGE =
    'db.getSiblingDB("app").orders.createIndex({ u: 1 }, { name: "u", unique: true, sparse: true });\n' +
    'db.getSiblingDB("app").runCommand({ collMod: "orders", validator: { total: { $gte: -9 } }, ' +
    'index: { name: "ttl", expireAfterSeconds: 864000 } });\n';
  for (const [mode, start, where, isCut] of [
    ['online', () => startReplicaSet({ members: 1 }), '// 5.', false],
    ['online', () => startReplicaSet({ members: 1 }), 'blockSource(move1);', true],
    ['offline', () => startServer(), 'blockSource(move1);', true],
  ])
    it(`${mode}, changed before ${where}: it stops before the new place opens, and says what differs`, async () => {
      server = await start();
      await fill(server.db('app'));
      await server.db('app').collection('cheap').drop();
      const plan = await splitPlan(contextOf(server.client), {
        source: 'app',
        collections: ['orders'],
        seconds: 0.2,
      });
      const { script } = await splitScript(contextOf(server.client), plan);
      const { code, stdout, stderr } = await run(script.replace(where, `${CHANGE}${where}`));
      assert.notEqual(code, 0);
      assert.match(
        (stdout + stderr).replace(/\s+/g, ' '),
        mode === 'online'
          ? /app\.orders was changed since this script began: the option validator, the option validationAction, the index ttl, the index u\. Make the same change to app2\.orders__tune_/
          : /app\.orders was changed since this script began: the option validator, the option validationAction\. Make/,
      );
      const types = async (/** @type {string} */ db) =>
        (await server.db(db).listCollections({ name: 'orders' }).toArray()).map(
          (/** @type {any} */ { type }) => type,
        );
      assert.deepEqual(
        [await types('app'), await types('app2')],
        [[isCut ? 'view' : 'collection'], ['view']],
      );
    });

  it('a clustered collection on a standalone server', async function () {
    server = await startServer();
    skipIf(this, /^[45]\./.test(server.version) ? 'clustered collections need 5.3' : null);
    await server
      .db('app')
      .createCollection('cl', {
        clusteredIndex: { key: { _id: 1 }, unique: true, name: 'own' },
        validator: { a: { $lt: new Date() } },
      });
    await server
      .db('app')
      .collection('cl')
      .insertOne({ _id: 1, a: new Date(0) });
    const plan = await splitPlan(contextOf(server.client), {
      source: 'app',
      collections: ['cl'],
      seconds: 0.2,
    });
    const { code, stdout, stderr } = await run(
      (await splitScript(contextOf(server.client), plan)).script,
    );
    assert.equal(code, 0, stdout + stderr);
    assert.equal(await server.db('app2').collection('cl').countDocuments(), 1);
  });

  it('a message that arrives twice drops and renames nothing', async () => {
    server = await startReplicaSet({ members: 1 });
    await fill(server.db('app'));
    const before = await definitionsNow();
    const plan = await splitPlan(contextOf(server.client), {
      source: 'app',
      collections: ['orders', 'names'],
      seconds: 0.2,
    });
    const script = (await splitScript(contextOf(server.client), plan)).script;
    const twice = script.replace(
      /return (db\.getSiblingDB\("admin"\)\.runCommand\(\{ applyOps: .*\}\));/,
      (_, send) =>
        `{ const done = ${send}; try { ${send}; print("again"); } catch (error) { ` +
        'print("late " + error.code); } return done; }',
    );
    assert.notEqual(twice, script);
    const { code, stdout, stderr } = await run(twice);
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(
      stdout.match(/^(late \d+|again)$/gm),
      ['late 72', 'late 72', 'late 72', 'late 72'],
      stdout,
    );
    assert.equal(await server.db('app2').collection('orders').countDocuments(), 2004);
    await moved(before);
  });

  it('the old data is dropped where the new place is there, and nowhere else', async () => {
    server = await startReplicaSet({ members: 1 });
    await fill(server.db('app'));
    await server.db('app').collection('cheap').drop();
    const plan = await splitPlan(contextOf(server.client), {
      source: 'app',
      collections: ['names'],
      seconds: 0.2,
    });
    const script = (await splitScript(contextOf(server.client), plan)).script;
    const [, move] = /^(var move1 = .*)$/m.exec(script) ?? [];
    const later = `${script.slice(0, script.indexOf('// ==== '))}\n${move}\n${script.match(/^\/\/ (dropOldData\(move1\);)$/m)?.[1]}`;
    assert.equal((await run(script)).code, 0);
    const renamedTo = async () =>
      (
        await server
          .db('app')
          .listCollections({ name: { $regex: '^names' } })
          .toArray()
      )
        .map(({ type }) => type)
        .sort();
    await server.db('app2').collection('names').rename('elsewhere');
    const refused = await run(later);
    assert.notEqual(refused.code, 0);
    assert.match(refused.stdout + refused.stderr, /app2\.names is not a collection/);
    assert.deepEqual(await renamedTo(), ['collection', 'view']);
    await server.db('app2').collection('elsewhere').rename('names');
    const done = await run(later);
    assert.equal(done.code, 0, done.stdout + done.stderr);
    assert.deepEqual(await renamedTo(), []);
    assert.equal(await server.db('app2').collection('names').countDocuments(), 5);
  });

  it('going back as the comments say leaves everything as it was', async () => {
    server = await startReplicaSet({ members: 1 });
    await fill(server.db('app'));
    const before = await definitionsNow();
    const plan = await splitPlan(contextOf(server.client), {
      source: 'app',
      collections: ['orders', 'names'],
      seconds: 0.2,
    });
    const script = String(await splitScript(contextOf(server.client), plan));
    const [first] = script.split(/\n\/\/ ==== app\.(?=\w+ to)/).slice(1);
    const half = `${script.slice(0, script.indexOf(first))}\n${first.slice(first.indexOf('\n'), first.indexOf('// 8.'))}\n${first.slice(first.indexOf('// To roll back')).replace(/^\/\/ (?!To roll back)/gm, '')}`;
    const { code, stdout, stderr } = await run(half);
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(await definitionsNow(), before);
    assert.equal(await server.db('app').collection('orders').countDocuments(), 2004);
    assert.deepEqual(
      (await server.db('app2').listCollections().toArray()).filter(
        ({ name }) => name !== 'system.views',
      ),
      [],
    );
  });
});

/**
 * Inserts, updates and deletes that go on until the source refuses, with what was acknowledged.
 * @param {Collection<any>} collection @param {Map<string, any>} register
 */
function startWriters(collection, register) {
  const counts = { acknowledged: 0, refused: 0 };
  let going = true;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let i = 0; going; i++) {
      const _id = `w${writer}-${i}`;
      try {
        await collection.insertOne(
          { _id, total: i, mail: _id },
          { writeConcern: { w: 'majority' } },
        );
        register.set(JSON.stringify(_id), { _id, total: i, mail: _id });
        const old = writer * 400 + (i % 400); // each writer has its own
        const { matchedCount } = await collection.updateOne({ _id: old }, { $set: { seen: i } });
        if (matchedCount === 1) register.get(JSON.stringify(old)).seen = i;
        if (i % 3 === 0) {
          await collection.deleteOne({ _id });
          register.delete(JSON.stringify(_id));
        }
        counts.acknowledged += 1;
      } catch (error) {
        if (/** @type {any} */ (error).code !== VIEW_WRITE) throw error;
        counts.refused += 1;
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
      }
    }
  });
  return {
    async stop() {
      going = false;
      await Promise.all(writers);
      return counts;
    },
  };
}
