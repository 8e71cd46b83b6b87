'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { skipIf } = require('../../support/skip');
const { planOf, until } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRun } = require('../../../lib/commands/split-run');

const DO = Object.freeze({ confirm: true });
const MB = 2 ** 20;

describe('a split whose oplog is overrun', function () {
  this.timeout(240_000);
  let server;
  before(async function () {
    skipIf(this, process.env.TUNE_LONG ? null : 'it writes several hundred MB; --long has it');
    server = await startReplicaSet({ members: 1, args: ['--oplogSize', '16'], cacheSizeGB: 1 });
  });
  after(() => server?.stop());

  it('stops, says so, and goes on with a new copy', async () => {
    const { client } = server;
    const ctx = contextOf(client);
    const [from, into] = ['app', 'app2'].map((db) => client.db(db).collection('c'));
    await from.insertOne({ _id: 1 });
    const plan = await planOf(client, { moves: [{ ns: 'app.c', into: 'app2.c' }] });
    await splitRun(ctx, plan, DO);
    await from.insertOne({ _id: 2 });
    // The oplog is cut off in parts of at least 16 MB, ten of which it keeps, and after a
    // checkpoint only.
    const oldest = async () =>
      (
        await client
          .db('local')
          .collection('oplog.rs')
          .findOne({}, { sort: { $natural: 1 } })
      ).ts;
    const first = await oldest();
    await until(async () => {
      await client
        .db('filler')
        .collection('f')
        .insertMany(Array.from({ length: 16 }, () => ({ pad: 'x'.repeat(MB) })));
      await server.adminCommand({ fsync: 1 });
      return !(await oldest()).equals(first);
    }, 180_000);
    await assert.rejects(
      splitCutover(ctx, plan.id, DO),
      (error) => error.code === 'TUNE-35007' && /restart: true, confirm: true/.test(error.message),
    );
    assert.equal(await from.countDocuments(), 2);
    assert.equal((await splitResume(ctx, plan.id, { restart: true })).dryRun, true);
    assert.equal(
      (await splitResume(ctx, plan.id, { restart: true, confirm: true })).splits[0].phase,
      'following',
    );
    await splitCutover(ctx, plan.id, DO);
    assert.deepEqual(
      (await into.find().toArray()).map(({ _id }) => _id),
      [1, 2],
    );
  });
});
