'use strict';

/** After a cutover with reads: "view" a user puts a view of their own at the old name. */
const assert = require('node:assert/strict');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');

describe("a user's own view at the old name, after a cutover with reads", function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  for (const reads of ['refused', 'view'])
    it(`${reads}: it stays as it is when another shell resumes after one that died`, async () => {
      const split = await beginSplit(client, ctx);
      await splitCutover(ctx, split.id, { reads, ...ALONE });
      const app = client.db('app');
      await split.from.drop();
      await app.collection('archive').insertOne({ mine: true });
      const own = { viewOn: 'archive', pipeline: [{ $match: { mine: true } }] };
      await app.command({ create: split.name, ...own });
      // What a shell that died leaves.
      await client
        .db('tune')
        .collection('splits')
        .updateOne(
          { planId: split.id },
          { $set: { lease: { owner: 'dead', until: new Date(0) } } },
        );
      const error = await splitResume(ctx, split.id, ALONE).then(
        () => null,
        (one) => one,
      );
      const [{ options }] = await app.listCollections({ name: split.name }).toArray();

      assert.deepEqual([options, error?.message], [own, undefined]);
    });
});
