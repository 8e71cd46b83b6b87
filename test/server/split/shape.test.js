'use strict';

/**
 * Indexes, options and times of expiry that are changed while a split is under way: both sides have
 * the same in the end, and nothing expires in what is kept.
 */
const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { endLease, mortalContext, saysPhase, until, useSet } = require('../../support/split');
const { saves } = require('../../support/sent');
const { contextOf } = require('../../support/context');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { NEVER_SECONDS } = require('../../../lib/split/ttl');

const DO = Object.freeze({ confirm: true });
const LATER_SECONDS = 100_000;

describe('indexes, options and expiry of a split', function () {
  this.timeout(240_000);
  let client;
  let ctx;
  useSet(
    (set) => {
      ({ client, ctx } = set);
    },
    { args: ['--setParameter', 'ttlMonitorSleepSecs=1'] },
  );

  const pause = (ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
  const indexes = async (collection) => (await collection.indexes()).map(({ name }) => name).sort();
  const seconds = async (collection) =>
    (await collection.indexes()).find(({ name }) => name === 'at_1')?.expireAfterSeconds;
  const expire = (db, name, expireAfterSeconds) =>
    client.db(db).command({ collMod: name, index: { name: 'at_1', expireAfterSeconds } });
  const validate = (db, name) =>
    client.db(db).command({ collMod: name, validator: { a: { $exists: true } } });
  async function ageing(more = {}) {
    const at = new Date();
    const documents = Array.from({ length: 50 }, (_, i) => ({ _id: i, at }));
    return beginSplit(client, ctx, {
      documents,
      indexes: [[{ at: 1 }, { expireAfterSeconds: LATER_SECONDS }]],
      ...more,
    });
  }

  it(
    'old data does not expire while it is kept, and a rollback brings it back with the time of ' +
      'expiry that the new place had',
    async () => {
      const { id, name, from, into, renamedTo } = await ageing({ switched: true });
      assert.deepEqual(
        [await seconds(into), await seconds(await renamedTo())],
        [LATER_SECONDS, NEVER_SECONDS],
      );
      await expire('app2', name, LATER_SECONDS - 1);
      // Made old once it is cut off, and not before: nothing depends on how long the cutover takes.
      const aged = (at) => renamedTo().then((one) => one.updateMany({}, { $set: { at } }));
      await aged(new Date(Date.now() - 2_000 * LATER_SECONDS));
      await pause(3_000);
      assert.equal(await (await renamedTo()).countDocuments(), 50);
      // Or it would expire after the rollback, rightly.
      await aged(new Date());
      await splitRollback(ctx, id, ALONE);
      assert.deepEqual([await from.countDocuments(), await seconds(from)], [50, LATER_SECONDS - 1]);
    },
  );

  it('a copy does not expire by a time that the source has no more', async () => {
    const limitSeconds = 3_600;
    // Ten seconds are left to each when it begins: enough to copy them.
    const at = new Date(Date.now() - 1_000 * (limitSeconds - 10));
    const documents = Array.from({ length: 50 }, (_, i) => ({ _id: i, at }));
    const { id, name, from, into } = await beginSplit(client, ctx, {
      documents,
      indexes: [[{ at: 1 }, { expireAfterSeconds: limitSeconds }]],
    });
    await expire('app', name, LATER_SECONDS);
    assert.equal(await from.countDocuments(), 50);
    await pause(Math.max(0, at.getTime() + 1_000 * limitSeconds - Date.now()) + 3_000);
    await splitCutover(ctx, id, ALONE);
    assert.deepEqual([await into.countDocuments(), await seconds(into)], [50, LATER_SECONDS]);
  });

  it('after an abort of one that was cut off, documents expire as before', async () => {
    const { id, from, renamedTo } = await ageing();
    let gone = false;
    await assert.rejects(
      splitCutover(
        mortalContext(client, (spec) => {
          const was = gone;
          gone ||= saves(spec, 'draining');
          return was;
        }),
        id,
        ALONE,
      ),
    );
    assert.equal(await seconds(await renamedTo()), NEVER_SECONDS);
    await endLease(client, id);
    await splitAbort(ctx, id, DO);
    assert.deepEqual([await from.countDocuments(), await seconds(from)], [50, LATER_SECONDS]);
  });

  it(
    'after a cutover that was undone, and after one rolled back and undone, documents expire ' +
      'as before',
    async () => {
      const { id, name, from, into } = await ageing();
      const stopped = (phase) => {
        const stop = new AbortController();
        return Object.assign(contextOf(client, { signal: stop.signal }), {
          progress: (text) => {
            if (saysPhase(text, phase)) stop.abort();
          },
        });
      };
      await assert.rejects(splitCutover(stopped('draining'), id, ALONE), { code: 'TUNE-30009' });
      assert.deepEqual(
        [await seconds(from), await takesWrites(client, name)],
        [LATER_SECONDS, ['app']],
      );
      await splitCutover(ctx, id, ALONE);
      await expire('app2', name, LATER_SECONDS - 7);
      await assert.rejects(splitRollback(stopped('draining-back'), id, ALONE), {
        code: 'TUNE-30009',
      });
      assert.deepEqual(
        [await seconds(into), await takesWrites(client, name)],
        [LATER_SECONDS - 7, ['app2']],
      );
    },
  );

  it('rollback { lost: true } gives the old data its time of expiry again', async () => {
    const { id, from, into } = await ageing({ switched: true });
    await into.drop();
    await splitRollback(ctx, id, { ...DO, lost: true });
    assert.deepEqual([await from.countDocuments(), await seconds(from)], [50, LATER_SECONDS]);
  });

  it('indexes that the new place got or lost come along with a rollback', async () => {
    const { id, from, into } = await beginSplit(client, ctx, {
      indexes: [[{ a: 1 }], [{ c: 1 }]],
      switched: true,
    });
    await into.createIndex(
      { b: 1 },
      { unique: true, partialFilterExpression: { b: { $exists: true } } },
    );
    await into.dropIndex('c_1');
    await into.dropIndex('a_1');
    await into.createIndex({ a: 1 }, { hidden: true });
    const wanted = await into.indexes();
    assert.doesNotMatch((await splitRollback(ctx, id)).splits[0].does.join(' '), /Blocked now/);
    await splitRollback(ctx, id, ALONE);
    const plain = (list) =>
      list.map(({ v: _v, ...one }) => one).sort((x, y) => (x.name < y.name ? -1 : 1));
    assert.deepEqual(plain(await from.indexes()), plain(wanted));
  });

  it('an option changed at the new place is refused before it stops answering, and the advice helps', async () => {
    const { id, name, into, from } = await beginSplit(client, ctx, { switched: true });
    await validate('app2', name);
    await into.insertOne({ _id: 'since', a: 1 });
    assert.match(
      (await splitRollback(ctx, id)).splits[0].does.join(' '),
      /Blocked now: .* the option validator/,
    );
    const error = await splitRollback(ctx, id, ALONE).then(
      () => null,
      (one) => one,
    );
    assert.equal(error?.code, 'TUNE-35009');
    assert.deepEqual(await takesWritesOf(name, { a: 1 }), ['app2']);
    const [, ns] = /Make the same change to (\S+),/.exec(error.message);
    await validate('app', ns.slice(ns.indexOf('.') + 1));
    assert.doesNotMatch(error.message, /tune\.split\.resume/);
    assert.equal((await splitRollback(ctx, id, ALONE)).splits[0].phase, 'rolled-back');
    assert.equal(await from.countDocuments(), BEFORE + 1);
    await assert.rejects(from.insertOne({ b: 1 }), { code: 121 });
  });

  /** The validator wants more than a document of takesWrites has. */
  async function takesWritesOf(name, fields) {
    const tried = await Promise.all(
      ['app', 'app2'].map(async (db) => {
        const one = client.db(db).collection(name);
        return one
          .insertOne({ _id: 'tried', ...fields })
          .then(() => one.deleteOne({ _id: 'tried' }))
          .then(
            () => db,
            () => null,
          );
      }),
    );
    return tried.filter(Boolean);
  }

  it('indexes that the source got or lost while it is followed are the same at the new place', async () => {
    const { id, name, from, into } = await ageing();
    await from.createIndex({ b: 1 });
    await expire('app', name, LATER_SECONDS - 3);
    await from.createIndex({ c: 1 });
    await from.dropIndex('b_1');
    // It is done by the cutover, so it is in nobody's way.
    assert.doesNotMatch((await splitCutover(ctx, id)).splits[0].does.join(' '), /Blocked now/);
    await splitCutover(ctx, id, ALONE);
    assert.deepEqual(
      [await indexes(into), await seconds(into)],
      [['_id_', 'at_1', 'c_1'], LATER_SECONDS - 3],
    );
  });

  it(
    'an option of the source changed while it is followed is named by the dry run, refused ' +
      'while the source answers, and the advice helps',
    async () => {
      const { id, name, from, into } = await beginSplit(client, ctx);
      await validate('app', name);
      assert.match((await splitCutover(ctx, id)).splits[0].does.join(' '), /the option validator/);
      const error = await splitCutover(ctx, id, ALONE).then(
        () => null,
        (one) => one,
      );
      assert.equal(error?.code, 'TUNE-35009');
      await from.insertOne({ _id: 'since', a: 1 });
      const [, ns] = /Make the same change to (\S+),/.exec(error.message);
      await validate('app2', ns.slice(ns.indexOf('.') + 1));
      await splitCutover(ctx, id, ALONE);
      assert.equal(await into.countDocuments(), BEFORE + 1);
    },
  );

  describe('an index of the simple collation in a collection of another', () => {
    const of = (documents) => ({
      documents,
      options: { collation: { locale: 'en', strength: 2 } },
      indexes: [[{ k: 1 }, { unique: true, collation: { locale: 'simple' } }]],
    });
    const both = [
      { _id: 1, k: 'x' },
      { _id: 2, k: 'X' },
    ];
    it('values that differ in case alone are copied', async () => {
      const { id, into } = await beginSplit(client, ctx, of(both));
      await splitCutover(ctx, id, ALONE);
      assert.equal(await into.countDocuments(), 2);
    });
    it('they are brought over while it is followed', async () => {
      const { id, from, into } = await beginSplit(client, ctx, of([both[0]]));
      await from.insertOne(both[1]);
      await splitCutover(ctx, id, ALONE);
      assert.equal(await into.countDocuments(), 2);
    });
    it('the new place takes them as the old one did, and so does the old one after a rollback', async () => {
      const { id, from, into } = await beginSplit(client, ctx, of([both[0]]));
      await splitCutover(ctx, id, ALONE);
      await into.insertOne(both[1]);
      await assert.rejects(into.insertOne({ _id: 3, k: 'X' }), { code: 11000 });
      await splitRollback(ctx, id, ALONE);
      assert.equal(await from.countDocuments(), 2);
    });
  });

  it(
    "a value of a unique index that is still another document's, and an index that is built, " +
      'are named before the cut',
    async () => {
      const { id, name, from, read } = await beginSplit(client, ctx, {
        documents: Array.from({ length: 20 }, (_, i) => ({ _id: i, u: i })),
        indexes: [[{ u: 1 }, { unique: true }]],
      });
      const staging = client.db('app2').collection((await read()).into.stagingName);
      // In the staging copy alone, so that no later change of the source takes it away.
      await staging.insertOne({ _id: 'nobody', u: 1000 });
      await from.insertOne({ _id: 'wants', u: 1000 });
      const error = await splitCutover(ctx, id, ALONE).then(
        () => null,
        (one) => one,
      );
      assert.equal(error?.code, 'TUNE-35008');
      assert.deepEqual(await takesWrites(client, name), ['app']);
      assert.match(
        (await splitCutover(ctx, id)).splits[0].does.join(' '),
        /Blocked now: 1 documents? of .* stays active/,
      );
      await until(async () => (await read()).phase === 'following');
    },
  );
});
