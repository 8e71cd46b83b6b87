'use strict';

const assert = require('node:assert/strict');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { run: splitVerify } = require('../../../lib/commands/split-verify');
const { ALONE, takesWrites } = require('../../support/begun-split');
const { endLease, mortalContext, planOf, useSet } = require('../../support/split');

const DO = Object.freeze({ confirm: true });
const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });

describe('several collections of one plan', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  let number = 0;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  async function begin() {
    number += 1;
    const names = ['a', 'b'].map((letter) => `m${number}${letter}`);
    for (const name of names)
      await client
        .db('app')
        .collection(name)
        .insertMany(Array.from({ length: 50 }, (_, i) => ({ _id: i })));
    const plan = await planOf(client, {
      moves: names.map((name) => ({ ns: `app.${name}`, into: `app2.${name}` })),
    });
    await splitRun(ctx, plan, DO);
    const records = client.db('tune').collection('splits');
    const ids = names.map((name) => `${plan.id}:app.${name}`);
    return {
      plan,
      names,
      ids,
      read: (/** @type {number} */ i) => records.findOne({ _id: ids[i] }),
    };
  }
  /** A cutover of the second one whose shell dies while both of its names are blocked. */
  async function blocked() {
    const begun = await begin();
    const dies = mortalContext(
      client,
      (spec) => spec.findAndModify && spec.update?.$set?.phase === 'switching',
    );
    await assert.rejects(splitCutover(dies, begun.ids[1], ALONE));
    await endLease(client, begun.plan.id);
    await client.db('app').collection(begun.names[0]).drop();
    return begun;
  }

  it('every call that is printed for a row names that row', async () => {
    const { plan, ids } = await begin();
    await splitCutover(ctx, ids[1], ALONE);
    const answer = String(await splitStatus(ctx, plan.id));
    const named = [...answer.matchAll(/tune\.split\.\w+\("([^"]+)"/g)].map(([, id]) => id);
    assert.ok(named.length > 5);
    assert.deepEqual([...new Set(named)].sort(), ids);
  });

  it('a plan with one collection keeps its short id', async () => {
    const name = 'only';
    await client.db('app').collection(name).insertOne({ _id: 1 });
    const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
    await splitRun(ctx, plan, DO);
    assert.equal((await splitStatus(ctx, plan.id)).splits[0].ownId, plan.id);
    await splitAbort(ctx, plan.id, { keepCopy: false, ...ALONE });
  });

  it('the printed call unblocks the one that is blocked, whatever is wrong with the other', async () => {
    const { plan, names, ids } = await blocked();
    const { splits } = await splitStatus(ctx, plan.id);
    const row = splits.find((/** @type {any} */ { from }) => from === `app.${names[1]}`);
    assert.deepEqual(
      [row?.blocked, row?.next],
      [true, `tune.split.resume("${ids[1]}", { confirm: true })`],
    );
    await splitResume(ctx, ids[1], RESUME);
    assert.deepEqual(await takesWrites(client, names[1]), ['app2']);
  });

  it('the call for the whole plan unblocks it first, and says what failed and what was done', async () => {
    const { plan, names } = await blocked();
    await assert.rejects(
      splitResume(ctx, plan.id, RESUME),
      ({ code, message }) =>
        code === 'TUNE-35005' && message.includes(`app.${names[1]} (switched)`),
    );
    assert.deepEqual(await takesWrites(client, names[1]), ['app2']);
  });

  it('a repair of the plan goes on with the other where one fails', async () => {
    const { plan, names } = await begin();
    await client.db('app').collection(names[0]).drop();
    const copies = await client
      .db('app2')
      .listCollections({ name: /m.*b__/ })
      .toArray();
    const copy = client.db('app2').collection(copies.at(-1).name);
    await copy.deleteOne({ _id: 3 });
    await assert.rejects(splitVerify(ctx, plan.id, { ...DO, repair: true }), ({ message }) =>
      message.includes(`Done by the same call: app.${names[1]}`),
    );
    assert.equal(await copy.countDocuments(), 50);
  });

  it('a new copy of one leaves the copy of the other', async () => {
    const { ids, read } = await begin();
    const [, before] = [await read(0), await read(1)];
    await splitResume(ctx, ids[0], { ...RESUME, restart: true });
    const after = await read(1);
    assert.deepEqual(after.stagingUuid, before.stagingUuid);
  });

  it('a new copy of the plan where one is finished', async () => {
    const { plan, ids, read } = await begin();
    await splitCutover(ctx, ids[1], ALONE);
    await splitFinish(ctx, ids[1], DO);
    const before = await read(0);
    await splitResume(ctx, plan.id, { ...RESUME, restart: true });
    assert.notDeepEqual((await read(0)).stagingUuid, before.stagingUuid);
  });
});
