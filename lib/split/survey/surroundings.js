'use strict';

const { OPLOG_STATUS, START_OPTIONS } = require('../../server/pure/commands');
const { toNumber } = require('../../base/pure/numbers');
const { refusalOf } = require('../../base/server-errors');
const { OPLOG_STATS, secondsOf } = require('../../server/oplog');
const { collectDisks } = require('./disks');
const { isShardMember } = require('./shard-member');
const { collectStreams } = require('./streams');
const { writesIn, writesPerSec } = require('../../server/client-load');

/**
 * @import { WritesSeen } from '../../server/client-load'
 * @import { Context } from '../../base/types'
 * @import { Surroundings } from '../pure/types'
 */

/**
 * Reads what a split needs besides the collections themselves. A value that this user may not see
 * is null.
 * @typedef {(database: string, command: Record<string, unknown>) => Promise<any>} Ask null: refused
 */

const ONE_BATCH = 1_000_000;
/** The value when setUserWriteBlockMode is on (serverStatus.repl.userWriteBlockMode; 1 is off). */
const BLOCKED = 2;

/**
 * @param {Context} ctx
 * @param {{ role: Surroundings['role'], version: string | null, host: string | null }} facts
 * @param {{ from: string, into: readonly string[], earlier: WritesSeen | null }} about the
 *   databases, and what clients had written some time before
 * @returns {Promise<Surroundings>}
 */
async function collectSurroundings(ctx, { role, version, host }, { from, into, earlier }) {
  const ask = asking(ctx);
  const status = (await ask('admin', OPLOG_STATUS)) ?? {};
  return {
    host,
    version,
    role,
    ...statusOf(status),
    writesPerSec: writesPerSec(earlier, writesIn(status)),
    ...(await startOf(ask)),
    shardServer: await isShardMember(ctx.port),
    ...(await collectDisks(ctx, from)),
    oplog: role === 'standalone' ? null : await oplogOf(ask, status.oplog),
    ...(await databasesOf(ask, into)),
    users: usersOf(await ask('admin', { usersInfo: { forAllDBs: true } })),
    roles: await rolesOf(ask, from),
    ...(await collectStreams(ask)),
    privileges: privilegesOf(await ask('admin', { connectionStatus: 1, showPrivileges: true })),
  };
}

/** @param {any} status */
const statusOf = ({ wiredTiger, repl, storageEngine }) => ({
  handles:
    toNumber(wiredTiger?.['data-handle']?.['connection data handles currently active']) ?? null,
  writesBlocked:
    repl?.userWriteBlockMode === undefined ? null : toNumber(repl.userWriteBlockMode) === BLOCKED,
  committedReads: storageEngine?.supportsCommittedReads ?? null,
});

/** Reads how the server was started, and which features it may use. @param {Ask} ask */
async function startOf(ask) {
  const options = (await ask('admin', START_OPTIONS))?.parsed ?? null;
  const parameter = await ask('admin', { getParameter: 1, featureCompatibilityVersion: 1 });
  return {
    compatibility: parameter?.featureCompatibilityVersion?.version ?? null,
    directoryPerDB: options && Boolean(options.storage?.directoryPerDB),
  };
}

/** @param {Ask} ask @param {readonly string[]} into */
async function databasesOf(ask, into) {
  const listed = await ask('admin', { listDatabases: 1, nameOnly: true });
  const there = await Promise.all(
    into.map(async (name) => ({ name, things: await thingsIn(ask, name) })),
  );
  return {
    databases: listed?.databases.map((/** @type {any} */ { name }) => name) ?? null,
    taken: Object.fromEntries(
      there.map(({ name, things }) => [name, things?.map((one) => one.name) ?? null]),
    ),
    views: Object.fromEntries(
      there.map(({ name, things }) => [
        name,
        things?.filter(({ type }) => type === 'view') ?? null,
      ]),
    ),
  };
}

/** @param {Context} ctx @returns {Ask} */
const asking =
  ({ port, signal }) =>
  async (database, command) => {
    try {
      return await port.command(database, command);
    } catch (error) {
      refusalOf(error, Object.keys(command)[0], signal);
      return null;
    }
  };

/** @param {Ask} ask @param {any} reach @returns {Promise<Surroundings['oplog']>} */
async function oplogOf(ask, reach) {
  const [oldest, latest] = [secondsOf(reach?.earliestOptime), secondsOf(reach?.latestOptime)];
  if (oldest === undefined || latest === undefined) return null;
  const answer = await ask('local', OPLOG_STATS);
  const [stats = {}] = answer?.cursor.firstBatch ?? [];
  const [size, maxBytes] = [toNumber(stats.dataBytes), toNumber(stats.maxBytes)];
  const seconds = Math.max(1, latest - oldest);
  if (!size || maxBytes === undefined) return { maxBytes: null, bytesPerSec: null, seconds };
  // An oplog that is not full yet will reach back further than it does now.
  return {
    maxBytes,
    bytesPerSec: size / seconds,
    seconds: Math.max(seconds, (maxBytes * seconds) / size),
  };
}

/**
 * @param {Ask} ask
 * @param {string} database
 * @returns {Promise<{ name: string, type: string, options: any }[] | null>} `options` null: this
 *   user may see the names only
 */
async function thingsIn(ask, database) {
  const cursor = { batchSize: ONE_BATCH };
  const listed =
    (await ask(database, { listCollections: 1, cursor })) ??
    (await ask(database, { listCollections: 1, nameOnly: true, cursor }));
  return (
    listed?.cursor.firstBatch.map((/** @type {any} */ { name, type, options = null }) => ({
      name,
      type,
      options,
    })) ?? null
  );
}

/** @param {any} answer @returns {Surroundings['users']} */
const usersOf = (answer) =>
  answer?.users.map((/** @type {any} */ { user, db, roles }) => ({
    name: `${db}.${user}`,
    roles: roles.map(roleName),
  })) ?? null;

/**
 * Reads the roles; those of admin reach every database, others only their own.
 * @param {Ask} ask
 * @param {string} from
 * @returns {Promise<Surroundings['roles']>}
 */
async function rolesOf(ask, from) {
  const answers = await Promise.all(
    [...new Set(['admin', from])].map((database) =>
      ask(database, { rolesInfo: 1, showPrivileges: true }),
    ),
  );
  if (answers.every((answer) => answer === null)) return null;
  return answers
    .flatMap((answer) => answer?.roles ?? [])
    .map((/** @type {any} */ { role, db, privileges = [], roles = [] }) => ({
      role,
      db,
      privileges: privileges.map(privilege),
      roles: roles.map(roleName),
    }));
}

/** @param {any} role */
const roleName = ({ role, db }) => ({ role, db });
/** @param {any} one */
const privilege = ({ resource, actions }) => ({ resource: { ...resource }, actions: [...actions] });

/**
 * @param {any} answer
 * @returns {Surroundings['privileges']} `all`: no user is logged in, and the server answered
 *   nevertheless
 */
function privilegesOf(answer) {
  if (!answer?.authInfo) return null;
  return answer.authInfo.authenticatedUsers.length === 0
    ? 'all'
    : (answer.authInfo.authenticatedUserPrivileges ?? []).map(privilege);
}

module.exports = { collectSurroundings };
