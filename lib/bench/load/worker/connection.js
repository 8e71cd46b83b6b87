'use strict';

const { MongoClient } = require('mongodb');

/**
 * @import { Socket } from 'node:net'
 */

/**
 * @typedef {{ uri: string, options: Record<string, unknown> }} Address with credentials: never to
 *   be shown
 */

/**
 * A benchmark is to see a stalled server, not a driver that closes the connections of a server that
 * does not answer.
 */
const HEARTBEAT_MS = 24 * 3600_000;
const SELECTION_MS = 10_000;
const MAX_CONNECTING = 16;

/** @param {Address} address @returns {Promise<MongoClient>} */
function connect({ uri, options }) {
  return new MongoClient(uri, {
    ...options,
    maxPoolSize: 0,
    minPoolSize: 0,
    maxIdleTimeMS: 0,
    maxConnecting: MAX_CONNECTING,
    appName: 'mongosh-tune',
    heartbeatFrequencyMS: HEARTBEAT_MS,
    serverMonitoringMode: 'poll',
    serverSelectionTimeoutMS: SELECTION_MS,
    socketTimeoutMS: 0,
    retryWrites: false,
    retryReads: false,
    enableUtf8Validation: false,
    monitorCommands: false,
  }).connect();
}

// Of the driver's inside: nobody promised it, so package.json names the very version, and a test
// holds it against the real driver.
const NO_TIMEOUT = Object.freeze({
  connectionCheckoutTimeout: null,
  serverSelectionTimeout: null,
  clearServerSelectionTimeout: false,
  csotEnabled: () => false,
});

/**
 * Takes a connection out of the driver's pool, ready to be written to.
 * @param {any} client
 * @returns {Promise<Socket>}
 */
async function takeSocket(client) {
  const server = await client.topology.selectServer('primary', {
    operationName: 'bench',
    serverSelectionTimeoutMS: SELECTION_MS,
  });
  const { socket, messageStream } = await server.pool.checkOut({ timeoutContext: NO_TIMEOUT });
  socket.unpipe(messageStream);
  socket.removeAllListeners('timeout');
  socket.setTimeout(0);
  socket.setNoDelay(true);
  socket.resume();
  return socket;
}

module.exports = { connect, takeSocket };
