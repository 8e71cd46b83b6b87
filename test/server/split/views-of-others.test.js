'use strict';

/** A database with many views, as of several tenants, that have nothing to do with what is moved. */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');

const VIEWS = 4_000;
const FIELDS = 20;
const AT_ONCE = 100;
const PATIENCE_MS = 40_000;

describe('a database with many views of other collections', function () {
  this.timeout(180_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  it('a collection that none of them reads is cut over', async () => {
    const split = await beginSplit(client, ctx);
    const pipeline = Array.from({ length: FIELDS }, (_, i) => ({
      $addFields: { [`field${i}`]: { $cond: [{ $eq: ['$a', i] }, { $add: ['$b', i] }, '$c'] } },
    }));
    // As the server keeps them; one by one it takes minutes.
    const made = Array.from({ length: VIEWS }, (_, i) => ({
      op: 'i',
      ns: 'app.system.views',
      o: { _id: `app.tenant${i}`, viewOn: 'unrelated', pipeline },
    }));
    for (let i = 0; i < VIEWS; i += AT_ONCE)
      await client.db('admin').command({ applyOps: made.slice(i, i + AT_ONCE) });

    const said = await splitCutover(
      contextOf(client, { signal: AbortSignal.timeout(PATIENCE_MS) }),
      split.id,
      ALONE,
    ).then(
      ({ splits }) => splits[0].phase,
      (error) => error.message,
    );

    assert.equal(said, 'switched');
  });
});
