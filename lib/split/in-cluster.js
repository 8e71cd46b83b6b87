'use strict';

const { BUILD_INFO } = require('../server/pure/commands');
const { TuneError } = require('../base/pure/errors');
const { compareVersions } = require('../base/pure/version');

/**
 * @import { Port } from '../base/context'
 * @import { Context } from '../base/types'
 */

/** The first release with moveCollection, for collections that are not sharded. */
const MOVES_SINCE = '8.0.0';
const REACH =
  'A collection of a cluster cannot be moved to another database online. With its ' +
  'writers stopped, renameCollection through this mongos moves it, if it is ' +
  'unsharded and both databases have the same primary shard. Writes during the ' +
  'rename are lost.';

/**
 * Says what a cluster has instead of a split, with its names where it reports them.
 * @param {Context} ctx
 * @param {{ from: string, names: string[] | null }} asked
 * @param {Error} error
 * @returns {Promise<Error>} the given error, where it is another one
 */
async function inCluster({ port }, { from, names }, error) {
  if (!(error instanceof TuneError) || error.code !== 'TUNE-20003') return error;
  return new TuneError(
    'TUNE-20003',
    'This is a mongos. ' +
      `${instead({ from, name: names?.[0] ?? 'collection', ...(await clusterOf(port, from)) })} ` +
      `${REACH}`,
    { value: 'mongos', allowed: ['mongod'], cause: error },
  );
}

/**
 * Returns what is known of the cluster; a refused answer leaves it unknown.
 * @param {Port} port
 * @param {string} from
 */
async function clusterOf(port, from) {
  const notify = (/** @type {string} */ db, /** @type {Record<string, unknown>} */ command) =>
    port.command(db, command).catch(() => ({}));
  const { version = null } = await notify('admin', BUILD_INFO);
  const { shards = [] } = await notify('admin', { listShards: 1 });
  const { cursor: { firstBatch: [database] } = { firstBatch: [] } } = await notify('config', {
    find: 'databases',
    filter: { _id: from },
    limit: 1,
  });
  return {
    version,
    shards: shards.map((/** @type {any} */ { _id }) => String(_id)),
    primary: database?.primary ?? null,
  };
}

/**
 * @param {{
 *   from: string, name: string, version: string | null, shards: string[], primary: string | null
 * }} cluster
 */
function instead({ from, name, version, shards, primary }) {
  const others = shards.filter((one) => one !== primary);
  const where = primary === null ? '' : ` (unsharded collections of ${from} are on ${primary})`;
  if (shards.length === 1)
    return (
      `The cluster has one shard, ${shards[0]}: with a second one, moveCollection ` +
      '(8.0) moves an unsharded collection there. That relieves the first more than ' +
      'another database does.'
    );
  const call =
    `sh.moveCollection(${JSON.stringify(`${from}.${name}`)}, ` +
    `${JSON.stringify(others[0] ?? 'shard2')})`;
  if (version !== null && compareVersions(version, MOVES_SINCE) < 0)
    return (
      'Another shard relieves the current one more than another database ' +
      `does${where}. From 8.0 on ${call} moves an unsharded collection there; this ` +
      `cluster runs ${version}, where sh.shardCollection() distributes it instead.`
    );
  return (
    `From 8.0 on ${call} moves an unsharded collection to another shard${where}. ` +
    'That relieves the current shard more than another database ' +
    `does${others.length > 1 ? `; other shards: ${others.slice(1).join(', ')}` : ''}.`
  );
}

module.exports = { inCluster };
