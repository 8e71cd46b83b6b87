'use strict';

const assert = require('node:assert/strict');
const { isTokenPast } = require('../../../lib/split/pure/token-time');
const { majorityTime } = require('../../../lib/split/server');
const { until, useSet } = require('../../support/split');

describe('the token of a change stream', function () {
  this.timeout(60_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  it('comes to the time of a write without an event, and not before that', async () => {
    const watched = client.db('app').collection('watched');
    await watched.insertOne({});
    const startAt = await majorityTime(ctx.port);
    const stream = ctx.port.watch('app', [{ $match: { 'ns.coll': 'watched' } }], {
      startAtOperationTime: startAt,
      maxAwaitTimeMS: 10,
    });
    while (await stream.tryNext());
    const before = stream.resumeToken;
    await client
      .db('app')
      .collection('other')
      .insertOne({}, { writeConcern: { w: 'majority' } });
    const time = await majorityTime(ctx.port);
    assert.equal(isTokenPast(before, startAt), true);
    assert.equal(isTokenPast(before, time), false);
    await until(async () => {
      assert.equal(await stream.tryNext(), null);
      return isTokenPast(stream.resumeToken, time) === true;
    }, 5_000);
    await stream.close();
  });
});
