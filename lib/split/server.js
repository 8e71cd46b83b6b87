'use strict';

const { HELLO, SMALL_STATUS } = require('../server/pure/commands');
const { TuneError } = require('../base/pure/errors');
const { sleep } = require('../base/context');
const { bucketsOf } = require('./pure/split-names');
const { retrying } = require('./retry');

/**
 * @import { DataPort } from '../base/context'
 */

/**
 * @typedef {DataPort} Port
 * @typedef {{ db: string, name: string }} CollectionName
 * @typedef {CollectionName & { uuid: any }} CollectionId it may have another name by now
 */

/** The database with the state of splits. */
const DATABASE = 'tune';
/** A write that most members do not have could be rolled back. */
const MAJORITY = Object.freeze({ w: 'majority' });
/**
 * Options of reads that must see the newest data: the read preference of a connection string, such
 * as for a secondary that lags, does not apply. Regular expressions are returned unchanged
 * (shell/port.js).
 */
const READ = Object.freeze({
  readPreference: 'primary',
  readConcern: Object.freeze({ level: 'local' }),
  bsonRegExp: true,
});
/**
 * Options of a long read. From 8.0 on a cluster may have a limit for reads that name none
 * (defaultMaxTimeMS), which is meant for applications: a long read of a split names a limit of a
 * day.
 */
const LONG_READ = Object.freeze({ ...READ, maxTimeMS: 86_400_000 });
/** Milliseconds that one call may take, once the server has it. */
const CALL_MS = 20_000;

/**
 * Runs a command that writes; its answer says ok also where single writes failed.
 * @param {Port} port @param {string} database @param {Record<string, unknown>} command
 * @returns {Promise<any>}
 */
async function write(port, database, command) {
  const answer = await port.command(database, { ...command, writeConcern: MAJORITY });
  const [failed] = answer.writeErrors ?? [];
  const refused = failed ?? answer.writeConcernError;
  if (refused)
    throw Object.assign(new Error(refused.errmsg), {
      name: 'MongoServerError',
      code: refused.code,
      keyValue: refused.keyValue,
    });
  return answer;
}

/**
 * @param {Port} port
 * @returns {Promise<any>} the time of the newest operation of the primary; a read by majority from
 *   then on waits until most members have it
 */
async function majorityTime(port) {
  const { lastWrite, operationTime } = await port.adminCommand(HELLO);
  const time = operationTime ?? lastWrite?.opTime?.ts;
  if (!time) throw new TuneError('TUNE-35001', 'This server is not a member of a replica set.');
  return time;
}

/**
 * @param {Port} port
 * @param {any} time
 * @returns {Promise<string | null>} the election that made this member the primary; null: it does
 *   not know that time as majority-committed
 */
async function majorityAt(port, time) {
  const { lastWrite, electionId } = await port.adminCommand(HELLO);
  return lastWrite?.majorityOpTime?.ts.greaterThanOrEqual(time) ? `${electionId}` : null;
}

/**
 * Returns the time by the server's clock; this computer's may differ.
 * @param {Port} port @returns {Promise<Date>}
 */
const serverTime = async (port) => (await port.adminCommand(HELLO)).localTime;

/**
 * Number of checks before a secondary is accepted as such, and milliseconds between them: a set may
 * have a new primary of which the driver does not know yet; heuristic.
 */
const ATTEMPTS = 3;
const POLL_EVERY_MS = 500;

/**
 * Refuses a connection to a secondary only: each step would wait for an election that does not
 * come.
 * @param {Port} port
 * @param {AbortSignal} signal
 * @throws {TuneError} TUNE-31003
 */
async function checkPrimary(port, signal) {
  for (let attempts = 1; ; attempts += 1) {
    const { secondary, primary } = await retrying(signal, () => port.adminCommand(HELLO));
    if (!secondary) return;
    if (attempts === ATTEMPTS)
      throw new TuneError(
        'TUNE-31003',
        'This member is a secondary, and a split runs on the ' +
          `primary${primary ? `, ${primary}` : ''}.`,
        { value: 'secondary', allowed: 'primary or standalone' },
      );
    await sleep(POLL_EVERY_MS, signal);
  }
}

/** Fewest connections: a step waits for the server's lock in one, and another one releases it. */
const MIN_CONNECTIONS = 2;

/**
 * Refuses a single connection: no command could end a step that waits, and the whole server waits
 * behind it. A standalone server has no steps that wait.
 * @param {Port} port
 * @param {'online' | 'offline'} mode
 * @throws {TuneError} TUNE-10002
 */
