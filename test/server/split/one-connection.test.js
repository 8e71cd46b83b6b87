'use strict';

/**
 * A connection string that allows a single connection: a step that waits for the server's lock
 * could not be let go, and every operation of the server would wait behind it.
 */
const assert = require('node:assert/strict');
const { MongoClient } = require('mongodb');
const { ALONE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { planOf, useSet } = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRun } = require('../../../lib/commands/split-run');

const DO = Object.freeze({ confirm: true });
const REFUSED = { code: 'TUNE-10002', message: /maxPoolSize=1\).*needs 2.*Nothing was changed/ };

describe('a split over a connection string that allows few connections', function () {
  this.timeout(60_000);
  let client;
  let ctx;
  let uri;
  useSet(({ server, ...set }) => {
    ({ client, ctx } = set);
    ({ uri } = server);
  });
  const over = async (max, what) => {
    const few = await new MongoClient(uri, { maxPoolSize: max }).connect();
    try {
      return await what(contextOf(few));
    } finally {
      await few.close();
    }
  };

  it('one: each command is refused before it sends a step', async () => {
    const { id, name, second } = await beginSplit(client, ctx);
    const before = await client.db('tune').collection('fences').countDocuments();
    await over(1, async (one) => {
      await assert.rejects(splitRun(one, second, DO), REFUSED);
      await assert.rejects(splitCutover(one, id, ALONE), REFUSED);
      await assert.rejects(splitAbort(one, id, DO), REFUSED);
    });
    assert.equal(await client.db('tune').collection('fences').countDocuments(), before);
    assert.deepEqual(await takesWrites(client, name), ['app']);
  });

  it('two: it is cut over', async () => {
    await client.db('app').collection('two').insertOne({});
    const plan = await planOf(client, { moves: [{ ns: 'app.two', into: 'app2.two' }] });
    await over(2, async (two) => {
      await splitRun(two, plan, DO);
      assert.equal((await splitCutover(two, plan.id, ALONE)).splits[0].phase, 'switched');
    });
    assert.deepEqual(await takesWrites(client, 'two'), ['app2']);
  });
});
