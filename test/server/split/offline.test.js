'use strict';

const assert = require('node:assert/strict');
const { BSON } = require('mongodb');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { dies } = require('../../support/dying-split');
const { endLease, mortalContext, planOf, startRegister, until } = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const DO = Object.freeze({ confirm: true });

describe('a split on a standalone server', function () {
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

  for (const method of ['out', 'ranges']) {
    it(
      `is offline, by ${method}: writes are refused from the beginning, and none that was ` +
        'acknowledged is lost',
      async () => {
        const name = `c_${method}`;
        await client.db('app').collection(name).createIndex({ a: 1 });
        await client
          .db('app')
          .collection(name)
          .insertMany(Array.from({ length: 5000 }, (_, i) => ({ _id: i, a: i })));
        const register = startRegister(client, { db: 'app', name });
        await until(() => register.counts.acknowledged > 100);
        const plan = await planOf(client, {
          moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
          mode: 'offline',
        });
        assert.match(
          String(await splitRun(ctx, plan)).replace(/\s+/g, ' '),
          /is blocked for reads and writes until the split is done/,
        );
        const [{ phase }] = (await splitRun(ctx, plan, DO)).splits;
        assert.equal(phase, 'switched');
        await until(() => register.counts.refused > 5);
        await register.stop();
        assert.deepEqual(
          [await register.differences('app2', name), register.counts.other],
          [[], []],
        );
        assert.deepEqual(
          (await client.db('app2').collection(name).indexes()).map((index) => index.name),
          ['_id_', 'a_1'],
        );
        assert.equal(
          (await splitVerify(ctx, plan.id, { repair: true, confirm: true })).splits[0].verified
            .differences,
          0,
        );
        // Nor is it shown as what could be done.
        for (const how of [DO, {}])
          await assert.rejects(splitRollback(ctx, plan.id, how), { code: 'TUNE-35010' });
        await splitFinish(ctx, plan.id, DO);
      },
    );
  }

  for (const moment of [
    'cut-before',
    'cut-after',
    'copying-after',
    'out-after',
    'indexing-after',
    'put-after',
  ]) {
    it(`when the shell dies at ${moment}, another goes on, and nothing is lost`, async () => {
      const name = `d_${moment}`;
      await client
        .db('app')
        .collection(name)
        .insertMany(Array.from({ length: 2000 }, (_, i) => ({ _id: i, a: i })));
      await client.db('app').collection(name).createIndex({ a: 1 });
      const register = startRegister(client, { db: 'app', name });
      await until(() => register.counts.acknowledged > 50);
      const plan = await planOf(client, {
        moves: [{ ns: `app.${name}`, into: `app2.${name}` }],
        mode: 'offline',
      });
      assert.equal(await dies(server.uri, moment, 'run', BSON.EJSON.stringify(plan)), 'SIGKILL');
      assert.equal(
        (await splitResume(ctx, plan.id, { confirm: true })).splits[0].phase,
        'switched',
      );
      await register.stop();
      assert.deepEqual([await register.differences('app2', name), register.counts.other], [[], []]);
      assert.equal(
        await client
          .db('app2')
          .collection(name)
          .countDocuments({ _id: { $type: 'number' } }),
        2000,
      );
    });
  }

  it('given up half way, the source has its name and its data again', async () => {
    await client
      .db('app')
      .collection('half')
      .insertMany(Array.from({ length: 9000 }, (_, i) => ({ _id: i })));
    const plan = await planOf(client, {
      moves: [{ ns: 'app.half', into: 'app2.half', method: 'ranges' }],
      mode: 'offline',
    });
    const stop = new AbortController();
    const mine = contextOf(client, { signal: stop.signal });
    mine.progress = (text) => {
      if (/copying: /.test(text ?? '')) stop.abort();
    };
    await assert.rejects(splitRun(mine, plan, DO), { code: 'TUNE-30009' });
    await assert.rejects(client.db('app').collection('half').insertOne({}), { code: 166 });
    await splitAbort(ctx, plan.id, DO);
    await client.db('app').collection('half').insertOne({ _id: 'again' });
    assert.equal(await client.db('app').collection('half').countDocuments(), 9001);
  });

  it('given up once the target answers: the message names a way that there is', async () => {
    await client
      .db('app')
      .collection('late')
      .insertMany([{ _id: 1 }, { _id: 2 }]);
    const plan = await planOf(client, {
      moves: [{ ns: 'app.late', into: 'app2.late' }],
      mode: 'offline',
    });
    const shell = mortalContext(
      client,
      ({ findAndModify, update }) => findAndModify && update?.$set?.phase === 'switched',
    );
    await assert.rejects(splitRun(shell, plan, DO));
    await endLease(client, plan.id);
    await assert.rejects(
      splitAbort(ctx, plan.id, DO),
      (error) =>
        error.code === 'TUNE-35010' &&
        /is already active: a new plan moves it back/.test(error.message) &&
        !/rollback/.test(error.message),
    );
    await splitFinish(ctx, plan.id, { confirm: true, open: true });
    assert.deepEqual(
      [
        await client.db('app2').collection('late').countDocuments(),
        await client.db('app').listCollections({ name: /^late/ }).toArray(),
      ],
      [2, []],
    );
  });
});