function checkConnections({ maxConnections }, mode) {
  const max = maxConnections?.() ?? Infinity;
  if (mode === 'offline' || max >= MIN_CONNECTIONS) return;
  throw new TuneError(
    'TUNE-10002',
    `The connection string allows ${max} connection (maxPoolSize=${max}), and a step of a split ` +
      `needs ${MIN_CONNECTIONS}. Nothing was changed: connect with maxPoolSize=` +
      `${MIN_CONNECTIONS} or more, or without it.`,
    { value: max, allowed: `maxPoolSize=${MIN_CONNECTIONS} or more` },
  );
}

/**
 * @param {Port} port
 * @returns {Promise<Date | null>} the oldest time in the oplog; null: there is no oplog, or this
 *   user may not see it
 */
async function oplogFrom(port) {
  try {
    const { oplog } = await port.adminCommand({ ...SMALL_STATUS, oplog: 1 });
    const seconds = oplog?.earliestOptime?.getHighBits?.();
    return seconds ? new Date(1000 * seconds) : null;
  } catch (_refused) {
    return null;
  }
}

/**
 * @param {Port} port
 * @param {string} database
 * @param {string} name
 * @param {Record<string, unknown>} [more]
 * @returns {Promise<any | null>} the entry of listCollections
 */
async function findCollection(port, database, name, more = {}) {
  const { cursor } = await port.command(database, {
    listCollections: 1,
    filter: { name },
    ...more,
  });
  return cursor.firstBatch[0] ?? null;
}

/**
 * Returns what an application meets under a name. Where a time series lost its view, or another
 * view replaced that one, its buckets alone decide what is written there.
 * @param {Port} port
 * @param {CollectionName} place
 * @returns {Promise<any>} a collection, view or time series; null: the name is free
 */
async function findOccupant(port, { db, name }) {
  const buckets = bucketsOf(name);
  const { cursor } = await port.command(db, {
    listCollections: 1,
    filter: { name: { $in: [name, buckets] } },
  });
  const found = cursor.firstBatch;
  const there = found.find((/** @type {any} */ one) => one.name !== buckets) ?? null;
  const isSeries = found.some((/** @type {any} */ one) => one.name === buckets);
  return isSeries && there?.type !== 'collection' ? { name, type: TIME_SERIES } : there;
}

/**
 * Says whether a time series has its documents here.
 * @param {Port} port @param {CollectionName} place
 */
const hasBuckets = async (port, { db, name }) =>
  (await findCollection(port, db, bucketsOf(name))) !== null;

const TIME_SERIES = 'timeseries';
/** @param {any} there */
const isTimeSeries = (there) => there?.type === TIME_SERIES;
/**
 * @param {Port} port
 * @param {string} database
 * @param {any} uuid
 * @returns {Promise<string | undefined>} the name of the collection there; undefined: it is gone
 */
async function nameByUuid(port, database, uuid) {
  const { cursor } = await port.command(database, {
    listCollections: 1,
    filter: { 'info.uuid': uuid },
  });
  return cursor.firstBatch[0]?.name;
}

/**
 * @param {Port} port
 * @param {string} database
 * @param {string} name
 * @param {Record<string, unknown>} [more]
 * @returns {Promise<any[]>}
 */
async function findIndexes(port, database, name, more = {}) {
  const { cursor } = await port.command(database, {
    listIndexes: name,
    cursor: { batchSize: 1000 },
    ...more,
  });
  return cursor.firstBatch;
}

/** @param {any} one @param {any} other Binary or UUID, of whatever driver, or its text */
const sameUuid = (one, other) => Boolean(one && other) && hex(one) === hex(other);

/** @param {any} uuid @returns {string} */
const hex = (uuid) =>
  typeof uuid === 'string'
    ? uuid.replaceAll('-', '').toLowerCase()
    : Buffer.from(uuid.buffer).toString('hex');

/** @param {string} ns @returns {{ db: string, name: string }} */
const splitNs = (ns) => ({ db: ns.slice(0, ns.indexOf('.')), name: ns.slice(ns.indexOf('.') + 1) });

module.exports = {
  DATABASE,
  write,
  majorityAt,
  majorityTime,
  serverTime,
  checkConnections,
  checkPrimary,
  oplogFrom,
  findCollection,
  findOccupant,
  hasBuckets,
  isTimeSeries,
  findIndexes,
  nameByUuid,
  sameUuid,
  splitNs,
  MAJORITY,
  READ,
  LONG_READ,
  CALL_MS,
};
