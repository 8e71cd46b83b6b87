'use strict';

const { askOptional, mapServerError, isRefusal, refusalOf } = require('../base/server-errors');
const { TuneError } = require('../base/pure/errors');

/**
 * @import { Port } from '../base/context'
 * @import { Place, SetPlace } from '../server/pure/types'
 */

/**
 * Collects the shards behind a mongos. Config servers are left out: no queries wait for their
 * caches, and no change is for them, unless they are a shard as well (8.0), which listShards then
 * reports.
 * @typedef {{ shard: string, set: string | null, hosts: string[] }} Shard `hosts`: the hosts that
 *   the cluster knows, perhaps not all of a set
 */

/** Matches `rs0/a:1,b:2`, or `a:1` of a shard that is no replica set. */
const SEEDS = /^(?:([^/]*)\/)?(.+)$/;
const CONFIG_SERVERS = 'config';

/**
 * @param {Port} port a port to a mongos
 * @returns {Promise<Shard[]>}
 * @throws {TuneError} TUNE-20005 where neither listShards nor getShardMap
 *   may be run, TUNE-20006
 */
async function collectShards(port) {
  try {
    const { shards } = await port.adminCommand({ listShards: 1 });
    return shards.flatMap((/** @type {any} */ { _id, host }) => shardOf(String(_id), host));
  } catch (cause) {
    return fromMap(port, refusalOf(cause, 'listShards'));
  }
}

/**
 * @param {Port} port a port to a mongos
 * @returns {Promise<string | null>} the id, which no other cluster has; null: this user may not
 *   read it
 */
async function readClusterId(port) {
  try {
    const { cursor } = await port.command(CONFIG_SERVERS, { find: 'version', limit: 1 });
    return cursor?.firstBatch[0]?.clusterId?.toString() ?? null;
  } catch (cause) {
    refusalOf(cause, 'find on config.version');
    return null;
  }
}

/**
 * Names the shard and the cluster of a server, as it reports itself.
 * @typedef {{ enabled: boolean, clusterId: string | null, name: string | null }} ShardIdentity
 *   `enabled`: the server is a shard
 */

/** @param {Port} port @returns {Promise<ShardIdentity | null>} null: this user may not ask it */
async function readShard(port) {
  const answer = await askOptional(port, { shardingState: 1 });
  return (
    answer && {
      enabled: answer.enabled === true,
      clusterId: answer.clusterId?.toString() ?? null,
      name: answer.shardName ?? null,
    }
  );
}

/**
 * Refuses the answer of another shard: a set with the name of a shard may answer at its address,
 * and be in no cluster or in another one.
 * @param {string} host @param {{ shard: string | null, clusterId?: string | null }} meant
 * @param {ShardIdentity | null} is
 * @throws {TuneError} TUNE-20010
 */
function refuseOtherShard(host, { shard, clusterId = null }, is) {
  const why = is && whyOther({ shard, clusterId }, is);
  if (why)
    throw new TuneError(
      'TUNE-20010',
      `The server at ${host} does not belong to shard ${shard}: it ${why}.`,
      { value: host, allowed: shard },
    );
}

/**
 * @param {{ shard: string | null, clusterId: string | null }} meant @param {ShardIdentity} is
 * @returns {string | null} null: it may be the shard
 */
function whyOther({ shard, clusterId }, is) {
  if (!is.enabled) return 'is not in a sharded cluster';
  if (clusterId !== null && is.clusterId !== null && is.clusterId !== clusterId)
    return 'is in another sharded cluster';
  return is.name === null || is.name === shard ? null : `belongs to shard ${is.name}`;
}

/**
 * Proves the shard before a change: there a server that is not known counts as another one.
 * @param {Port} port @param {{ place: Place, set: SetPlace }} meant
 * @throws {TuneError} TUNE-20005, TUNE-20010
 */
async function proveShard(port, { place: { host }, set }) {
  if (!set.shard) return;
  const is = await readShard(port);
  refuseOtherShard(host, set, is);
  if (typeof is?.clusterId === 'string' && typeof set.clusterId === 'string') return;
  throw new TuneError(
    'TUNE-20005',
    `Whether the server at ${host} belongs to shard ${set.shard} is not known. This needs the ` +
      'privileges shardingState on the cluster there, and find on config.version at the mongos ' +
      '(role clusterMonitor).',
    { value: host, allowed: 'clusterMonitor' },
  );
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

module.exports = { collectShards, readClusterId, readShard, refuseOtherShard, proveShard };
