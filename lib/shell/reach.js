'use strict';

const { notReached } = require('../base/server-errors');
const { refuseBare } = require('./connection-string');
const { makePort, senderOf } = require('./port');

/**
 * @import { Connected } from '../base/context'
 */

/**
 * One sends, one may hang: what looks at a server needs no more at once. Each costs 0.1 MB and more
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
    const connected = await connect(source, uri, options);
    return { port: makePort(senderOf(connected)).port, close: () => connected.close() };
  } catch (error) {
    throw notReached(error);
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
async function connect(source, uri, options) {
  if (typeof source?.getNewConnection !== 'function')
    return byDriver(require('mongodb').MongoClient, uri, options);
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

/** @param {any} Client @param {string} uri @param {Record<string, unknown>} options */
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

module.exports = { reach };
