'use strict';

const assert = require('node:assert/strict');
const { BSON } = require('mongodb');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { dies } = require('../../support/dying-split');
const { planOf, startRegister, until } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');

const DO = Object.freeze({ confirm: true });
const LONG = Boolean(process.env.TUNE_LONG);
const ROUNDS = LONG ? 8 : 1;
/** Where a shell may die, by what it is doing then. */
const MOMENTS = Object.freeze({
  run: LONG
    ? [
        'created-before',
        'created-after',
        'copying-before',
        'copying-after',
        'out-before',
        'out-during',
        'out-after',
        'indexing-before',
        'indexing-after',
        'following-before',
        'following-after',
      ]
    : ['created-after', 'copying-after', 'out-during', 'indexing-after', 'following-after'],
  cutover: LONG
    ? [
        'cutting-before',
        'cutting-after',
        'cut-before',
        'cut-after',
        'draining-before',
        'draining-after',
        'switching-before',
        'switching-after',
        'put-before',
        'put-after',
        'switched-before',
        'switched-after',
      ]
    : [
        'cutting-after',
        'cut-after',
        'draining-after',
        'switching-before',
        'switching-after',
        'put-after',
        'switched-after',
      ],
  rollback: LONG
    ? [
        'cutting-back-after',
        'cut-before',
        'cut-after',
        'draining-back-after',
        'switching-back-after',
        'put-before',
        'put-after',
      ]
    : ['cut-after', 'switching-back-after', 'put-after'],
});

describe('a split whose shell dies', function () {
  this.timeout(LONG ? 3_600_000 : 180_000);
  let server;
  let number = 0;
  before(async () => {
    server = await startReplicaSet({ members: 1 });
  });
  after(() => server?.stop());

  /** A collection of its own, writers on it, and a plan. */
  async function begin() {
    number += 1;
    const [name, { client }] = [`c${number}`, server];
    const collection = client.db('app').collection(name);
    await collection.createIndex(
      { unique: 1 },
      { unique: true, partialFilterExpression: { unique: { $exists: true } } },
    );
    await collection.insertMany(
      Array.from({ length: 3000 }, (_, i) => ({ _id: i, pad: 'y'.repeat(200) })),
    );
    const register = startRegister(client, { db: 'app', name, writers: 8 });
    await until(() => register.counts.acknowledged > 50);
    const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
    return { name, register, plan, ctx: contextOf(client) };
  }

  /** Everything that was acknowledged is there, and nothing else. */
  async function whole({ register, name }, db) {
    register.place.db = db;
    const before = register.counts.acknowledged;
    await until(() => register.counts.acknowledged > before + 50);
    await register.stop();
    assert.deepEqual(register.counts.other.map(String), []);
    assert.deepEqual(await register.differences(db, name), []);
    assert.equal(
      await server.client
        .db(db)
        .collection(name)
        .countDocuments({ _id: { $type: 'number' } }),
      3000,
    );
  }

  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const moment of MOMENTS.run) {
      it(`at ${moment} of a run: another goes on, and nothing is lost (round ${round})`, async () => {
        const split = await begin();
        assert.equal(
          await dies(server.uri, moment, 'run', BSON.EJSON.stringify(split.plan)),
          'SIGKILL',
        );
        const [{ phase }] = (await splitResume(split.ctx, split.plan.id, { confirm: true })).splits;
        assert.equal(phase, 'following');
        await splitCutover(split.ctx, split.plan.id, DO);
        await whole(split, 'app2');
      });
    }
    for (const moment of MOMENTS.cutover) {
      it(`at ${moment} of a cutover: another goes on, and nothing is lost (round ${round})`, async () => {
        const split = await begin();
        await splitRun(split.ctx, split.plan, DO);
        assert.equal(await dies(server.uri, moment, 'cutover', split.plan.id), 'SIGKILL');
        const [{ phase }] = (await splitResume(split.ctx, split.plan.id, { confirm: true })).splits;
        // Nothing of the cutover was begun then: it is asked for again.
        assert.equal(phase, moment === 'cutting-before' ? 'following' : 'switched');
        if (phase === 'following') await splitCutover(split.ctx, split.plan.id, DO);
        await whole(split, 'app2');
      });
    }
    for (const moment of MOMENTS.rollback) {
      it(`at ${moment} of a rollback: another goes on, and nothing is lost (round ${round})`, async () => {
        const split = await begin();
        await splitRun(split.ctx, split.plan, DO);
        await splitCutover(split.ctx, split.plan.id, DO);
        split.register.place.db = 'app2';
        const before = split.register.counts.acknowledged;
        await until(() => split.register.counts.acknowledged > before + 50);
        assert.equal(await dies(server.uri, moment, 'rollback', split.plan.id), 'SIGKILL');
        const phase = (await splitRollback(split.ctx, split.plan.id, DO)).splits[0].phase;
        assert.equal(phase, 'rolled-back');
        await whole(split, 'app');
      });
    }
  }
});
