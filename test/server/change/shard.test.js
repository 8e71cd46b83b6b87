'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { lastString } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

/** No mongos can be had as a package: a config server is asked in its place. */
describe('a change through a mongos', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let config;
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let shard;
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let other;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    config = await startReplicaSet({ args: ['--configsvr'], name: 'conf' });
    shard = await startReplicaSet({ args: ['--shardsvr'], name: 'shard1' });
    // Of the name of the shard's set, and in no cluster.
    other = await startReplicaSet({ name: 'shard1' });
    await config.adminCommand({
      _configsvrAddShard: `shard1/${shard.hosts[0]}`,
      name: 'shard1',
      writeConcern: { w: 'majority', wtimeout: 60_000 },
    });
    home = temporaryFolder('home');
  });
  after(async () => {
    await Promise.all([config?.stop(), shard?.stop(), other?.stop()]);
    home?.remove();
  });

  /**
   * @param {typeof shard} set that answers at the address of the shard
   * @param {Record<string, any>} [more] what the mongos answers
   */
  function throughMongos(set, more = {}) {
    const ctx = contextOf(set.client, { home: home.path });
    const address = `shard1/${set.hosts[0]}`;
    /** @type {Record<string, any>} */
    const mongos = {
      hello: { msg: 'isdbgrid', isWritablePrimary: true, ok: 1 },
      listShards: { shards: [{ _id: 'shard1', host: address, state: 1 }], ok: 1 },
      getShardMap: { map: { config: `conf/${config.hosts[0]}`, shard1: address }, ok: 1 },
      ...more,
    };
    const command = async (/** @type {string} */ database, /** @type {any} */ spec) => {
      const answer = mongos[Object.keys(spec)[0]];
      if (answer instanceof Error) throw answer;
      return answer ?? config.client.db(database).command(spec);
    };
    const adminCommand = async (/** @type {any} */ spec) => command('admin', spec);
    return { ...ctx, port: { ...ctx.port, adminCommand, command } };
  }
  const ALL = /** @type {const} */ ({ members: 'all', confirm: true });
  const refused = () =>
    Object.assign(new Error('not authorized'), { name: 'MongoServerError', code: 13 });

  it('goes to the shard, and back', async () => {
    const { id } = await apply(throughMongos(shard), { evictionThreadsMax: 6 }, ALL);
    assert.match(await lastString(shard), /threads_max=6/);
    await undo(throughMongos(shard), id, { confirm: true });
    assert.match(await lastString(shard), /threads_max=4/);
  });

  it('does not go to a set of the same name at the address of the shard', async () => {
    await assert.rejects(
      apply(throughMongos(other), { evictionThreadsMax: 6 }, ALL),
      /\[TUNE-20010\] .* does not belong to shard shard1: it is not in a sharded cluster/,
    );
    assert.equal(await lastString(other), '');
  });

  it('does not go to a shard of the same name of another cluster', async () => {
    const before = await lastString(shard);
    const find = { cursor: { firstBatch: [{ clusterId: 'another' }] } };
    await assert.rejects(
      apply(throughMongos(shard, { find }), { evictionThreadsMax: 6 }, ALL),
      /\[TUNE-20010\] .* it is in another sharded cluster/,
    );
    assert.equal(await lastString(shard), before);
  });

  it('is refused where the user may not ask which cluster that is', async () => {
    const before = await lastString(shard);
    await assert.rejects(
      apply(throughMongos(shard, { find: refused() }), { evictionThreadsMax: 6 }, ALL),
      /\[TUNE-20005\] Whether the server at .* belongs to shard shard1 is not known/,
    );
    assert.equal(await lastString(shard), before);
  });
});
