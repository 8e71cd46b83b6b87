'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { planOf } = require('../../support/split');
const { splitCutover } = require('../../../lib/commands/split-cutover');
const { splitFinish } = require('../../../lib/commands/split-finish');
const { splitRollback } = require('../../../lib/commands/split-rollback');
const { splitRun } = require('../../../lib/commands/split-run');
const { splitVerify } = require('../../../lib/commands/split-verify');

const DO = Object.freeze({ confirm: true });

describe('who may split', function () {
  this.timeout(120_000);
  let server;
  before(async () => { server = await startReplicaSet({ members: 1, auth: true }); });
  after(() => server?.stop());

  async function begin(name) {
    await server.client.db('app').collection(name).insertMany([{ _id: 1 }, { _id: 2 }]);
    return planOf(server.client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
  }

  it('root may not cut off, and learns it before anything is copied', async () => {
    const ctx = contextOf(server.client);
    await assert.rejects(splitRun(ctx, await begin('root'), DO), (error) => error.code === 'TUNE-20005' && /anyAction on anyResource/.test(error.message));
    assert.deepEqual((await server.client.db('app2').listCollections().toArray()).map(({ name }) => name), []);
  });

  it('the role of docs/privileges.md may do all of it', async () => {
    await server.addRole('tuneSplit', [{ resource: { anyResource: true }, actions: ['anyAction'] }]);
    const client = await server.connect(await server.addUser('mover', ['tuneSplit']));
    const ctx = contextOf(client);
    const plan = await begin('mover');
    await splitRun(ctx, plan, DO);
    assert.equal((await splitVerify(ctx, plan.id)).splits[0].verified.differences, 0);
    await splitCutover(ctx, plan.id, DO);
    await splitRollback(ctx, plan.id, DO);
    assert.equal((await splitFinish(ctx, plan.id, DO)).splits[0].phase, 'finished');
    assert.equal(await client.db('app').collection('mover').countDocuments(), 2);
  });
});
