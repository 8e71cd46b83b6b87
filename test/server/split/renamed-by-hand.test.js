'use strict';

const assert = require('node:assert/strict');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { ALONE, BEFORE, beginSplit } = require('../../support/begun-split');
const { throughHands } = require('../../support/beside');
const { contextOf } = require('../../support/context');
const { useSet } = require('../../support/split');
const { typedIn } = require('../../support/typed');

const DO = Object.freeze({ confirm: true });

describe('what others renamed by hand', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  it('a copy that was given the name of the target does not count as a cutover', async () => {
    const split = await beginSplit(client, ctx);
    const { into } = await split.read();
    await split.into.drop();
    await client.db(into.db).collection(into.stagingName).rename(into.name);
    await split.from.insertOne({ _id: 'acknowledged' });
    const error = await splitAbort(ctx, split.id, ALONE).catch((failed) => failed);
    assert.equal(error.code, 'TUNE-35004');
    assert.equal((await split.read()).phase, 'following');
    await typedIn(
      client,
      /db\.getSiblingDB.*renameCollection\("[^"]*"\)/.exec(error.message)?.[0] ?? '',
    );
    await splitAbort(ctx, split.id, ALONE);
    assert.equal(await split.from.countDocuments(), BEFORE + 1);
  });

  it('finish does not drop the collection of another session that has the name of the old data', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    const old = await split.renamedTo();
    await old.rename('theirs');
    const other = client.db('app').collection(old.collectionName);
    await other.insertOne({ _id: 'of another session' });
    assert.match(String(await splitFinish(ctx, split.id, {})), /no longer exists/);
    await splitFinish(ctx, split.id, DO);
    assert.equal(await other.countDocuments(), 1);
    await other.drop();
    await client.db('app').collection('theirs').drop();
  });

  it('finish blocks the old name where the target was replaced and the old data is gone', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    await split.into.drop();
    await split.into.insertOne({ _id: 'new' });
    await (await split.renamedTo()).drop();
    await split.from.drop();
    assert.match(String(await splitFinish(ctx, split.id, {})), /is blocked again/);
    await splitFinish(ctx, split.id, DO);
    await assert.rejects(split.from.insertOne({ _id: 'astray' }), { code: 166 });
  });

  it('an error while a cut is being undone names resume, not what drops the way back', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    let isStuck = false;
    const mine = throughHands(contextOf(client), async (send, spec) => {
      isStuck ||= spec.findAndModify && spec.update?.$set?.phase === 'draining-back';
      if (isStuck && (spec.aggregate || spec.applyOps))
        throw Object.assign(new Error('refused'), { code: 13, name: 'MongoServerError' });
      return send();
    });
    const error = await splitRollback(mine, split.id, ALONE).catch((failed) => failed);
    const { reopened } = await split.read();
    assert.ok(reopened, `the cut was being undone: ${error.message}`);
    assert.match(error.message, /run tune\.split\.resume\(/);
    assert.doesNotMatch(error.message, /finish/);
  });
});
