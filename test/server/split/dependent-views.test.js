'use strict';

const assert = require('node:assert/strict');
const { ALONE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { startServer } = require('../../support/server');
const { planOf, startRegister, until, useSet } = require('../../support/split');
const { isCut, stepsOf } = require('../../support/split-steps');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitPlan } = require('../../../lib/commands/split-plan');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');

/**
 * @import { MongoClient } from 'mongodb'
 */

const DO = Object.freeze({ confirm: true });
const FR = Object.freeze({ locale: 'fr', strength: 1 });
const DE = Object.freeze({ locale: 'de' });
const LOOKUP = Object.freeze({ localField: 'a', foreignField: 'a', as: 'b' });
const DEEPEST = 20;

/** Views on one another, the first on `name`. */
async function chain(db, name, length, options = {}) {
  for (let [i, on] = [1, name]; i <= length; i += 1, on = `${name}_v${i - 1}`)
    await db.createCollection(`${name}_v${i}`, { viewOn: on, pipeline: [], ...options });
}
const view = (viewOn, pipeline, collation) => (db, name) =>
  db.createCollection(`${name}_v1`, {
    viewOn: viewOn ?? name,
    pipeline: pipeline(name),
    ...(collation && { collation }),
  });
/**
 * @param {MongoClient} client
 * @param {string} name of the source
 * @param {{ before?(): Promise<unknown>, refused?(): Promise<unknown> }} does `before`: right before
 *   the first step that cuts; `refused`: right after the server refused it
 */
function during(client, name, { before, refused = async () => undefined }) {
  const mine = contextOf(client);
  const { command } = mine.port;
  let isFirst = true;
  mine.port.command = async (db, spec) => {
    const steps = stepsOf(spec);
    if (!isCut(steps) || !steps.some(({ create }) => create === name)) return command(db, spec);
    const first = isFirst;
    isFirst = false;
    if (first) await before?.();
    return command(db, spec).catch(async (error) => {
      if (first) await refused();
      throw error;
    });
  };
  mine.port.adminCommand = (spec) => mine.port.command('admin', spec);
  return mine;
}

