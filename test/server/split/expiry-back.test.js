'use strict';

const assert = require('node:assert/strict');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { ALONE, beginSplit, undoByHand } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { diesAfter, endLease, mortalContext, useSet } = require('../../support/split');
const { NEVER_SECONDS: NEVER } = require('../../../lib/split/ttl');

const SECONDS = 100_000;
/** The longest that a server takes: with it users switch expiry off. */
const OFF = 2_147_483_647;
const AGAIN = { code: 'TUNE-35005' };

/** A cut switches the expiry of what it renames off; who renames that back by hand does not know. */
describe('the expiry of a collection whose cut another session undid by hand', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {any} collection */
  const secondsOf = async (collection) => (await collection.indexes())[1].expireAfterSeconds;

  /** @param {any} command @param {string} phase that its shell dies saving */
  async function undone(command, phase) {
    const switched = command === splitRollback;
    const split = await beginSplit(client, ctx, {
      indexes: [[{ at: 1 }, { expireAfterSeconds: SECONDS }]],
      switched,
    });
    const mine = mortalContext(client, (spec) => spec.update?.$set?.phase === phase);
    await assert.rejects(command(mine, split.id, ALONE));
    await endLease(client, split.id);
    await undoByHand(client, await split.read());
    const active = switched ? split.into : split.from;
    assert.equal(await secondsOf(active), NEVER);
    return { split, active };
  }

  it('of a cutover: the command that finds it out gives it back', async () => {
    const { split, active } = await undone(splitCutover, 'switching');
    await assert.rejects(splitResume(ctx, split.id, ALONE), AGAIN);
    assert.equal(await secondsOf(active), SECONDS);
  });

  it('of a rollback', async () => {
    const { split, active } = await undone(splitRollback, 'switching-back');
    await assert.rejects(splitRollback(ctx, split.id, ALONE), AGAIN);
    assert.equal(await secondsOf(active), SECONDS);
  });

  it('before the cut was written down; and the target of the next cutover expires', async () => {
    const { split, active } = await undone(splitCutover, 'draining');
    await assert.rejects(splitCutover(ctx, split.id, ALONE), AGAIN);
    assert.equal(await secondsOf(active), SECONDS);
    await splitResume(ctx, split.id, { ...ALONE, restart: true });
    await splitCutover(ctx, split.id, ALONE);
    assert.equal(await secondsOf(split.into), SECONDS);
  });

  it('where an index is being built meanwhile: the next command gives it back', async () => {
    const { split, active } = await undone(splitCutover, 'switching');
    const mine = contextOf(client);
    const { command } = mine.port;
    mine.port.command = async (
      /** @type {string} */ database,
      /** @type {any} */ spec,
      /** @type {any[]} */ ...more
    ) => {
      const answer = await command(database, spec, ...more);
      if (spec.includeBuildUUIDs && spec.listIndexes === split.name)
        answer.cursor.firstBatch.push({ name: 'b_1', key: { b: 1 }, buildUUID: {} });
      return answer;
    };
    await assert.rejects(splitResume(mine, split.id, ALONE), { code: 'TUNE-35016' });
    assert.equal(await secondsOf(active), NEVER);
    await assert.rejects(splitResume(ctx, split.id, ALONE), AGAIN);
    assert.equal(await secondsOf(active), SECONDS);
    await splitResume(ctx, split.id, { ...ALONE, restart: true });
  });

  it('that is undone while an abort whose shell died is left', async () => {
    const split = await beginSplit(client, ctx, {
      indexes: [[{ at: 1 }, { expireAfterSeconds: SECONDS }]],
    });
    for (const [command, phase] of /** @type {[any, string][]} */ ([
      [splitCutover, 'draining'],
      [splitAbort, 'aborting'],
    ])) {
      await assert.rejects(command(diesAfter(client, phase), split.id, ALONE));
      await endLease(client, split.id);
    }
    await undoByHand(client, await split.read());
    await splitAbort(ctx, split.id, ALONE);
    assert.equal(await secondsOf(split.from), SECONDS);
  });

  it('that is aborted then', async () => {
    const { split, active } = await undone(splitCutover, 'switching');
    await splitAbort(ctx, split.id, ALONE);
    assert.equal(await secondsOf(active), SECONDS);
  });

  for (const way of /** @type {const} */ (['forward', 'reverse']))
    it(`what another session switched off before the cut stays off (${way})`, async () => {
      const isBack = way === 'reverse';
      const split = await beginSplit(client, ctx, {
        indexes: [[{ at: 1 }, { expireAfterSeconds: SECONDS }]],
        switched: isBack,
      });
      const [command, phase, to] = isBack
        ? [splitRollback, 'cutting-back', split.from]
        : [splitCutover, 'cutting', split.into];
      await assert.rejects(command(diesAfter(client, phase), split.id, ALONE));
      await endLease(client, split.id);
      const index = { name: 'at_1', expireAfterSeconds: OFF };
      await client.db(isBack ? 'app2' : 'app').command({ collMod: split.name, index });
      await splitResume(ctx, split.id, ALONE);
      assert.equal(await secondsOf(to), OFF);
    });

  it('and after a cutover, a rollback and an abort', async () => {
    const split = await beginSplit(client, ctx, {
      indexes: [[{ at: 1 }, { expireAfterSeconds: OFF }]],
    });
    await splitCutover(ctx, split.id, ALONE);
    assert.equal(await secondsOf(split.into), OFF);
    await splitRollback(ctx, split.id, ALONE);
    assert.equal(await secondsOf(split.from), OFF);
    const other = await beginSplit(client, ctx, {
      indexes: [[{ at: 1 }, { expireAfterSeconds: OFF }]],
    });
    await assert.rejects(splitCutover(diesAfter(client, 'switching'), other.id, ALONE));
    await endLease(client, other.id);
    await splitAbort(ctx, other.id, ALONE);
    assert.equal(await secondsOf(other.from), OFF);
  });

  it('after the cutover, the target dropped: a finish gives it back', async () => {
    const indexes = /** @type {any} */ ([[{ at: 1 }, { expireAfterSeconds: SECONDS }]]);
    const split = await beginSplit(client, ctx, { indexes, switched: true });
    await undoByHand(client, { ...(await split.read()), phase: 'draining' });
    await split.into.drop();
    assert.equal(await secondsOf(split.from), NEVER);
    await splitFinish(ctx, split.id, { confirm: true, open: true });
    assert.equal(await secondsOf(split.from), SECONDS);
  });
});
