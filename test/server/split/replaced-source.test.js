'use strict';

/** An application replaces the source, as a nightly $out does, while a cutover waits for its lock. */
const assert = require('node:assert/strict');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet, until } = require('../../support/split');
const { splitCutover } = require('../../../lib/commands/split-cutover');

describe('a source that is replaced while a cutover waits', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  it('what the message says holds, and its advice does not take the live collection away', async () => {
    const split = await beginSplit(client, ctx);
    const fresh = client.db('app').collection('fresh');
    await fresh.insertMany([{ _id: 'new' }, { _id: 'newer' }]);
    await client.db('other').collection('c').insertOne({});
    const session = client.startSession();
    session.startTransaction();
    await client.db('other').collection('c').insertOne({}, { session });
    const cutover = splitCutover(ctx, split.id, ALONE).then(
      () => null,
      (error) => error,
    );
    await until(async () => (await split.read()).phase === 'cutting');
    await fresh.aggregate([{ $out: split.name }]).toArray();
    await session.commitTransaction();
    await session.endSession();
    const error = await cutover;

    const { blocked, open } = await split.status();
    assert.deepEqual([error.code, blocked, open], ['TUNE-35005', false, []]);
    assert.ok(!/renameCollection/.test(error.message), error.message);
    assert.equal(await split.from.countDocuments(), 2);
  });
});
