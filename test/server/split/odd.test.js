'use strict';

const assert = require('node:assert/strict');
const {
  BSONRegExp,
  Binary,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} = require('mongodb');
const { contextOf } = require('../../support/context');
const { document, element, insertRaw, plain } = require('../../support/raw-bson');
const { planOf, useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const DO = Object.freeze({ confirm: true });
const IDS = Object.freeze([
  null,
  true,
  false,
  0,
  -1.5,
  Infinity,
  -Infinity,
  NaN,
  new Int32(7),
  new Double(8.25),
  Long.fromString('9007199254740993'),
  Decimal128.fromString('10.50'),
  '',
  'a',
  '11',
  'é',
  new ObjectId(),
  new Date(0),
  new Date(-1e12),
  new Binary(Buffer.from('x')),
  new Binary(Buffer.alloc(16, 3), 4),
  { a: 1, b: 'x' },
  { b: 'x', a: 1 },
  { a: { b: null } },
  new Timestamp({ t: 5, i: 1 }),
  new MinKey(),
  new MaxKey(),
  {},
]);

describe('a split of odd documents', function () {
  this.timeout(180_000);
  let client;
  let ctx;
  let number = 0;
  let server;
  useSet((set) => {
    ({ client, ctx, server } = set);
  });

  async function begin({ documents, options = {}, indexes = [], method = 'out' }) {
    number += 1;
    const name = `c${number}`;
    const from = await client.db('app').createCollection(name, options);
    if (indexes.length > 0) await from.createIndexes(indexes);
    // Not by insertOne: the driver gives a document whose _id is null another one.
    for (const document of documents)
      await client.db('app').command({ insert: name, documents: [document] });
    assert.equal(await from.countDocuments(), documents.length);
    return {
      name,
      from,
      into: client.db('app2').collection(name),
      plan: await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }] }),
    };
  }
  /** Byte by byte, in one order. */
  const bytesOf = async (collection) =>
    (await collection.find({}, { raw: true }).toArray())
      .map((raw) => Buffer.from(raw).toString('base64'))
      .sort();

  for (const method of ['out', 'ranges']) {
    it(`every type of _id, with every type of value, by ${method}`, async () => {
      const values = {
        long: Long.fromNumber(5),
        int: new Int32(5),
        double: new Double(5),
        decimal: Decimal128.fromString('1.0'),
        binary: new Binary(Buffer.from('b')),
        nothing: null,
        list: [1, [2]],
        nested: { x: {} },
      };
      const { from, into, plan } = await begin({
        documents: IDS.map((_id) => ({ _id, ...values })),
        method,
      });
      await splitRun(ctx, plan, DO);
      // Those of the ranges come over by the copy alone.
      if (method === 'out')
        for (const _id of IDS)
          await from.updateOne({ _id }, { $set: { again: Long.fromNumber(1) } });
      for (const _id of [IDS[3], IDS[21]]) await from.deleteOne({ _id });
      if (method === 'out') await from.updateOne({ _id: null }, { $set: { last: new Double(2) } });
      const before = await bytesOf(from);
      await splitCutover(ctx, plan.id, DO);
      assert.equal(before.length, IDS.length - 2);
      assert.deepEqual(await bytesOf(into), before);
      assert.equal(await into.countDocuments({ _id: null }), 1);
      const { verified } = (await splitVerify(ctx, plan.id, { repair: true, confirm: true }))
        .splits[0];
      assert.deepEqual([verified.differences, verified.repaired], [0, 0]);
    });
  }

  it('what only its bytes tell, with an _id that is null: it ends rather than alter it', async () => {
    const name = 'bytes';
    const from = client.db('app').collection(name);
    const nan = element(0x01, '2023', Buffer.from('010000000000f87f', 'hex'));
    await insertRaw(server.port, 'app', name, [
      document(plain('_id', null), plain('2024', 1), nan),
      document(plain('_id', 1)),
    ]);
    const before = await bytesOf(from);
    const plan = await planOf(client, {
      moves: [{ ns: `app.${name}`, into: `app2.${name}`, method: 'ranges' }],
    });
    await assert.rejects(
      splitRun(ctx, plan, DO),
      (error) =>
        error.code === 'TUNE-35015' && /Give it another _id, or remove it/.test(error.message),
    );
    assert.deepEqual(await bytesOf(from), before);
    await from.deleteOne({ _id: null });
    await splitResume(ctx, plan.id, DO);
    await splitCutover(ctx, plan.id, DO);
    assert.equal(await client.db('app2').collection(name).countDocuments(), 1);
  });

  it('through a connection string that asks for other reads and writes: they are not those of a split', async () => {
    const { into, plan } = await begin({
      documents: [null, 1, 'x'].map((_id) => ({ _id })),
      method: 'ranges',
    });
    const other = contextOf(
      await server.connect(
        `${server.uri}&readPreference=secondaryPreferred&readConcernLevel=local&w=0&retryWrites=false`,
      ),
    );
    await splitRun(other, plan, DO);
    assert.equal(
      (await splitVerify(other, plan.id, { repair: true, confirm: true })).splits[0].verified
        .differences,
      0,
    );
    await splitCutover(other, plan.id, DO);
    assert.equal(await into.countDocuments(), 3);
  });

  it('a collation for which a and A are the same: one goes and the other comes', async () => {
    const collation = { locale: 'en', strength: 2 };
    const { name, from, into, plan } = await begin({
      documents: ['a', 'b', 'c'].map((_id) => ({ _id, n: 1 })),
      options: { collation },
      indexes: [{ key: { n: 1 } }],
    });
    await splitRun(ctx, plan, DO);
    for (const _id of ['a', 'b']) {
      await from.deleteOne({ _id });
      await from.insertOne({ _id: _id.toUpperCase(), n: 2 });
    }
    await splitCutover(ctx, plan.id, DO);
    assert.deepEqual((await into.find().toArray()).map(({ _id, n }) => `${_id}${n}`).sort(), [
      'A2',
      'B2',
      'c1',
    ]);
    assert.equal(
      (await client.db('app2').listCollections({ name }).toArray())[0].options.collation.strength,
      2,
    );
  });

  it("unique values that go round: each document has another one's value, time and again", async () => {
    const { from, into, plan } = await begin({
      documents: Array.from({ length: 60 }, (_, i) => ({ _id: i, u: i })),
      indexes: [{ key: { u: 1 }, unique: true }],
    });
    await splitRun(ctx, plan, DO);
    for (let round = 0; round < 3; round += 1) {
      await from.updateOne({ _id: 0 }, { $set: { u: -1 } });
      for (let i = 1; i < 60; i += 1)
        await from
          .updateOne({ _id: i }, [{ $set: { u: { $subtract: ['$u', 1] } } }])
          .catch((error) => {
            if (error.code !== 11000) throw error;
          });
      await from.deleteOne({ _id: 0 });
      await from.insertOne({ _id: 0, u: 1000 + round });
    }
    const before = await bytesOf(from);
    await splitCutover(ctx, plan.id, DO);
    assert.deepEqual(await bytesOf(into), before);
  });

  it('a validator that old documents do not pass, options, and names with every sign', async () => {
    // JavaScript has no such flag, and no such group.
    const options = {
      validator: {
        a: { $type: 'string' },
        b: { $not: { $regex: new BSONRegExp('^x y(?i)z', 'ix') } },
      },
      validationLevel: 'moderate',
      validationAction: 'error',
    };
    const { from, plan, into, name } = await begin({ documents: [{ _id: 1, a: 'x' }], options });
    await from.insertOne({ _id: 2, a: 5 }, { bypassDocumentValidation: true });
    await splitRun(ctx, plan, DO);
    await from.insertOne({ _id: 3, a: 6 }, { bypassDocumentValidation: true });
    await splitCutover(ctx, plan.id, DO);
    assert.equal(await into.countDocuments(), 3);
    assert.deepEqual(
      (await client.db('app2').listCollections({ name }, { bsonRegExp: true }).toArray())[0]
        .options,
      options,
    );
    await assert.rejects(into.insertOne({ a: 7 }), { code: 121 });
  });
});