describe('views of other users that read a name of a split', function () {
  this.timeout(180_000);
  let client;
  let ctx;
  let makes = 0;
  useSet((set) => {
    ({ client, ctx } = set);
  });
  const viewsOf = async (db, name) =>
    (await client.db(db).listCollections({ type: 'view' }).toArray())
      .filter((one) => one.name === name)
      .map(({ options }) => options.collation?.locale ?? null);

  for (const [what, make, options, collation] of [
    ['on it, with a collation', view(null, () => [], FR), {}, 'fr'],
    ['on it, with that of the collection', view(null, () => [], FR), { collation: FR }, 'fr'],
    ['on it, without one, of a collection with one', view(null, () => []), { collation: FR }, null],
    ['by $lookup', view('o', (from) => [{ $lookup: { from, ...LOOKUP } }], FR), {}, 'fr'],
    [
      'by $graphLookup',
      view(
        'o',
        (from) => [
          {
            $graphLookup: {
              from,
              startWith: '$a',
              connectFromField: 'a',
              connectToField: 'a',
              as: 'b',
            },
          },
        ],
        FR,
      ),
      {},
      'fr',
    ],
    [
      'by $unionWith in a pipeline in a $facet',
      view(
        'o',
        (coll) => [
          {
            $facet: {
              x: [{ $lookup: { from: 'p', pipeline: [{ $unionWith: { coll } }], as: 'b' } }],
            },
          },
        ],
        FR,
      ),
      {},
      'fr',
    ],
    [
      'one on the other, all with a collation',
      (db, n) => chain(db, n, 3, { collation: FR }),
      {},
      'fr',
    ],
    ['as many as the server allows with ours', (db, n) => chain(db, n, DEEPEST - 1), {}, null],
  ])
    it(`${what}: there and back under load, nothing is lost`, async () => {
      const { id, name } = await beginSplit(client, ctx, { options, indexes: [] });
      await make(client.db('app'), name);
      const register = startRegister(client, { db: 'app', name, elsewhere: 'app2' });
      await until(() => register.counts.acknowledged > 50);
      await splitCutover(ctx, id, ALONE);
      assert.deepEqual(await viewsOf('app', name), [collation]);
      await make(client.db('app2'), name);
      const then = register.counts.acknowledged;
      await until(() => register.counts.acknowledged > then + 50);
      await splitRollback(ctx, id, ALONE);
      assert.deepEqual(await viewsOf('app2', name), [collation]);
      await register.stop();
      assert.deepEqual(register.counts.other, []);
      assert.deepEqual(await register.differences('app', name), []);
      await splitFinish(ctx, id, DO);
    });

  for (const [what, make, says] of [
    [
      'different collations',
      async (db, name) => {
        await db.createCollection(`${name}_fr`, { viewOn: name, pipeline: [], collation: FR });
        await db.createCollection(`${name}_de`, { viewOn: name, pipeline: [], collation: DE });
      },
      /different collations: (app2?\.b\d+_de \(collation de, strength 3\), app2?\.b\d+_fr \(collation fr, strength 1\))/,
    ],
    [
      'more of them on one another than the server allows with ours',
      (db, name) => chain(db, name, DEEPEST),
      /app2?\.b\d+_v20 reads app2?\.b\d+ through 19 other views\. .*: drop app2?\.b\d+_v20\./,
    ],
  ]) {
    it(`${what}: refused by plan, run, status and cutover, and nothing is done`, async () => {
      const { id, name, second, read } = await beginSplit(client, ctx, { indexes: [] });
      await make(client.db('app'), name);
      const { splits } = await splitCutover(ctx, id);
      assert.match(splits[0].does.join(), says);
      await assert.rejects(splitCutover(ctx, id, ALONE), { code: 'TUNE-35020', message: says });
      assert.equal((await read()).phase, 'following');
      assert.deepEqual(await takesWrites(client, name), ['app']);
      await splitAbort(ctx, id, DO);
      const { moves } = await splitPlan(ctx, {
        source: 'app',
        target: 'app3',
        collections: name,
        seconds: 0.1,
      });
      assert.match(moves[0].blockers.map(({ say }) => say).join(), says);
      await assert.rejects(splitRun(ctx, second, DO), { code: 'TUNE-35020', message: says });
      assert.equal(
        await client.db('tune').collection('splits').countDocuments({ planId: second.id }),
        0,
      );
    });
    it(`${what}: refused by a rollback, and nothing is done`, async () => {
      const { id, name, read } = await beginSplit(client, ctx, { indexes: [], switched: true });
      await make(client.db('app2'), name);
      await assert.rejects(splitRollback(ctx, id, ALONE), { code: 'TUNE-35020', message: says });
      assert.equal((await read()).phase, 'switched');
      assert.deepEqual(await takesWrites(client, name), ['app2']);
    });
    it(`${what}, at the target: refused by plan and run`, async () => {
      const name = `b0${makes}`;
      makes += 1;
      await client.db('app').collection(name).insertOne({});
      await make(client.db('app2'), name);
      const plan = await splitPlan(ctx, {
        source: 'app',
        target: 'app2',
        collections: name,
        seconds: 0.1,
      });
      assert.deepEqual(
        plan.moves[0].blockers.map(({ what: word }) => word),
        ['views'],
      );
      const made = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
      await assert.rejects(splitRun(ctx, made, DO), { code: 'TUNE-35020' });
    });
  }

  it('made anew with another collation right before the step: found before anything is renamed', async () => {
    const { id, name, from } = await beginSplit(client, ctx, { indexes: [] });
    const db = client.db('app');
    await chain(db, name, 1);
    const seen = [];
    const mine = during(client, name, {
      before: async () => {
        await db.collection(`${name}_v1`).drop();
        await chain(db, name, 1, { collation: FR });
      },
      refused: async () => seen.push(await from.countDocuments()),
    });
    await splitCutover(mine, id, ALONE);
    assert.deepEqual(seen, [200]);
    assert.deepEqual(await viewsOf('app', name), ['fr']);
    assert.deepEqual(await takesWrites(client, name), ['app2']);
    assert.equal((await db.listCollections({ name: /^mongosh_tune_trial/ }).toArray()).length, 0);
  });

  it('made right before the step: the source gets its name back at once, and the next try passes', async () => {
    const { id, name, from, read } = await beginSplit(client, ctx, { indexes: [] });
    const mine = during(client, name, {
      before: () => chain(client.db('app'), name, 1, { collation: FR }),
    });
    await assert.rejects(splitCutover(mine, id, ALONE), {
      message: /collation.*It was undone: app\.b\d+ is active again with all its data/,
    });
    assert.deepEqual(
      [(await read()).phase, await takesWrites(client, name)],
      ['following', ['app']],
    );
    assert.equal(await from.countDocuments(), 200);
    await splitCutover(ctx, id, ALONE);
    assert.deepEqual(await takesWrites(client, name), ['app2']);
  });

  it('the same, and an application makes a collection meanwhile: it is said that it takes writes', async () => {
    const { id, name, from, into, status } = await beginSplit(client, ctx, { indexes: [] });
    const mine = during(client, name, {
      before: () => chain(client.db('app'), name, 1, { collation: FR }),
      refused: () => from.insertOne({ _id: /** @type {any} */ ('stray') }),
    });
    const error = await splitCutover(mine, id, ALONE).then(
      () => assert.fail('it passed'),
      (failed) => failed,
    );
    assert.equal(error.code, 'TUNE-35013');
    assert.match(
      error.message,
      /a new collection of another session has the name app\.b\d+ and takes writes/,
    );
    assert.doesNotMatch(error.message, /are blocked until then|Nothing is lost/);
    assert.deepEqual((await status()).open, [{ ns: `app.${name}`, isFree: false }]);
    assert.match(String(await splitStatus(ctx, id)), /TAKES WRITES into a new collection/);
    await from.rename(`${name}_strays`);
    await splitResume(ctx, id, DO);
    assert.deepEqual(await takesWrites(client, name), ['app2']);
    assert.equal(await into.countDocuments(), 200);
  });

  describe('reads: "view"', () => {
    it('answers as the collection would, by its collation', async () => {
      const { id, from } = await beginSplit(client, ctx, {
        indexes: [],
        options: { collation: FR },
        documents: [{ _id: 1, a: 'é' }],
      });
      await splitCutover(ctx, id, { ...ALONE, reads: 'view' });
      assert.equal(await from.countDocuments({ a: 'E' }), 1);
      assert.equal(await from.countDocuments({ a: 'E' }, { collation: FR }), 1);
      await splitFinish(ctx, id, DO);
      await assert.rejects(from.countDocuments(), { code: 241 });
    });
    it('is refused where views demand another collation', async () => {
      const { id, name } = await beginSplit(client, ctx, { indexes: [] });
      await chain(client.db('app'), name, 1, { collation: FR });
      await assert.rejects(splitCutover(ctx, id, { ...ALONE, reads: 'view' }), {
        code: 'TUNE-35020',
        message:
          /\{ reads: "view" \} .*\(no collation\).* app\.b\d+_v1 \(collation fr, strength 1\) reads/,
      });
      assert.deepEqual(await takesWrites(client, name), ['app']);
      await splitCutover(ctx, id, { ...ALONE, reads: 'refused' });
      assert.deepEqual(await takesWrites(client, name), ['app2']);
    });
  });
});

