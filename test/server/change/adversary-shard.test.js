'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { lastString } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');

describe('a change through a mongos', function () {
  this.timeout(60_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let other;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    // It has the name of the shard's set and answers at its address, and is in no cluster at all.
    other = await startReplicaSet({ name: 'shard1' });
    home = temporaryFolder('home');
  });
  after(async () => {
    await other?.stop();
    home?.remove();
  });

  it('does not change a set of the same name that answers at the address of a shard', async () => {
    const [host] = other.hosts;
    const ctx = contextOf(other.client, { home: home.path });
    /** @type {Record<string, any>} */
    const mongos = {
      hello: { msg: 'isdbgrid', isWritablePrimary: true, ok: 1 },
      listShards: { shards: [{ _id: 'shard1', host: `shard1/${host}`, state: 1 }], ok: 1 },
      getShardMap: { map: { config: 'conf/127.0.0.1:1', shard1: `shard1/${host}` }, ok: 1 },
    };
    const adminCommand = async (/** @type {any} */ command) => {
      const name = Object.keys(command)[0];
      if (mongos[name] === undefined)
        throw Object.assign(new Error(`no such command: '${name}'`), {
          name: 'MongoServerError',
          code: 59,
        });
      return mongos[name];
    };
    const throughMongos = {
      ...ctx,
      port: {
        ...ctx.port,
        adminCommand,
        command: async (_database, command) => adminCommand(command),
      },
    };
    const { enabled } = await other.adminCommand({ shardingState: 1 });
    assert.equal(enabled, false, 'the server itself says that it is no shard');
    const done = await apply(
      throughMongos,
      { evictionThreadsMax: 6 },
      { members: 'all', confirm: true },
    ).catch((error) => error);
    assert.equal(await lastString(other), '', String(done.message ?? done));
  });
});
