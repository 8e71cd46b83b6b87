'use strict';

const assert = require('node:assert/strict');
const { contextOf } = require('../support/context');
const { findMongos, startCluster } = require('../support/mongos');
const { skipIf } = require('../support/skip');
const { run: members } = require('../../lib/commands/members');
const { run: apply } = require('../../lib/commands/apply');
const { run: undo } = require('../../lib/commands/undo');
const { run: status } = require('../../lib/commands/status');

const DO = Object.freeze({ confirm: true });

describe('a sharded cluster through a real mongos', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startCluster>>} */ let cluster;
  before(async function () {
    const binary = findMongos();
    skipIf(this, binary === null ? 'no mongos on PATH, and TUNE_MONGOS names none' : null);
    cluster = await startCluster(String(binary));
  });
  after(() => cluster?.stop());

  it('each member of each shard is looked at, changed and changed back', async () => {
    const ctx = contextOf(cluster.client);
    const seen = await members(ctx);
    assert.deepEqual(
      [seen.kind, seen.sets.map(({ shard, name }) => [shard, name])],
      ['sharded cluster', [['shard1', 'shard1']]],
    );
    assert.deepEqual(
      seen.sets[0].members.map(({ host, reached }) => [host, reached]).sort(),
      cluster.shard.hosts.map((host) => [host, true]).sort(),
    );
    const done = await apply(ctx, { evictionThreadsMax: 6 }, { members: 'all', confirm: true });
    assert.deepEqual([done.verified, done.members.length], [true, 2]);
    assert.equal((await undo(ctx, done.id, DO)).verified, true);
  });

  it('what is about one mongod is refused', async () =>
    assert.rejects(status(contextOf(cluster.client)), { code: 'TUNE-20003' }));
});
