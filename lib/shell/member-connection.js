'use strict';

const { loadDriver } = require('../base/driver');
const { TuneError } = require('../base/pure/errors');
const { login, loginSince } = require('./login');
const { makePort, senderOf } = require('./port');

/**
 * @import { Connected } from '../base/context'
 */

/**
 * @typedef {Record<string, unknown>} Fields
 * @typedef {(database: string, command: Fields, options?: Fields) => Promise<any>} Send
 * @typedef {{ uri: string, options: Record<string, unknown> }} Address where a connection leads and
 *   how, so that another process can make its own. It has the password and the certificates: pass
 *   it on, and never show it
 */

/**
 * Opens a connection to another member, with the credentials and the TLS of the present one.
 * @param {any} source a service provider of mongosh, or the driver's MongoClient
 * @param {string} host
 * @returns {Promise<Connected>} rejects as the driver does
 */
async function connectTo(source, host) {
  const { uri, options } = addressOf(source);
  if (typeof source.getNewConnection === 'function') {
    const provider = await source.getNewConnection(memberUri(uri, host), options);
    return connected(provider, provider.getRawClient?.());
  }
  const { MongoClient } = loadDriver('A connection to another member');
  const client = await new MongoClient(memberUri(uri, host), {
    ...options,
    replicaSet: undefined,
    directConnection: true,
    serverSelectionTimeoutMS: PATIENCE_MS,
    monitorCommands: true,
    ...ONE_CONNECTION,
  }).connect();
  return connected(client, client);
}

/**
 * Makes the connection that commands use.
 * @param {any} source
 * @param {any} client
 * @returns {Connected}
 */
function connected(source, client) {
  const { send, hold, isLost } = holdable(senderOf(source), client);
  return { port: makePort(send).port, close: () => source.close(), hold, isLost };
}

/** Options beside the list of hosts that another client needs to reach the same place. */
const KEPT = Object.freeze([
  'replicaSet',
  'directConnection',
  'tls',
  'tlsCAFile',
  'tlsCertificateKeyFile',
  'tlsCertificateKeyFilePassword',
  'tlsCRLFile',
  'tlsAllowInvalidCertificates',
  'tlsAllowInvalidHostnames',
  'tlsInsecure',
  'ca',
  'cert',
  'key',
  'passphrase',
  'pfx',
  'crl',
  'rejectUnauthorized',
  'checkServerIdentity',
  'serverApi',
  'writeConcern',
]);

/**
 * Finds where the present connection leads.
 * @param {any} source a service provider of mongosh, or the driver's MongoClient
 * @returns {Address}
 * @throws {TuneError} TUNE-10002, TUNE-20005
 */
function addressOf(source) {
  // mongosh puts the options of its command line into this string, also those of TLS.
  const uri = source?.getURI?.();
  if (typeof uri === 'string' && uri !== '') return { uri, options: beside(source, uri) };
  if (!Array.isArray(source?.options?.hosts))
    throw new TuneError(
      'TUNE-10002',
      'tune() needs a MongoClient, or a service provider of mongosh.',
      { allowed: ['MongoClient', 'NodeDriverServiceProvider'] },
    );
  const { hosts, credentials, loadBalanced } = source.options;
  return {
    uri: `mongodb://${hosts.map(String).join(',')}/${loadBalanced ? '?loadBalanced=true' : ''}`,
    options: { ...kept(source.options), ...login(credentials) },
  };
}

/** Leaves out functions: they cannot be sent to another process. @param {any} options */
const kept = (options) =>
  Object.fromEntries(
    KEPT.flatMap((name) =>
      options[name] === undefined || options[name] === null || typeof options[name] === 'function'
        ? []
        : [[name, options[name]]],
    ),
  );

/**
 * Adds what the string of mongosh does not have: --apiVersion, and the login since.
 * @param {any} source @param {string} uri
 * @throws {TuneError} TUNE-20005
 */
function beside(source, uri) {
  const { serverApi, credentials } = source.getRawClient?.()?.options ?? {};
  return { ...(serverApi && { serverApi }), ...loginSince(credentials, uri) };
}

/** scheme, credentials, hosts, database, options (MongoDB Connection String Specification) */
const PARTS = /^mongodb(\+srv)?:\/\/(?:([^@/?]*)@)?[^/?]*(\/[^?]*)?(?:\?(.*))?$/s;
/** Options of the set, and of a pool: a connection that is held is a single one, and stays open. */
const OF_THE_SET = new Set([
  'minpoolsize',
  'maxpoolsize',
  'maxidletimems',
  'replicaset',
  'directconnection',
  'readpreference',
  'readpreferencetags',
  'loadbalanced',
  'srvmaxhosts',
  'srvservicename',
  'serverselectiontimeoutms',
  'connecttimeoutms',
  'maxstalenessseconds',
]);
/** A login whose users are in no database: it refuses any authSource but $external. */
const OUTSIDE = /^authMechanism=(?!SCRAM-|DEFAULT)/i;
/** A pool that opens further connections would end the held one. */
const ONE_CONNECTION = Object.freeze({ minPoolSize: 0, maxPoolSize: 1 });
/** A member that does not answer within these milliseconds counts as out of reach. */
const PATIENCE_MS = 3000;

