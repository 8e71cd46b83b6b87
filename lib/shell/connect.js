'use strict';

const { addressOf } = require('./address');
const { memberUri, PATIENCE_MS } = require('./member-address');
const { makePort, senderOf } = require('./port');
const { holdable } = require('./one-connection');

/**
 * @import { Connected } from '../base/context'
 */

/**
 * A connection of its own to another member, as the one there is: with its credentials and its TLS.
 * @param {any} source a service provider of mongosh, or the driver's MongoClient
 * @param {string} host
 * @returns {Promise<Connected>} rejects as the driver does
 */
async function connectTo(source, host) {
  const { uri, options } = addressOf(source);
  if (typeof source.getNewConnection === 'function') {
    const provider = await source.getNewConnection(memberUri(uri, host), {});
    return connected(provider, provider.getRawClient?.());
  }
  const { MongoClient } = require('mongodb');
  const client = await new MongoClient(memberUri(uri, host), {
    ...options,
    replicaSet: undefined,
    directConnection: true,
    serverSelectionTimeoutMS: PATIENCE_MS,
  }).connect();
  return connected(client, client);
}

/** @param {any} source @param {any} client of the driver @returns {Connected} */
function connected(source, client) {
  const { send, hold, isLost } = holdable(senderOf(source), client);
  return { port: makePort(send).port, close: () => source.close(), hold, isLost };
}

module.exports = { connectTo };
