'use strict';

const fs = require('node:fs');
const { loadDriver } = require('../base/driver');
const { TuneError } = require('../base/pure/errors');
const { notReached } = require('../base/server-errors');
const { makePort, senderOf, shellProvider } = require('./port');

/**
 * @import { Connected } from '../base/context'
 * @import { State } from './types'
 */

/**
 * One sends, one may hang: examining a server needs no more at once. Each costs 0.1 MB and more
 * while it is open, and a handshake.
 */
const MAX_CONNECTIONS = 2;

/**
 * A connection to any server by its own connection string, which nothing of this shell's connection
 * goes into.
 * @param {any} source a service provider of mongosh; null in plain Node, where the driver connects
 * @param {string} uri never to be shown
 * @param {number} ms it may take
 * @returns {Promise<Connected>} rejects with TUNE-20005 where the user is
 *   refused, else with TUNE-20011, whose `why` is short
 */
async function reach(source, uri, ms) {
  refuseBare(uri);
  const options = {
    connectTimeoutMS: ms,
    serverSelectionTimeoutMS: ms,
    maxPoolSize: MAX_CONNECTIONS,
    appName: 'mongosh-tune',
    ...(isOneServer(uri) && { directConnection: true }),
  };
  try {
    const connected = await connectBy(source, uri, options);
    return { port: makePort(senderOf(connected)).port, close: () => connected.close() };
  } catch (error) {
    throw error instanceof TuneError ? error : notReached(error);
  }
}

/**
 * mongosh hands every connection it makes the certificates of this machine as texts of its own, 1.3
 * MB (2.12.0): what 500 servers of a fleet leave behind of them is freed late. So its driver
 * connects without them, and mongosh where it takes what only mongosh has.
 * @param {any} source
 * @param {string} uri
 * @param {Record<string, unknown>} options
 */
async function connectBy(source, uri, options) {
  if (typeof source?.getNewConnection !== 'function')
    return byDriver(loadDriver('A connection by its address').MongoClient, uri, options);
  const Client = source.getRawClient?.()?.constructor;
  if (typeof Client !== 'function' || SHELL_LOGS_IN.test(uri))
    return source.getNewConnection(uri, options);
  try {
    return await byDriver(Client, uri, options);
  } catch (error) {
    if (!SHELL_MAY_KNOW.test(/** @type {Error} */ (error).message)) throw error;
    return source.getNewConnection(uri, options);
  }
}

/** Logins with a browser, with keys of a cloud, with a ticket. */
const SHELL_LOGS_IN = /[?&]authMechanism=(?:MONGODB-OIDC|MONGODB-AWS|GSSAPI)/i;
/**
 * Certificates that the system trusts and Node.js does not, and names that only the resolver of the
 * system finds.
 */
const SHELL_MAY_KNOW = /certificate|^query(?:Srv|Txt) /i;

/**
 * Connects with the driver.
 * @param {any} Client
 * @param {string} uri
 * @param {Record<string, unknown>} options
 */
