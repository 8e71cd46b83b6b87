'use strict';

const { notReached } = require('../server-errors');
const { makePort, senderOf } = require('./port');

/** One sends, one may hang: what looks at a server needs no more at once. */
const MOST_CONNECTIONS = 4;

/**
 * A connection to any server by its own connection string, which nothing of this shell's connection goes into.
 * @param {any} source a service provider of mongosh; null in plain Node, where the driver connects
 * @param {string} uri never to be shown @param {number} ms it may take
 * @returns {Promise<import('../context').Connected>} rejects with TUNE-20005 where the user is refused, else with TUNE-20011, whose `why` is short
 */
async function reach(source, uri, ms) {
  const options = { connectTimeoutMS: ms, serverSelectionTimeoutMS: ms, maxPoolSize: MOST_CONNECTIONS, appName: 'mongosh-tune', ...(isOneServer(uri) && { directConnection: true }) };
  try {
    const connected = await connect(source, uri, options);
    return { port: makePort(senderOf(connected)).port, close: () => connected.close() };
  } catch (error) {
    throw notReached(error);
  }
}

/** @param {any} source @param {string} uri @param {Record<string, unknown>} options */
async function connect(source, uri, options) {
  if (typeof source?.getNewConnection === 'function') return source.getNewConnection(uri, options);
  const { MongoClient } = require('mongodb');
  const client = new MongoClient(uri, options);
  try {
    return await Promise.race([client.connect(), ...(options.directConnection ? [hopeless(client)] : [])]);
  } catch (error) {
    await client.close().catch(() => {});
    throw error;
  }
}

/** The driver tries again until its time is over, in which a fleet could ask others. mongosh gives up at once, too. */
const HOPELESS = /ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH/;

/** @param {any} client of one server @returns {Promise<never>} rejects once nobody listens there */
const hopeless = (client) => new Promise((_, reject) => {
  client.on('serverHeartbeatFailed', (/** @type {{ failure: Error }} */ { failure }) => { if (HOPELESS.test(failure.message)) reject(failure); });
});

/** As mongosh itself takes it: one host, and no word of a set, is that server alone. @param {string} uri */
const isOneServer = (uri) => /^mongodb:\/\/(?:[^/?]*@)?[^/?,@]+(?:[/?]|$)/.test(uri) && !/[?&](?:replicaSet|directConnection|loadBalanced)=/i.test(uri);

module.exports = { reach };
