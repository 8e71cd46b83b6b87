'use strict';

const assert = require('node:assert/strict');
const { run: splitPlan } = require('../../../lib/commands/split-plan');
const { contextOf } = require('../../support/context');

/**
 * A mongos.
 * @param {{ version?: string, shards?: string[] | null, primary?: string | null }} cluster what it
 *   tells; null: refused
 */
function mongos({ version = '8.0.4', shards = null, primary = null }) {
  /** @type {string[]} */ const asked = [];
  const command = async (/** @type {any} */ spec) => {
    const [name] = Object.keys(spec);
    asked.push(name);
    if (name === 'buildInfo') return { version, ok: 1 };
    if (name === 'listShards') {
      if (shards === null) throw Object.assign(new Error('not authorized'), { code: 13 });
      return { shards: shards.map((_id) => ({ _id })) };
    }
    if (name === 'find') return { cursor: { firstBatch: primary === null ? [] : [{ primary }] } };
    return { isWritablePrimary: true, msg: 'isdbgrid', ok: 1 };
  };
  return {
    asked,
    ctx: {
      ...contextOf(null),
      port: {
        adminCommand: command,
        command: async (/** @type {string} */ _db, /** @type {any} */ spec) => command(spec),
      },
    },
  };
}
/**
 * @param {Parameters<typeof mongos>[0]} cluster
 * @param {object} [more]
 * @returns {Promise<string>}
 */
const said = async (cluster, more = {}) =>
  splitPlan(/** @type {any} */ (mongos(cluster).ctx), { source: 'app', ...more }).then(
    () => assert.fail('planned'),
    ({ code, message }) => {
      assert.equal(code, 'TUNE-20003');
      return message;
    },
  );

describe('commands/split-plan on a mongos', () => {
  it('what there is instead, and nothing is measured', async () => {
    const { ctx, asked } = mongos({});
    await assert.rejects(
      splitPlan(/** @type {any} */ (ctx), { source: 'app' }),
      (error) =>
        error.code === 'TUNE-20003' &&
        /unsharded and both databases have the same primary shard\. Writes during the rename are lost/.test(
          error.message,
        ),
    );
    assert.deepEqual(
      asked.filter((name) => !/^(hello|buildInfo|listShards|find)$/i.test(name)),
      [],
    );
  });
  it('with its own names, as far as it tells them', async () => {
    assert.match(
      await said({ shards: ['s1', 's2', 's3'], primary: 's1' }, { collections: 'orders' }),
      /From 8\.0 on sh\.moveCollection\("app\.orders", "s2"\) moves an unsharded collection to another shard \(unsharded collections of app are on s1\)\. .*; other shards: s3\./,
    );
    assert.match(
      await said({}),
      /sh\.moveCollection\("app\.collection", "shard2"\) moves an unsharded collection to another shard\. That/,
    );
  });
  it('a release that has no moveCollection, and a cluster of one shard', async () => {
    assert.match(
      await said({ version: '7.0.14', shards: ['s1', 's2'], primary: 's2' }),
      /From 8\.0 on sh\.moveCollection\("app\.collection", "s1"\) .*this cluster runs 7\.0\.14, where sh\.shardCollection\(\) distributes it instead/,
    );
    assert.match(
      await said({ shards: ['s1'] }),
      /The cluster has one shard, s1: with a second one, moveCollection/,
    );
  });
});
