'use strict';

const { mapServerError, isRefusal } = require('../base/server-errors');

/**
 * @import { Port } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 */

/**
 * The shards behind a mongos. Config servers are left out: no queries wait for their caches, and no
 * change is for them, unless they are a shard as well (8.0), which listShards then reports.
 * @typedef {{ shard: string, set: string | null, hosts: string[] }} Shard `hosts`: those that the
 *   cluster knows, of a set perhaps not all
 */

/** `rs0/a:1,b:2`, or `a:1` of a shard that is no replica set */
const SEEDS = /^(?:([^/]*)\/)?(.+)$/;
const CONFIG_SERVERS = 'config';

/**
 * @param {Port} port to a mongos
 * @returns {Promise<Shard[]>}
 * @throws {TuneError} TUNE-20005 where neither listShards nor getShardMap
 *   may be run, TUNE-20006
 */
async function collectShards(port) {
  try {
    const { shards } = await port.adminCommand({ listShards: 1 });
    return shards.flatMap((/** @type {any} */ { _id, host }) => shardOf(String(_id), host));
  } catch (cause) {
    const error = mapServerError(cause, 'listShards');
    if (!isRefusal(error)) throw error;
    return fromMap(port, error);
  }
}

/** @param {Port} port @param {Error} refused @returns {Promise<Shard[]>} */
async function fromMap(port, refused) {
  try {
    const { map } = await port.adminCommand({ getShardMap: 1 });
    return Object.entries(map)
      .filter(([name]) => name !== CONFIG_SERVERS)
      .flatMap(([name, host]) => shardOf(name, host));
  } catch (cause) {
    throw isRefusal(mapServerError(cause, 'getShardMap'))
      ? refused
      : mapServerError(cause, 'getShardMap');
  }
}

/** @param {string} shard @param {unknown} text @returns {Shard[]} */
function shardOf(shard, text) {
  const [, set = null, hosts = ''] = SEEDS.exec(String(text ?? '')) ?? [];
  const list = hosts.split(',').filter((host) => host !== '');
  return list.length === 0 ? [] : [{ shard, set, hosts: list }];
}

module.exports = { collectShards };