async function byDriver(Client, uri, options) {
  const client = new Client(uri, options);
  try {
    return await Promise.race([client.connect(), hopeless(client)]);
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
}

/**
 * The driver tries again until its time is over, in which a fleet could ask others. mongosh gives
 * up at once, too.
 */
const HOPELESS = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|certificate/;

/**
 * Rejects as soon as no server can be reached any more.
 * @param {any} client
 * @returns {Promise<never>} rejects once there is no server left of which anything can come
 */
const hopeless = (client) =>
  new Promise((_, reject) => {
    /** @type {string[]} */
    let known = [];
    /** @type {Set<string>} */
    const failed = new Set();
    client.on(
      'topologyDescriptionChanged',
      (/** @type {{ newDescription: { servers: Map<string, unknown> } }} */ { newDescription }) => {
        known = [...newDescription.servers.keys()];
      },
    );
    client.on(
      'serverHeartbeatSucceeded',
      (/** @type {{ connectionId: string }} */ { connectionId }) => failed.delete(connectionId),
    );
    client.on(
      'serverHeartbeatFailed',
      (/** @type {{ connectionId: string, failure: Error }} */ { connectionId, failure }) => {
        if (HOPELESS.test(failure.message)) failed.add(connectionId);
        if (known.length > 0 && known.every((host) => failed.has(host))) reject(failure);
      },
    );
  });

/**
 * As mongosh itself takes it: one host, and no word of a set, is that server alone.
 * @param {string} uri
 */
const isOneServer = (uri) =>
  /^mongodb:\/\/(?:[^/?]*@)?[^/?,@]+(?:[/?]|$)/.test(uri) &&
  !/[?&](?:replicaSet|directConnection|loadBalanced)=/i.test(uri);

/**
 * A script has the connection of its mongosh. With --nodb it makes one itself, for mongosh ends
 * with 1 when it cannot connect, which monitors take for a warning.
 * @param {any} globalObject the global object of mongosh
 * @param {State} state
 * @param {{ uri?: any, uriFile?: any, needed: boolean }} how never to be shown
 * @throws {TuneError} TUNE-10002 for what is no connection string, or where there is a connection
 *   already, TUNE-20001 where there is nothing to connect to, TUNE-20005 and TUNE-20011 where that
 *   fails, TUNE-40002
 */
async function connectScript(globalObject, state, { uri, uriFile, needed }) {
  const given = uri === undefined ? uriFile && 'TUNE_URI_FILE' : 'TUNE_URI';
  if (isConnected(state)) return refuseSecond(given);
  if (given)
    return connectShell(
      globalObject,
      uri ?? readAddress(uriFile),
      uri === undefined ? `TUNE_URI_FILE: ${uriFile} holds` : 'TUNE_URI is',
    );
  if (needed)
    throw new TuneError(
      'TUNE-20001',
      'The shell is not connected to a server, and neither TUNE_URI nor TUNE_URI_FILE says ' +
        'to which.',
    );
}

/**
 * Gives the shell a connection.
 * @param {any} globalObject
 * @param {string} address never to be shown
 * @param {string} saying where it is from
 */
async function connectShell(globalObject, address, saying) {
  if (!isConnectionString(address))
    throw new TuneError(
      'TUNE-10002',
      `${saying} no connection string such as mongodb://host:27017.`,
      { allowed: 'mongodb://… or mongodb+srv://…' },
    );
  refuseBare(address);
  try {
    // As one types it: mongosh then closes it at its end.
    globalObject.db = await globalObject.connect(address);
  } catch (error) {
    throw notReached(error);
  }
}

/**
 * Without --nodb mongosh goes to the server on this machine by itself, and its answer would be
 * taken for that of the one named.
 * @param {string | undefined} given the variable that names one
 */
function refuseSecond(given) {
  if (given)
    throw new TuneError(
      'TUNE-10002',
      `${given} is for mongosh --nodb: this one has its own connection, which may lead ` +
        'to another server.',
      { allowed: '--nodb, or no TUNE_URI' },
    );
}

/** Whether the shell has a connection. @param {State} state */
function isConnected(state) {
  try {
    return Boolean(shellProvider(state));
  } catch (error) {
    if (error instanceof TuneError) return false;
    throw error;
  }
}

/** The connection string in a file. @param {string} file */
function readAddress(file) {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new TuneError(
      'TUNE-40002',
      `TUNE_URI_FILE: ${file} cannot be read ` +
        `(${/** @type {NodeJS.ErrnoException} */ (cause).code}).`,
      { value: file, cause },
    );
  }
}

/**
 * A line with a scheme: a bare word mongosh would take for a database of the server on this
 * machine.
 */
const SHAPE = /^mongodb(?:\+srv)?:\/\/\S[^\r\n]*$/;
/** What is meant as user and password: all up to the last "@" in front of the options. */
const MEANT = /^[\w+]+:\/\/((?:(?!\?\w+=)[^])*)@/;

/** @param {string} text @returns {boolean} */
const isConnectionString = (text) => SHAPE.test(text);

/**
 * The driver would take what is between "@" and "/" of a password for the host, resolve it, and
 * name it in its error.
 * @param {string} uri never to be shown
 * @throws {TuneError} TUNE-20011
 */
function refuseBare(uri) {
  if (!/[/?]/.test(MEANT.exec(uri)?.[1] ?? '')) return;
  const why = 'user or password are not encoded: "@" is %40, "/" %2F, "?" %3F';
  throw new TuneError('TUNE-20011', `The server cannot be reached: ${why}.`, { why });
}

module.exports = { reach, connectScript };
