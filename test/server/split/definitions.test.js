'use strict';

const assert = require('node:assert/strict');
const { Long, MaxKey, MinKey, ObjectId } = require('mongodb');
const { ALONE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { endLease, mortalContext, planOf, useSet } = require('../../support/split');
const { isCut, stepsOf } = require('../../support/split-steps');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitPlan } = require('../../../lib/commands/split-plan');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { NEVER_SECONDS: NEVER } = require('../../../lib/split/ttl');

const DO = Object.freeze({ confirm: true });
const ISO = '2030-01-01T00:00:00.000Z';
const HEX = '0123456789abcdef01234567';

describe('a split: options and indexes that are changed meanwhile', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });
  const RAW = { promoteValues: false, bsonRegExp: true };
  const optionsOf = async (db, name) =>
    (await client.db(db).command({ listCollections: 1, filter: { name } }, RAW)).cursor
      .firstBatch[0].options;
  const indexesOf = async (db, name) =>
    (await client.db(db).command({ listIndexes: name }, RAW)).cursor.firstBatch;
  const expiryOf = async (from) =>
    (await from.indexes())
      .filter((one) => one.expireAfterSeconds !== undefined)
      .map((one) => [one.name, one.expireAfterSeconds]);

  for (const [what, old, fresh] of [
    [
      'a string to a date',
      { at: { $not: { $gt: ISO } } },
      { at: { $not: { $gt: new Date(ISO) } } },
    ],
    ['digits to an ObjectId', { t: { $ne: HEX } }, { t: { $ne: new ObjectId(HEX) } }],
    ['Infinity to NaN', { a: { $lt: Infinity } }, { a: { $lt: NaN } }],
    ['MinKey to MaxKey', { n: { $gt: new MinKey() } }, { n: { $gt: new MaxKey() } }],
  ])
    it(`a validator, from ${what}: refused until it is the same; the source answers`, async () => {
      const { id, name } = await beginSplit(client, ctx, {
        options: { validator: old, validationLevel: 'strict', validationAction: 'error' },
        documents: [{ _id: 1, a: 1, n: 1 }],
      });
      const wanted = await optionsOf('app', name);
      await client.db('app').command({ collMod: name, validator: fresh });
      await assert.rejects(splitCutover(ctx, id, ALONE), {
        code: 'TUNE-35009',
        message: /differ in the option validator\. Make the same change/,
      });
      await client.db('app').command({ collMod: name, validator: old });
      await splitCutover(ctx, id, ALONE);
      assert.deepEqual(await optionsOf('app2', name), wanted);
    });

  it('the filter of an index, from a string to a date: made again in the copy', async () => {
    const of = (at) => ({ name: 'p', unique: true, partialFilterExpression: { at: { $gt: at } } });
    const { id, name, from } = await beginSplit(client, ctx, {
      indexes: [[{ at: 1 }, of(ISO)]],
      documents: [{ _id: 1, at: new Date() }],
    });
    await from.dropIndex('p');
    await from.createIndex({ at: 1 }, of(new Date(ISO)));
    const wanted = await indexesOf('app', name);
    await splitCutover(ctx, id, ALONE);
    assert.deepEqual(await indexesOf('app2', name), wanted);
  });

  it('numbers beyond those of JavaScript are moved as they are', async () => {
    const big = Long.fromString('9007199254740993');
    const { id, name } = await beginSplit(client, ctx, {
      options: { validator: { n: { $not: { $gt: big } } } },
      indexes: [[{ n: 1 }, { name: 'p', partialFilterExpression: { n: { $lte: big } } }]],
      documents: [{ _id: 1, n: big }],
    });
    const wanted = [await optionsOf('app', name), await indexesOf('app', name)];
    await splitCutover(ctx, id, ALONE);
    assert.deepEqual([await optionsOf('app2', name), await indexesOf('app2', name)], wanted);
  });

  const several = new Map([
    ['b', 1],
    ['1', 1],
  ]);
  const UNORDERED = {
    'the key of an index': (name) => ({
      createIndexes: name,
      indexes: [{ name: 'x', key: several }],
    }),
    'the filter of an index': (name) => ({
      createIndexes: name,
      indexes: [{ name: 'x', key: { v: 1 }, partialFilterExpression: { v: several } }],
    }),
    'a validator': (name) => ({ collMod: name, validator: { v: { $ne: several } } }),
  };
  let number = 0;
  for (const [what, change] of Object.entries(UNORDERED)) {
    it(`${what} whose order JavaScript loses is a blocker of the plan, and of a run after it`, async () => {
      number += 1;
      const name = `u${number}`;
      await client.db('app').collection(name).insertOne({ _id: 1 });
      const made = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
      await client.db('app').command(change(name));
      for (const how of [{}, DO])
        await assert.rejects(splitRun(ctx, made, how), {
          code: 'TUNE-35011',
          message: new RegExp(`cannot be run: in the (index x|option validator) of app\\.${name}`),
        });
      assert.equal(
        await client
          .db('tune')
          .collection('splits')
          .countDocuments({ source: `app.${name}` }),
        0,
      );
      const plan = await splitPlan(ctx, { source: 'app', collections: name, seconds: 0.1 });
      assert.match(plan.moves[0].blockers[0].what, /^(index|validator)-order$/);
    });

    it(`${what} whose order JavaScript loses, since the copy: refused, the source answers`, async () => {
      const { id, name } = await beginSplit(client, ctx, { indexes: [] });
      await client.db('app').command(change(name));
      await assert.rejects(splitCutover(ctx, id, ALONE), { code: 'TUNE-35009' });
      assert.deepEqual(await takesWrites(client, name), ['app']);
      await splitAbort(ctx, id, DO);
    });

    it(`${what} whose order JavaScript loses, before there is a copy: refused`, async () => {
      number += 1;
      const name = `u${number}`;
      await client.db('app').collection(name).insertOne({ _id: 1 });
      const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
      const dies = (spec) => spec.create && spec.create.startsWith(`${name}__tune`);
      await assert.rejects(splitRun(mortalContext(client, dies), plan, DO));
      await endLease(client, plan.id);
      await client.db('app').command(change(name));
      await assert.rejects(splitResume(ctx, plan.id, DO), {
        code: 'TUNE-35009',
        message: /changed since the split began: the (index x|option validator) has several/,
      });
      assert.deepEqual(await takesWrites(client, name), ['app']);
      await splitAbort(ctx, plan.id, DO);
    });
  }

  it('a validator written in the same wrong order in the copy is not taken for the same', async () => {
    const { id, name, read } = await beginSplit(client, ctx, { indexes: [] });
    await client.db('app').command({ collMod: name, validator: { v: { $ne: several } } });
    const { into } = await read();
    await client
      .db('app2')
      .command({ collMod: into.stagingName, validator: { v: { $ne: { b: 1, 1: 1 } } } });
    await assert.rejects(splitCutover(ctx, id, ALONE), {
      code: 'TUNE-35009',
      message: /Remove the validator in both places/,
    });
  });

  it('options changed before there is a copy are those of the copy', async () => {
    number += 1;
    const name = `u${number}`;
    await client.db('app').collection(name).insertOne({ _id: 1, a: 5 });
    const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
    const dies = (spec) => spec.create && spec.create.startsWith(`${name}__tune`);
    await assert.rejects(splitRun(mortalContext(client, dies), plan, DO));
    await endLease(client, plan.id);
    await client.db('app').command({ collMod: name, validator: { a: 5 } });
    await splitResume(ctx, plan.id, DO);
    await splitCutover(ctx, plan.id, ALONE);
    assert.equal(Number((await optionsOf('app2', name)).validator.a), 5);
  });

  for (const [what, index, fitsNot] of [
    ['unique', [{ u: 1 }, { name: 'i', unique: true }], { _id: 'twice', u: 1 }],
    [
      '2dsphere',
      [{ g: '2dsphere' }, { name: 'i' }],
      { _id: 'nowhere', g: { type: 'Point', coordinates: [999, 999] } },
    ],
  ])
    for (const again of [false, true])
      it(
        `a ${what} index dropped while it is copied, then a document that does not fit: ` +
          `resume goes on${again ? ' with a new copy' : ''}`,
        async () => {
          number += 1;
          const name = `u${number}`;
          const from = client.db('app').collection(name);
          await from.insertMany(Array.from({ length: 20 }, (_, i) => ({ _id: i, u: i })));
          await from.createIndex(...index);
          const plan = await planOf(client, {
            moves: [{ ns: `app.${name}`, into: `app2.${name}` }],
          });
          const dies = (spec) => spec.findAndModify && spec.update?.$set?.phase === 'indexing';
          await assert.rejects(splitRun(mortalContext(client, dies), plan, DO));
          await endLease(client, plan.id);
          await from.dropIndex('i');
          await from.insertOne(fitsNot);
          await splitResume(ctx, plan.id, { restart: again, ...DO });
          await splitCutover(ctx, plan.id, ALONE);
          assert.deepEqual(
            [
              await client.db('app2').collection(name).countDocuments(),
              (await indexesOf('app2', name)).map((one) => one.name),
            ],
            [21, ['_id_']],
          );
        },
      );

  describe('the times of expiry, where the new place was dropped by another', () => {
    const begin = () =>
      beginSplit(client, ctx, {
        indexes: [[{ at: 1 }, { expireAfterSeconds: 3600 }]],
        switched: true,
      });
    async function changeThere({ name, into }) {
      await into.createIndex({ fresh: 1 }, { expireAfterSeconds: 7200 });
      await client
        .db('app2')
        .command({ collMod: name, index: { name: 'at_1', expireAfterSeconds: 60_000 } });
    }
    /** @param {(spec: any) => boolean} when a rollback comes to a halt */
    async function haltedAndLost(one, when) {
      const mine = contextOf(client);
      const { command } = mine.port;
      mine.port.command = async (db, spec) => {
        if (when(spec))
          throw Object.assign(new Error('no'), { name: 'MongoServerError', code: 8000 });
        return command(db, spec);
      };
      mine.port.adminCommand = (spec) => mine.port.command('admin', spec);
      await assert.rejects(splitRollback(mine, one.id, ALONE));
      await one.into.drop();
      await splitRollback(ctx, one.id, { lost: true, confirm: true });
      return Object.fromEntries(await expiryOf(one.from));
    }

    it('a rollback that came to a halt at the cut: those of the new place then', async () => {
      const one = await begin();
      await changeThere(one);
      assert.deepEqual(await haltedAndLost(one, (spec) => isCut(stepsOf(spec))), {
        at_1: 60_000,
        fresh_1: 7200,
      });
    });

    it('one that came to a halt before it wrote down those of the new place', async () => {
      const one = await begin();
      await changeThere(one);
      const { fresh_1: fresh, at_1: at } = await haltedAndLost(
        one,
        (spec) => spec.findAndModify && spec.update?.$set?.phase === 'cutting-back',
      );
      assert.deepEqual([fresh, at], [7200, 3600]);
    });

    it('no rollback was tried: those of the cutover', async () => {
      const one = await begin();
      const renamedTo = await one.renamedTo();
      assert.deepEqual(await expiryOf(renamedTo), [['at_1', NEVER]]);
      await one.into.drop();
      await splitRollback(ctx, one.id, { lost: true, confirm: true });
      assert.deepEqual(await expiryOf(one.from), [['at_1', 3600]]);
    });
  });
});
