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
 * One connection sends while another may hang: examining a server needs no more. Each costs at
 * least 0.1 MB while it is open, and a handshake.
 */
const MAX_CONNECTIONS = 2;

/**
 * Connects to any server by its own connection string; nothing of this shell's connection is used.
 * @param {any} source a service provider of mongosh; null in plain Node.js, where the driver
 *   connects
 * @param {string} uri never show it
 * @param {number} ms the time limit
 * @returns {Promise<Connected>} rejects with TUNE-20005 where the server refuses the user, else
 *   with TUNE-20011, whose `why` is short
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
 * Connects by the driver, or by mongosh where a login needs it. mongosh gives every connection its
 * own copy of this machine's certificates as texts, 1.3 MB (2.12.0), which are freed late: too much
 * for 500 servers of a fleet. The driver connects without them.
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

/** mongosh makes these logins: with a browser, with keys of a cloud, with a ticket. */
const SHELL_LOGS_IN = /[?&]authMechanism=(?:MONGODB-OIDC|MONGODB-AWS|GSSAPI)/i;
/**
 * mongosh may know certificates that the system trusts and Node.js does not, and names that only
 * the resolver of the system finds.
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
 * The driver retries until its time is over, in which a fleet could ask other servers. mongosh
 * gives up at once, too.
 */
const HOPELESS = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|certificate/;

/**
 * Rejects as soon as no server can be reached any more.
 * @param {any} client
 * @returns {Promise<never>} rejects once no server is left that could answer
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
 * Whether the string means one server, as mongosh itself reads it: one host, and no replica set.
 * @param {string} uri
 */
const isOneServer = (uri) =>
  /^mongodb:\/\/(?:[^/?]*@)?[^/?,@]+(?:[/?]|$)/.test(uri) &&
  !/[?&](?:replicaSet|directConnection|loadBalanced)=/i.test(uri);

/**
 * Connects a script. It uses the connection of its mongosh. With --nodb it makes one itself,
 * because mongosh exits with 1 when it cannot connect, which monitors take for a warning.
 * @param {any} globalObject the global object of mongosh
 * @param {State} state
 * @param {{ uri?: any, uriFile?: any, needed: boolean }} how never show it
 * @throws {TuneError} TUNE-10002: no connection string, or the shell already has a connection;
 *   TUNE-20001: there is nothing to connect to; TUNE-20005, TUNE-20011: the connection fails;
 *   TUNE-40002
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
 * @param {string} address never show it
 * @param {string} saying the source of the address
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
    // Connect as a person types it: mongosh then closes the connection at its end.
    globalObject.db = await globalObject.connect(address);
  } catch (error) {
    throw notReached(error);
  }
}

/**
 * Refuses a second connection: without --nodb mongosh connects to the server on this machine, whose
 * answer would be taken for that of the named one.
 * @param {string | undefined} given the variable that names a server
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

/** Reads the connection string in a file. @param {string} file */
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
 * A line with a scheme: mongosh would take a bare word for a database of the server on this
 * machine.
 */
const SHAPE = /^mongodb(?:\+srv)?:\/\/\S[^\r\n]*$/;
/** The part that is meant as user and password: all up to the last "@" in front of the options. */
const MEANT = /^[\w+]+:\/\/((?:(?!\?\w+=)[^])*)@/;

/** @param {string} text @returns {boolean} */
const isConnectionString = (text) => SHAPE.test(text);

/**
 * Refuses an unescaped password: the driver would take its part between "@" and "/" for the host,
 * resolve it, and name it in its error.
 * @param {string} uri never show it
 * @throws {TuneError} TUNE-20011
 */
function refuseBare(uri) {
  if (!/[/?]/.test(MEANT.exec(uri)?.[1] ?? '')) return;
  const why = 'user or password are not encoded: "@" is %40, "/" %2F, "?" %3F';
  throw new TuneError('TUNE-20011', `The server cannot be reached: ${why}.`, { why });
}

module.exports = { reach, connectScript };
