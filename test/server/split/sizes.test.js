'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { skipIf } = require('../../support/skip');
const { planOf, startRegister, until } = require('../../support/split');
const { whyNotLong } = require('../../support/trial');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const DO = Object.freeze({ confirm: true });
const MB = 2 ** 20;
const MILLION = 1_000_000;
/** A million takes minutes, or on a busy machine many: TUNE_RANGES=1000000 has it. */
const BY_RANGES = Number(process.env.TUNE_RANGES || 100_000);

describe('a split of many documents, of large ones, and of such that change places', function () {
  this.timeout(240_000);
  let server;
  let client;
  let ctx;
  before(async () => {
    server = await startReplicaSet({ members: 1, cacheSizeGB: 0.5 });
    client = server.client;
    ctx = contextOf(client);
  });
  after(() => server?.stop());

  for (const method of ['out', 'ranges']) {
    it(`documents of 15 MB, by ${method}`, async () => {
      const [name, big] = [
        `large_${method}`,
        (_id, letter) => ({ _id, pad: letter.repeat(15 * MB) }),
      ];
      const [from, into] = ['app', 'app2'].map((db) => client.db(db).collection(name));
      for (let i = 0; i < 4; i += 1) await from.insertOne(big(i, 'x'));
      const plan = await planOf(client, {
        moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
      });
      await splitRun(ctx, plan, DO);
      await from.updateOne({ _id: 2 }, { $set: { n: 1 } });
      await from.insertOne(big(4, 'y'));
      await from.deleteOne({ _id: 0 });
      await splitCutover(ctx, plan.id, DO);
      assert.deepEqual(
        [
          await into.countDocuments(),
          (await into.findOne({ _id: 2 })).n,
          (await into.findOne({ _id: 4 })).pad === 'y'.repeat(15 * MB),
        ],
        [4, 1, true],
      );
      assert.equal(
        (await splitVerify(ctx, plan.id, { repair: true, confirm: true })).splits[0].verified
          .differences,
        0,
      );
      await Promise.all(['app', 'app2'].map((db) => client.db(db).dropDatabase()));
    });
  }

  for (const method of ['out', 'ranges']) {
    it(
      'unique values that are swapped between documents all the time, by ' +
        `${method}${method === 'ranges' ? ' (long)' : ''}`,
      async function () {
        if (method === 'ranges') skipIf(this, whyNotLong());
        const name = `swaps_${method}`;
        const [from, into] = ['app', 'app2'].map((db) => client.db(db).collection(name));
        const documents = 9000;
        await from.createIndex({ u: 1 }, { unique: true });
        await from.insertMany(
          Array.from({ length: documents }, (_, i) => ({ _id: i, u: i, pad: 'p'.repeat(100) })),
        );
        /** What each document had when its last swap was acknowledged. */
        const has = Array.from({ length: documents }, (_, i) => i);
        const state = { swaps: 0, over: false };
        /**
         * Of two in different ranges: at every moment each value is in one document, and yet a copy
         * that takes its time sees it twice, or never.
         */
        const swap = async (one, other) => {
          await client.withSession((session) =>
            session.withTransaction(async () => {
              await from.updateOne({ _id: one }, { $set: { u: -1 - one } }, { session });
              await from.updateOne({ _id: other }, { $set: { u: has[one] } }, { session });
              await from.updateOne({ _id: one }, { $set: { u: has[other] } }, { session });
            }),
          );
          [has[one], has[other]] = [has[other], has[one]];
          state.swaps += 1;
        };
        const swapper = async (part) => {
          for (let i = part; !state.over; i = (i + 4) % (documents / 2)) {
            await swap(i, documents - 1 - i).catch((error) => {
              if (error.code !== 166) throw error;
              state.over = true;
            });
          }
        };
        const swappers = Promise.all([0, 1, 2, 3].map(swapper));
        await until(() => state.swaps > 20);
        const plan = await planOf(client, {
          moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
        });
        await splitRun(ctx, plan, DO);
        const during = state.swaps;
        await splitCutover(ctx, plan.id, DO);
        await swappers;
        assert.ok(during > 20);
        assert.deepEqual(
          (await into.find({}, { sort: { _id: 1 } }).toArray()).map(({ u }) => u),
          has,
        );
        assert.deepEqual(
          (await into.indexes()).map((index) => [index.name, index.unique]),
          [
            ['_id_', undefined],
            ['u_1', true],
          ],
        );
      },
    );
  }

  for (const [method, documents] of [
    ['out', MILLION],
    ['ranges', BY_RANGES],
  ]) {
    it(`${documents} small documents under load, by ${method} (long)`, async function () {
      skipIf(this, whyNotLong());
      this.timeout(1_800_000);
      const name = `small_${method}`;
      await client.db('app').collection('seed').insertOne({});
      await client
        .db('app')
        .collection('seed')
        .aggregate(
          [
            { $project: { i: { $range: [0, documents] } } },
            { $unwind: '$i' },
            { $project: { _id: '$i', n: { $mod: ['$i', 97] } } },
            { $out: name },
          ],
          { allowDiskUse: true },
        )
        .toArray();
      await client.db('app').collection(name).createIndex({ n: 1 });
      const register = startRegister(client, { db: 'app', name, writers: 8, pauseMs: 20 });
      await until(() => register.counts.acknowledged > 100);
      const plan = await planOf(client, {
        moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
      });
      const began = Date.now();
      await splitRun(ctx, plan, DO);
      const ran = Date.now();
      await splitCutover(ctx, plan.id, DO);
      const over = Date.now();
      await until(() => register.counts.refused > 5);
      await register.stop();
      process.stdout.write(
        `\n      ` +
          `${JSON.stringify({ method, documents, runSeconds: (ran - began) / 1000, cutoverSeconds: (over - ran) / 1000, acknowledged: register.counts.acknowledged })}\n`,
      );
      assert.deepEqual([await register.differences('app2', name), register.counts.other], [[], []]);
      assert.equal(
        await client
          .db('app2')
          .collection(name)
          .countDocuments({ _id: { $type: 'number' } }),
        documents,
      );
      assert.equal(
        (await splitVerify(ctx, plan.id, { repair: true, confirm: true })).splits[0].verified
          .differences,
        0,
      );
      await Promise.all(['app', 'app2'].map((db) => client.db(db).dropDatabase()));
    });
  }
});
