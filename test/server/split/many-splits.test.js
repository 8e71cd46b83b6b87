'use strict';

const assert = require('node:assert/strict');
const { useSet } = require('../../support/split');
const { addSplits, newSplit, prepareState, splitsOf } = require('../../../lib/split/state');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitStatus } = require('../../../lib/commands/split-status');

/** More than the server sends at once. */
const MANY = 1_001;
/** Of these two do not fit into one answer of 16 MB. */
const PENDING = Array.from({ length: 120_000 }, (_, i) => Buffer.alloc(80, String(i)));

describe('a plan of very many collections, or with very much that is pending', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });
  const add = async (id, number) => {
    await prepareState(ctx.port);
    const names = Array.from({ length: number }, (_, i) => `${id}${String(i).padStart(4, '0')}`);
    const splits = names.map((name) =>
      newSplit(
        { id, mode: 'online', alone: false, begunAt: new Date() },
        { ns: `app.${name}`, into: `app2.${name}`, method: 'out', documents: 1 },
        { uuid: null, options: {}, indexes: [] },
      ),
    );
    await addSplits(ctx.port, splits.slice(-1));
    await client
      .db('tune')
      .collection('splits')
      .insertMany(/** @type {any[]} */ (splits.slice(0, -1)));
    return splits;
  };

  it('all are found, in their order', async () => {
    const splits = await add('many', MANY);
    const found = (await splitsOf(ctx.port, 'many')).map(({ _id }) => _id);
    assert.equal(found.length, MANY);
    assert.deepEqual(new Set(found), new Set(splits.map(({ _id }) => _id)));
    assert.equal((await splitStatus(ctx, 'many')).splits.length, MANY);
    await client.db('tune').collection('splits').deleteMany({ planId: 'many' });
  });

  it('a command is for all of them', async () => {
    await add('large', 3);
    await client
      .db('tune')
      .collection('splits')
      .updateMany({ planId: 'large' }, { $set: { phase: 'following', pendingConflicts: PENDING } });
    assert.equal((await splitAbort(ctx, 'large')).splits.length, 3);
    await client.db('tune').collection('splits').deleteMany({ planId: 'large' });
  });
});