/**
 * Makes the connection string of one member alone: credentials, TLS and options stay, the hosts and
 * the options of the set are dropped. It works on the text, since a connection string may name
 * several hosts, which no URL does.
 * @param {string} uri
 * @param {string} host the member's host, with its port
 * @returns {string} with the password, never to be shown
 * @throws {TuneError} TUNE-20010
 */
function memberUri(uri, host) {
  refuseOdd(host);
  const [, srv, credentials, database = '/', query = ''] = PARTS.exec(uri) ?? [];
  const kept = query
    .split('&')
    .filter((pair) => pair !== '' && !OF_THE_SET.has(pair.split('=')[0].toLowerCase()));
  const options = [
    ...kept,
    ...(srv ? meantBySrv(kept, Boolean(credentials)) : []),
    'directConnection=true',
    ...Object.entries(ONE_CONNECTION).map(([name, value]) => `${name}=${value}`),
    `serverSelectionTimeoutMS=${PATIENCE_MS}`,
    `connectTimeoutMS=${PATIENCE_MS}`,
  ];
  return `mongodb://${credentials === undefined ? '' : `${credentials}@`}${host}${database}?${options.join('&')}`;
}

/**
 * A host name, an IPv4 or `[IPv6]` address, with or without a port; or a socket in the form of a
 * URI.
 */
const HOST = /^(?:(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?|(?:[\w.-]|%2f)+\.sock)$/i;
/** At most this many characters of a wrong name are shown. */
const SHOWN = 80;

/**
 * Refuses an odd name. The name of a member comes from a server: anything else in it would get into
 * the connection string, such as another way to log in, which sends the password itself.
 * @param {string} host
 * @throws {TuneError} TUNE-20010
 */
function refuseOdd(host) {
  if (HOST.test(host)) return;
  const shown = String(host).slice(0, SHOWN);
  throw new TuneError(
    'TUNE-20010',
    `A server gives "${shown}" as the address of a member, which is no host name and port: ` +
      'nothing was sent there.',
    { value: shown, allowed: 'a host name or an IP address, and a port' },
  );
}

/**
 * Adds the options that a mongodb+srv string implies.
 * @param {readonly string[]} options
 * @param {boolean} hasUser
 */
function meantBySrv(options, hasUser) {
  const has = (/** @type {RegExp} */ option) => options.some((pair) => option.test(pair));
  return [
    ...(has(/^(?:tls|ssl)=/i) ? [] : ['tls=true']),
    ...(hasUser && !has(/^authSource=/i) && !has(OUTSIDE) ? ['authSource=admin'] : []),
  ];
}

/**
 * Makes a connection that can be held. A driver reconnects by itself, and another server may then
 * answer at the same address. A command for one process and no other goes over a held connection;
 * once that is lost, nothing is sent any more.
 * @param {Send} send sends commands, one after the other
 * @param {any} client the driver's client, whose pool `send` uses; an old shell does not have one
 * @returns {{ send: Send, hold(): Promise<boolean>, isLost(): boolean }} `hold`: whether the
 *   connection can be held; without a client no reconnect would be noticed
 */
function holdable(send, client) {
  const connection = { isHeld: false, isLost: false };
  const wire = /** @type {Wire} */ ({ started: null, isWatched: false });
  const renewed = new AbortController();
  const lose = () => {
    connection.isLost ||= connection.isHeld;
  };
  return {
    isLost: () => connection.isLost,
    async hold() {
      if (typeof client?.on !== 'function') return false;
      client.on('commandStarted', (/** @type {any} */ { commandName }) => {
        wire.started = commandName;
      });
      client.on('connectionClosed', lose);
      client.on('connectionPoolCleared', lose);
      client.on('connectionCreated', () => {
        lose();
        // A command that waits for the new connection has not been sent yet.
        if (connection.isHeld && wire.started === null) renewed.abort();
      });
      await send('admin', { ping: 1 });
      wire.isWatched = wire.started === 'ping';
      connection.isHeld = true;
      return true;
    },
    async send(database, command) {
      if (connection.isLost) throw ended();
      if (!connection.isHeld) return send(database, command);
      wire.started = null;
      try {
        return await send(database, command, { signal: renewed.signal });
      } catch (error) {
        if (!renewed.signal.aborted) throw error;
        throw wire.isWatched ? ended(error) : unanswered(error);
      }
    },
  };
}

/**
 * What the driver reports about a command.
 * @typedef {{ started: string | null, isWatched: boolean }} Wire `started`: it has a connection and
 *   is sent; `isWatched`: the driver reports that
 */

/** @param {unknown} cause */
const unanswered = (cause) =>
  new TuneError(
    'TUNE-20006',
    'The connection to this member ended, and whether the command was sent is not known.',
    { cause },
  );

/** @param {unknown} [cause] */
const ended = (cause) => new TuneError('TUNE-20010', ENDED, { cause });
const ENDED =
  'The connection to this member ended, and another server may answer at its address now: ' +
  'nothing was sent there.';

module.exports = { connectTo, addressOf, memberUri, holdable };
