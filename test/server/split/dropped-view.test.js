'use strict';

const assert = require('node:assert/strict');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { ALONE, BEFORE, beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { typedIn } = require('../../support/typed');

describe('the view that blocks a name is dropped by another session', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  const typed = (/** @type {string} */ call) => typedIn(client, call);
  const dropAndBlock = async (/** @type {any} */ { id, from }) => {
    await from.drop();
    await typed(String((await splitStatus(ctx, id)).splits[0].blockCall));
  };

  for (const [what, isBack] of /** @type {[string, boolean][]} */ ([
    ['after a cutover', false],
    ['after a rollback', true],
  ]))
    it(`${what}: the printed call blocks the name again, and fails where it is taken`, async () => {
      const { id, from, into } = await beginSplit(client, ctx, { switched: true });
      if (isBack) await splitRollback(ctx, id, ALONE);
      const blocked = isBack ? into : from;
      await blocked.drop();
      const [{ viewInPlace, nameTaken, blockCall }] = (await splitStatus(ctx, id)).splits;
      assert.deepEqual([viewInPlace, nameTaken], [false, false]);
      await blocked.insertOne({ _id: 'own' });
      await assert.rejects(typed(String(blockCall)), { code: 48 });
      await blocked.drop();
      await typed(String(blockCall));
      await assert.rejects(blocked.insertOne({ _id: 'own' }), { code: 166 });
      await assert.rejects(blocked.findOne(), { code: 241 });
      const [now] = (await splitStatus(ctx, id)).splits;
      assert.deepEqual([now.viewInPlace, now.blockCall], [true, null]);
    });

  it('the printed view has the collation of a view that reads the name', async () => {
    const split = await beginSplit(client, ctx);
    const collation = { locale: 'de' };
    await client
      .db('app')
      .createCollection(`v_${split.name}`, { viewOn: split.name, pipeline: [], collation });
    await splitCutover(ctx, split.id, ALONE);
    await dropAndBlock(split);
    await assert.rejects(split.from.findOne(), { code: 241 });
  });

  it('says why no view can block the name where views that read it have other collations', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    await split.from.drop();
    for (const locale of ['de', 'fr'])
      await client
        .db('app')
        .createCollection(`v_${locale}_${split.name}`, {
          viewOn: split.name,
          pipeline: [],
          collation: { locale },
        });
    const answer = await splitStatus(ctx, split.id);
    const [{ blockCall, blockRefused }] = answer.splits;
    assert.deepEqual([blockCall, /different collations/.test(String(blockRefused))], [null, true]);
    assert.ok(String(answer).replace(/\s+/g, ' ').includes(String(blockRefused)));
    for (const locale of ['de', 'fr'])
      await client.db('app').dropCollection(`v_${locale}_${split.name}`);
  });

  it('the printed view that answers reads has the collation of the collection', async () => {
    const split = await beginSplit(client, ctx, {
      documents: [{ _id: 1, n: 'Anna' }],
      indexes: [],
      options: { collation: { locale: 'en', strength: 2 } },
    });
    await splitCutover(ctx, split.id, { ...ALONE, reads: 'view' });
    await dropAndBlock(split);
    assert.equal(await split.from.countDocuments({ n: 'ANNA' }), 1);
  });

  for (const reads of [undefined, 'view'])
    it(`finish blocks the old name again (reads: ${reads})`, async () => {
      const { id, from } = await beginSplit(client, ctx);
      await splitCutover(ctx, id, { ...ALONE, reads });
      await from.drop();
      await splitFinish(ctx, id, { confirm: true });
      await assert.rejects(from.insertOne({ _id: 'own' }), { code: 166 });
      await assert.rejects(from.findOne(), { code: 241 });
    });

  it('finish drops nothing where a collection of others has the old name, unless it is opened', async () => {
    const { id, from, renamedTo } = await beginSplit(client, ctx, { switched: true });
    await from.drop();
    await from.insertOne({ _id: 'own' });
    assert.match(String(await splitFinish(ctx, id, {})), /Refused/);
    await assert.rejects(splitFinish(ctx, id, { confirm: true }), { code: 'TUNE-35004' });
    assert.equal(await (await renamedTo()).countDocuments(), BEFORE);
    await splitFinish(ctx, id, { confirm: true, open: true });
    assert.equal(await (await renamedTo()).countDocuments(), 0);
    assert.equal(await from.countDocuments(), 1);
  });

  it('finish leaves a view of another user at the old name', async () => {
    const { id, name, from, into } = await beginSplit(client, ctx, { switched: true });
    await from.drop();
    await client.db('app').createCollection(name, { viewOn: 'x', pipeline: [] });
    await splitFinish(ctx, id, { confirm: true });
    assert.equal(await from.findOne(), null);
    assert.equal(await into.countDocuments(), BEFORE);
  });
});
