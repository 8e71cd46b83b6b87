'use strict';

/**
 * Two shards that move ranges from one to the other, as the config server has them do: no mongos is
 * needed. What was moved stays on the donor for a quarter of an hour, so that the range deleter rests.
 */
const crypto = require('node:crypto');
const { Binary } = require('mongodb');
const { startReplicaSet } = require('./replica-set');
const { createSharded, MAJORITY, NS } = require('./sharded');

/**
 * @import { Server } from './server'
 */

const BATCH = 500;

/**
 * @param {{ documents: number, bytes: number, args?: string[] }} options `args`: of both shards
 * @returns {Promise<{
 *   donor: Server, recipient: Server, move(from: number, to: number): Promise<void>, stop(): Promise<void>
 * }>} `move`: the documents with an _id from … to - 1
 */
async function startTwoShards({ documents, bytes, args = [] }) {
  const [config, donor, recipient] = await Promise.all([
    startReplicaSet({ args: ['--configsvr'], name: 'conf' }),
    startReplicaSet({ args: ['--shardsvr', ...args], name: 'shard1' }),
    startReplicaSet({ args: ['--shardsvr', ...args], name: 'shard2' }),
  ]);
  await createSharded(config, { shard1: donor, shard2: recipient });
  await fill(donor, 'moved', documents, bytes);
  await fill(recipient, 'own', documents, bytes);
  return {
    donor,
    recipient,
    async move(from, to) {
      await config.adminCommand({
        _configsvrMoveRange: NS,
        toShard: 'shard2',
        min: { _id: from },
        max: { _id: to },
        waitForDelete: false,
        ...MAJORITY,
      });
    },
    async stop() {
      await Promise.all([config.stop(), donor.stop(), recipient.stop()]);
    },
  };
}

/** @param {Server} shard @param {string} name @param {number} documents @param {number} bytes */
async function fill(shard, name, documents, bytes) {
  for (let first = 0; first < documents; first += BATCH)
    await shard
      .db('app')
      .collection(name)
      .insertMany(
        Array.from(
          { length: BATCH },
          (_, i) =>
            /** @type {any} */ ({ _id: first + i, body: new Binary(crypto.randomBytes(bytes)) }),
        ),
      );
}

module.exports = { startTwoShards };
