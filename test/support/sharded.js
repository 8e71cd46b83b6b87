'use strict';

/** A sharded collection, made by the config server and its primary shard alone: no mongos is needed. */

/**
 * @import { Server } from './server'
 */

const NS = 'app.moved';
const MAJORITY = Object.freeze({ writeConcern: { w: 'majority' } });

/**
 * @param {Server} config
 * @param {Readonly<Record<string, Server & { hosts: string[] }>>} shards by the names of their sets; the
 *   first one has the collection
 */
async function createSharded(config, shards) {
  for (const [name, { hosts }] of Object.entries(shards))
    await config.adminCommand({ _configsvrAddShard: `${name}/${hosts[0]}`, ...MAJORITY });
  const [[primaryShardId, primary]] = Object.entries(shards);
  await config.adminCommand({ _configsvrCreateDatabase: 'app', primaryShardId, ...MAJORITY });
  const database = await config
    .db('config')
    .collection('databases')
    .findOne(/** @type {any} */ ({ _id: 'app' }));
  await primary
    .db('app')
    .command({
      _shardsvrCreateCollection: 'moved',
      shardKey: { _id: 1 },
      databaseVersion: database?.version,
      ...MAJORITY,
    });
}

module.exports = { createSharded, NS, MAJORITY };
