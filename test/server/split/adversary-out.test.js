'use strict';

/** An application replaces the source, as a nightly $out does, while a cutover waits for its lock. */
const assert = require('node:assert/strict');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet, until } = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');

const DO = Object.freeze({ confirm: true });

describe('adversary: a source that is replaced while a cutover waits', function () {
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
    const names = async () =>
      (await client.db('app').listCollections().toArray()).map(({ name }) => name).sort();
    const before = await names();
    process.stdout.write(`        ${error.message}\n        there are ${before.join(', ')}\n`);
    const { blocked, open } = await split.status();
    process.stdout.write(`        ${JSON.stringify({ blocked, open })}\n`);
    const [, strays] = /renameCollection\("([^"]+)"\)/.exec(error.message) ?? [];
    if (strays) {
      // As the message says.
      await split.from.rename(strays);
      for (const [verb, does] of Object.entries({ resume: splitResume, abort: splitAbort })) {
        const said = await does(ctx, split.id, DO).then(
          ({ splits }) => splits[0].phase,
          (one) => one.message,
        );
        process.stdout.write(`        ${verb}: ${said}\n`);
      }
    }
    process.stdout.write(`        then there are ${(await names()).join(', ')}\n`);
    const [, aside] = /has its data in app\.([^ ,]+)/.exec(error.message) ?? [];
    assert.ok(aside === undefined || before.includes(aside), `there is no ${aside}`);
    assert.equal(await split.from.countDocuments(), 2);
  });
});
