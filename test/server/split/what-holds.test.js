'use strict';

const assert = require('node:assert/strict');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { run: splitVerify } = require('../../../lib/commands/split-verify');
const { collectBlockedMoves } = require('../../../lib/split/blocked-moves');
const { ALONE, beginSplit, takesWrites } = require('../../support/begun-split');
const { throughHands } = require('../../support/beside');
const { contextOf } = require('../../support/context');
const { endLease, mortalContext, planOf, useSet } = require('../../support/split');

const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });

describe('what a command says is so', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  for (const [what, phase, isBack] of /** @type {[string, string, boolean][]} */ ([
    ['cutover', 'switched', false],
    ['rollback', 'rolled-back', true],
  ]))
    it(`a ${what} whose shell died behind the switch blocks nothing`, async () => {
      const split = await beginSplit(client, ctx, { switched: isBack });
      const dies = mortalContext(
        client,
        (spec) => spec.findAndModify && spec.update?.$set?.phase === phase,
      );
      await assert.rejects((isBack ? splitRollback : splitCutover)(dies, split.id, ALONE));
      await endLease(client, split.id);
      assert.equal((await takesWrites(client, split.name)).length, 1);
      const answer = await splitStatus(ctx, split.id);
      assert.equal(answer.splits[0].blocked, false);
      assert.doesNotMatch(String(answer), /BLOCKED/);
      assert.deepEqual(await collectBlockedMoves(ctx.port), []);
    });

  it('a cutover whose shell died before the switch blocks both', async () => {
    const split = await beginSplit(client, ctx);
    const dies = mortalContext(
      client,
      (spec) => spec.findAndModify && spec.update?.$set?.phase === 'switching',
    );
    await assert.rejects(splitCutover(dies, split.id, ALONE));
    await endLease(client, split.id);
    assert.deepEqual(await takesWrites(client, split.name), []);
    assert.equal((await split.status()).blocked, true);
    assert.equal((await collectBlockedMoves(ctx.port))?.length, 1);
    await splitResume(ctx, split.id, RESUME);
  });

  it('a shell that could not give its lease back is not another shell', async () => {
    const split = await beginSplit(client, ctx);
    let isLost = false;
    const mine = throughHands(contextOf(client), async (send, spec) => {
      isLost ||= spec.findAndModify && spec.update?.$set?.phase === 'draining';
      if (isLost)
        throw Object.assign(new Error('no writes'), { code: 371, name: 'MongoServerError' });
      return send();
    });
    await assert.rejects(splitCutover(mine, split.id, ALONE));
    assert.ok((await split.read()).lease, 'the lease was not given back');
    await splitResume(ctx, split.id, RESUME);
    assert.equal((await takesWrites(client, split.name)).length, 1);
  });

  for (const isBack of [false, true])
    it(`resume does not say that writes are in the copy where ${isBack ? 'the target' : 'the source'} was replaced`, async () => {
      const split = await beginSplit(client, ctx, { switched: isBack });
      const db = client.db(isBack ? 'app2' : 'app');
      await db.collection('etl').insertOne({ _id: 'new' });
      await db
        .collection('etl')
        .aggregate([{ $out: split.name }])
        .toArray();
      await assert.rejects(splitResume(ctx, split.id, RESUME), { code: 'TUNE-35005' });
    });

  it('verify of a plan compares what has two sides, and leaves out what is over', async () => {
    const names = ['w1', 'w2'];
    for (const name of names) await client.db('app').collection(name).insertOne({ _id: 1 });
    const plan = await planOf(client, {
      moves: names.map((name) => ({ ns: `app.${name}`, into: `app2.${name}` })),
    });
    await splitRun(ctx, plan, { confirm: true });
    await splitAbort(ctx, `${plan.id}:app.w1`, ALONE);
    const { splits } = await splitVerify(ctx, plan.id, { repair: false, confirm: false });
    assert.deepEqual(
      splits.map(({ from, verified }) => [from, verified?.differences]),
      [['app.w2', 0]],
    );
  });

  it('finish after a rollback says that a write to the free name creates a collection', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    await splitRollback(ctx, split.id, ALONE);
    assert.match(
      String(await splitFinish(ctx, split.id, {})).replace(/\s+/g, ' '),
      /that blocks it is dropped: a write to it creates a new collection/,
    );
    await splitFinish(ctx, split.id, { confirm: true });
    await split.into.insertOne({ _id: 'new' });
  });
});
