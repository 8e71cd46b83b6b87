'use strict';

const { addressOf } = require('./address');
const { memberUri, PATIENCE_MS } = require('./member-address');
const { makePort, senderOf } = require('./port');

/** @typedef {import('../context').Connected} Connected */

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
    return { port: makePort(senderOf(provider)).port, close: () => provider.close() };
  }
  const { MongoClient } = require('mongodb');
  const client = await new MongoClient(memberUri(uri, host), { ...options, replicaSet: undefined, directConnection: true, serverSelectionTimeoutMS: PATIENCE_MS }).connect();
  return { port: makePort(senderOf(client)).port, close: () => client.close() };
}

module.exports = { connectTo };
