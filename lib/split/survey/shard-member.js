'use strict';

const {
  NO_SHARDING_ENABLED,
  SHARDING_STATE_NOT_INITIALIZED,
  STALE_CONFIG,
  STALE_DB_VERSION,
  STALE_EPOCH,
} = require('../../base/pure/server-codes');
const { SMALL_STATUS, HELLO, START_OPTIONS } = require('../../server/pure/commands');

/**
 * @import { Port } from '../../base/context'
 */

/**
 * Finds out whether a server is a member of a shard: a collection that is moved there behind the
 * routers' back is lost to them.
 *
 * @typedef {boolean | null} IsShard null: it cannot be found out
 */

/** Since 8.0 a config server may hold user data, as a shard. */
const SHARD_ROLES = Object.freeze(new Set(['shardsvr', 'configsvr']));
/** Only a shard answers so. */
const OF_A_SHARD = Object.freeze(
  new Set([SHARDING_STATE_NOT_INITIALIZED, STALE_CONFIG, STALE_DB_VERSION, STALE_EPOCH]),
);
/** A database that every user who may do a split may read. */
const DATABASE = 'tune';

/** @param {Port} port @returns {Promise<IsShard>} */
async function isShardMember(port) {
  const options = await answer(port, 'admin', START_OPTIONS);
  if (options?.parsed) return SHARD_ROLES.has(options.parsed.sharding?.clusterRole);
  if (await showsIt(port)) return true;
  return byVersion(port);
}

/** @param {Port} port */
async function showsIt(port) {
  const status = await answer(port, 'admin', SMALL_STATUS);
  if (status?.sharding || status?.shardingStatistics) return true;
  const identity = await answer(port, 'admin', {
    find: 'system.version',
    filter: { _id: 'shardIdentity' },
    limit: 1,
  });
  return identity?.cursor.firstBatch.length > 0;
}

/**
 * Sends a read as a router does, of nothing: a member of a shard finds that the version differs,
 * and any other server that it is no shard. The read needs no other privilege than to read.
 * @param {Port} port
 * @returns {Promise<IsShard>}
 */
async function byVersion(port) {
  const hello = await answer(port, 'admin', HELLO);
  if (!hello) return null;
  // A shard is a replica set.
  if (!hello.setName) return false;
  const [time, epoch] = [hello.lastWrite?.opTime.ts, hello.topologyVersion?.processId];
  // The forms are those of 6.0, of 5.0, and of earlier releases.
  const forms = [{ e: epoch, t: time, v: time }, [time, epoch, time], [time, epoch]];
  for (const shardVersion of forms) {
    const read = { find: 'splits', filter: { _id: null }, limit: 1, shardVersion };
    const code = await port.command(DATABASE, read).then(
      () => null,
      (error) => error.code,
    );
    if (code === NO_SHARDING_ENABLED) return false;
    if (OF_A_SHARD.has(code)) return true;
  }
  return null;
}

/**
 * @param {Port} port
 * @param {string} database
 * @param {Record<string, unknown>} command
 * @returns {Promise<any>} null: refused
 */
const answer = (port, database, command) => port.command(database, command).catch(() => null);

module.exports = { isShardMember };