describe('views of other users that read a name of a split, on a standalone server', function () {
  this.timeout(120_000);
  let server;
  let client;
  let ctx;
  before(async () => {
    server = await startServer();
    client = server.client;
    ctx = contextOf(client);
  });
  after(() => server?.stop());
  const begin = async (name) => {
    await client
      .db('app')
      .collection(name)
      .insertMany([{ _id: 1 }, { _id: 2 }]);
    return () =>
      planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }], mode: 'offline' });
  };

  it('with a collation: it is moved', async () => {
    const plan = await begin('c');
    await chain(client.db('app'), 'c', 1, { collation: FR });
    await splitRun(ctx, await plan(), DO);
    assert.deepEqual(await takesWrites(client, 'c'), ['app2']);
    assert.equal(await client.db('app2').collection('c').countDocuments(), 2);
  });
  it('made right before the step: the source gets its name back at once, and resume goes on', async () => {
    const plan = await (await begin('d'))();
    const mine = during(client, 'd', {
      before: () => chain(client.db('app'), 'd', 1, { collation: FR }),
    });
    await assert.rejects(splitRun(mine, plan, DO), {
      message:
        /It was undone: app\.d is active again .*tune\.split\.resume\("p\w+", \{ confirm: true \}\) retries it/,
    });
    assert.deepEqual(await takesWrites(client, 'd'), ['app']);
    await splitResume(ctx, plan.id, DO);
    assert.deepEqual(await takesWrites(client, 'd'), ['app2']);
    assert.equal(await client.db('app2').collection('d').countDocuments(), 2);
  });
});
