'use strict';

/**
 * What is moved behind the routers' back is lost to them: a member of a shard is recognised,
 * whoever asks.
 */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { startReplicaSet } = require('../../support/server');
const { planOf } = require('../../support/split');
const { isShardMember } = require('../../../lib/split/survey/shard-member');
const { run: splitPlan } = require('../../../lib/commands/split-plan');
const { run: splitRun } = require('../../../lib/commands/split-run');

/**
 * As in docs/privileges.md, with the right to make the plan's figures and nothing that tells how
 * the server was started.
 */
const PRIVILEGES = [
  { resource: { cluster: true }, actions: ['applyOps', 'serverStatus', 'replSetGetStatus'] },
];
const ROLES = [
  ...['app', 'app2'].flatMap((db) => [
    { role: 'readWrite', db },
    { role: 'dbAdmin', db },
  ]),
  { role: 'readWrite', db: 'tune' },
];

for (const [what, args, isShard] of [
  ['a member of a shard', ['--shardsvr'], true],
  ['a member of a set of its own', [], false],
]) {
  describe(`${what}, for the role that splits`, function () {
    this.timeout(180_000);
    let server;
    let client;
    before(async () => {
      server = await startReplicaSet({ members: 1, auth: true, args });
      await server.addRole('tuneSplit', PRIVILEGES, ROLES);
      await server.addUser('mover', ['tuneSplit']);
      client = await server.connect(
        server.uri.replace('root:root-password', 'mover:mover-password'),
      );
      await server.client
        .db('app')
        .collection('c')
        .insertMany([{ _id: 1 }, { _id: 2 }]);
    });
    after(() => server?.stop());

    it('is told from the other, as it is by root', async () => {
      await assert.rejects(client.db('admin').command({ getCmdLineOpts: 1 }), { code: 13 });
      assert.deepEqual(
        [
          await isShardMember(contextOf(client).port),
          await isShardMember(contextOf(server.client).port),
        ],
        [isShard, isShard],
      );
    });

    it(`the plan ${isShard ? 'has it in its way' : 'has no such thing in its way'}`, async () => {
      const plan = await splitPlan(contextOf(client), {
        source: 'app',
        target: 'app2',
        collections: 'c',
        seconds: 0.1,
      });
      assert.deepEqual(
        plan.blockers.map(({ what: one }) => one).filter((one) => one.startsWith('sharded')),
        isShard ? ['sharded-cluster'] : [],
      );
    });

    it('where nothing can be found out that is in its way, with the right that helps', async () => {
      const blind = contextOf(client);
      const { command } = blind.port;
      blind.port.command = (db, spec) =>
        spec.shardVersion
          ? Promise.reject(Object.assign(new Error('no'), { code: 13 }))
          : command(db, spec);
      const { blockers } = await splitPlan(blind, {
        source: 'app',
        target: 'app2',
        collections: 'c',
        seconds: 0.1,
      });
      assert.match(
        blockers.find(({ what: one }) => one === 'sharded-cluster-unknown')?.say ?? '',
        /Grant getCmdLineOpts on the cluster \(role clusterMonitor\)/,
      );
      await assert.rejects(
        splitRun(blind, await planOf(server.client, { moves: [{ ns: 'app.c', into: 'app2.c' }] }), {
          confirm: true,
        }),
        { code: 'TUNE-20005' },
      );
    });

    it(`run ${isShard ? 'refuses, and leaves nothing behind' : 'goes on'}`, async function () {
      const plan = await planOf(server.client, { moves: [{ ns: 'app.c', into: 'app2.c' }] });
      if (isShard)
        await assert.rejects(splitRun(contextOf(client), plan, { confirm: true }), {
          code: 'TUNE-20003',
        });
      // Who may do every step is a matter of privileges.test.js.
      else await splitRun(contextOf(server.client), plan, { confirm: true });
      assert.equal(
        (await server.client.db('app2').listCollections().toArray()).length > 0,
        !isShard,
      );
    });
  });
}
