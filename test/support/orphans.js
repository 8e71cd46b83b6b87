'use strict';

/**
 * A shard with a range that belongs to another one, as after a move: what lies in it is deleted by the
 * range deleter. The other shard is a name in the config server: no mongos and no move is needed.
 */
const crypto = require('node:crypto');
const { Binary, MaxKey, Timestamp, UUID } = require('mongodb');
const { startReplicaSet } = require('./replica-set');
const { createSharded, NS } = require('./sharded');

/**
 * @import { Server } from './server'
 */

const ELSEWHERE = 'elsewhere';
const BATCH = 500;
/** Keys at random places: each delete reads pages that the cache does not hold, on any disk. */
const INDEXED = Object.freeze(['customer', 'session', 'token', 'trace']);
const KEY_BYTES = 200;
/** The shard reads the config server as of the time that it last heard of. */
const REFRESHES = 50;
const EVERY_MS = 200;

const keys = () =>
  Object.fromEntries(INDEXED.map((field) => [field, new Binary(crypto.randomBytes(KEY_BYTES))]));

/**
 * @param {{ args?: string[] }} [options] of the shard
 * @returns {Promise<{
 *   shard: Server, add(documents: number, bytes: number): Promise<void>,
 *   submit(): Promise<void>, stop(): Promise<void>
 * }>} `add`: orphans; `submit`: has the range deleter delete them
 */
async function startShardWithOrphans({ args = [] } = {}) {
  const [config, shard] = await Promise.all([
    startReplicaSet({ args: ['--configsvr'], name: 'conf' }),
    startReplicaSet({ args: ['--shardsvr', ...args], name: 'shard1' }),
  ]);
  const uuid = await shardTheCollection(config, shard);
  const moved = shard.db('app').collection('moved');
  await moved.createIndexes(INDEXED.map((field) => ({ key: { [field]: 1 } })));
  const tasks = shard.db('config').collection('rangeDeletions');
  let next = 0;
  return {
    shard,
    async add(documents, bytes) {
      for (const end = next + documents; next < end; next += BATCH)
        await moved.insertMany(
          Array.from(
            { length: BATCH },
            (_, i) =>
              /** @type {any} */ ({
                _id: next + i,
                body: new Binary(crypto.randomBytes(bytes)),
                ...keys(),
              }),
          ),
        );
    },
    // As a move to this shard that was given up: its task begins once it is not pending any more.
    async submit() {
      const task = {
        _id: /** @type {any} */ (new UUID()),
        nss: NS,
        collectionUuid: uuid,
        donorShardId: ELSEWHERE,
        range: { min: { _id: 0 }, max: { _id: new MaxKey() } },
        whenToClean: 'now',
        numOrphanDocs: next,
        pending: true,
      };
      await tasks.insertOne(task);
      await tasks.updateOne({ _id: task._id }, { $unset: { pending: '' } });
    },
    async stop() {
      await Promise.all([config.stop(), shard.stop()]);
    },
  };
}

/**
 * @param {Server} config @param {Server & { hosts: string[] }} shard
 * @returns {Promise<UUID>} of the collection, of which only what is below 0 is in `shard`
 */
async function shardTheCollection(config, shard) {
  await createSharded(config, { shard1: shard });
  const known = config.db('config');
  const { uuid, lastmodEpoch, timestamp } = /** @type {any} */ (
    await known.collection('collections').findOne(/** @type {any} */ ({ _id: NS }))
  );
  await giveAway(known, uuid);
  const shardVersion = { t: timestamp, e: lastmodEpoch, v: new Timestamp({ t: 2, i: 1 }) };
  await refresh(shard, shardVersion);
  return uuid;
}

/** @param {import('mongodb').Db} known to the config server @param {UUID} uuid */
async function giveAway(known, uuid) {
  await known
    .collection('shards')
    .insertOne(
      /** @type {any} */ ({
        _id: ELSEWHERE,
        host: `${ELSEWHERE}/127.0.0.1:1`,
        state: 1,
        topologyTime: new Timestamp({ t: 1, i: 2 }),
      }),
    );
  await known
    .collection('chunks')
    .updateOne({ uuid }, { $set: { max: { _id: 0 }, lastmod: new Timestamp({ t: 2, i: 1 }) } });
  await known
    .collection('chunks')
    .insertOne({
      uuid,
      min: { _id: 0 },
      max: { _id: new MaxKey() },
      shard: ELSEWHERE,
      lastmod: new Timestamp({ t: 2, i: 0 }),
      history: [{ validAfter: new Timestamp({ t: 1, i: 1 }), shard: ELSEWHERE }],
    });
}

/** Until the shard knows what it has no more. @param {Server} shard @param {object} shardVersion */
async function refresh(shard, shardVersion) {
  for (let i = 0; i < REFRESHES; i += 1) {
    await shard.adminCommand({ _flushRoutingTableCacheUpdates: NS, syncFromConfig: true });
    await shard
      .db('app')
      .command({ find: 'moved', shardVersion })
      .catch(() => null); // a version that it does not know makes it ask
    const { global } = await shard.adminCommand({ getShardVersion: NS });
    if (global.getHighBits() >= 2) return;
    await new Promise((go) => setTimeout(go, EVERY_MS));
  }
  throw new Error(`the shard does not know the chunks of ${NS}`);
}

module.exports = { startShardWithOrphans };
