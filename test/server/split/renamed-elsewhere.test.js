'use strict';

/** An administrator renames the new place into a third database. */
const assert = require('node:assert/strict');
const { beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

describe('a new place that another user renamed into another database', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  it('rollback { lost } does what its dry run says', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    await split.into.insertOne({ _id: 'since' });
    await client
      .db('admin')
      .command({ renameCollection: `app2.${split.name}`, to: `app3.${split.name}` });
    const [{ does }] = (await splitRollback(ctx, split.id, { lost: true })).splits;

    const said = await splitRollback(ctx, split.id, { lost: true, confirm: true }).then(
      ({ splits }) => splits[0].phase,
      (error) => error.code,
    );
    assert.match(does.join(' '), /still exists in that database under any name/);
    assert.equal(said, 'rolled-back');
    assert.ok((await client.db('app3').collection(split.name).countDocuments()) > 0);
    assert.equal(await split.from.countDocuments({ _id: 'since' }), 0);
  });
});
