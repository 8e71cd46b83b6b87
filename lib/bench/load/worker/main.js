'use strict';

/**
 * A process that makes load, started by ../workers.js. Its orders and credentials come only over
 * the channel between the two. It ends on the order `quit`, and when that channel closes.
 */

const {
  BSON: { EJSON },
  MongoClient,
} = require('mongodb');
const { WORKLOADS } = require('../workloads/workloads');
const { makeSource } = require('./runner');
const { measure } = require('./measure');
const { LOADED } = require('../data');

/**
 * @import { Source, Workload } from '../workloads/operations'
 * @import { Socket } from 'node:net'
 */

/**
 * @typedef {{ uri: string, options: Record<string, unknown> }} Address holds credentials: never
 *   show it
 */

/**
 * The benchmark must see a stalled server; with shorter heartbeats the driver would close the
 * connections to it.
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

// This uses the driver's internals, which no document promises: package.json pins the version, and
// a test checks it against the real driver.
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

/**
 * Puts records into the collection, and notes each piece when it is in: an interrupted load
 * continues with the next piece.
 *
 * @typedef {{
 *   database: string, collection: string, pieces: number[], perPiece: number, records: number,
 *   concurrentPieces: number
 * }} Load
 */

/** A load that was interrupted inside a piece had inserted some of its records already. */
const DUPLICATE_KEY = 11000;

/**
 * @param {MongoClient} client
 * @param {Load & { document(number: number): Record<string, unknown>, loaded(count: number): void,
 *   stopped(): boolean }} load
 */
async function load(
  client,
  { database, collection, pieces, perPiece, records, concurrentPieces, document, loaded, stopped },
) {
  const db = client.db(database);
  const queue = [...pieces];
  const one = async () => {
    for (let piece = queue.shift(); piece !== undefined && !stopped(); piece = queue.shift()) {
      const first = piece * perPiece;
      const documents = Array.from({ length: Math.min(perPiece, records - first) }, (_, i) =>
        document(first + i),
      );
      const { writeErrors = [] } = await db.command({
        insert: collection,
        documents,
        ordered: false,
      });
      const wrong = writeErrors.find(
        (/** @type {{ code: number }} */ { code }) => code !== DUPLICATE_KEY,
      );
      if (wrong) throw new Error(wrong.errmsg);
      await db.command({
        update: LOADED,
        updates: [{ q: { _id: piece }, u: { $set: { records: documents.length } }, upsert: true }],
      });
      loaded(documents.length);
    }
  };
  await Promise.all(Array.from({ length: concurrentPieces }, one));
}

/**
 * @typedef {{
 *   client?: MongoClient, stopped: boolean, stop(): void,
 *   source: Source
 * }} State
 * @type {State}
 */
const state = { stopped: false, stop() {}, source: makeSource() };

/** @param {Record<string, unknown>} message */
const notify = (message) => {
  if (process.connected) process.send?.(message);
};

const connected = () => /** @type {MongoClient} */ (state.client);

/**
 * Lets an order find out whether it was stopped, also before it begins.
 * @returns {() => boolean}
 */
function begin() {
  state.stopped = false;
  return () => state.stopped;
}

/** @type {Record<string, (order: any) => unknown>} */
const ORDERS = {
  connect: async ({ address }) => {
    state.client = await connect(address);
  },
  command: async ({ database, command }) =>
    EJSON.stringify(await connected().db(database).command(EJSON.parse(command))),
  load: (order) => {
    const stopped = begin();
    const { document } = /** @type {Workload} */ (WORKLOADS.get(order.workload));
    return load(connected(), {
      ...order,
      document: (number) => document(number, state.source),
      loaded: (count) => notify({ event: 'loaded', count }),
      stopped,
    });
  },
  measure: (order) =>
    measure(order, {
      stopped: begin(),
      takeSocket: () => takeSocket(connected()),
      source: state.source,
      writeConcern: connected().options.writeConcern ?? null,
      onSecond: (second) => notify({ event: 'second', ...second }),
      onStop: (stop) => {
        state.stop = stop;
      },
    }),
  stop: () => {
    state.stopped = true;
    state.stop();
  },
  quit: async () => {
    await state.client?.close(true).catch(() => {});
    process.removeAllListeners('disconnect');
    setImmediate(() => process.disconnect());
  },
};

process.on('message', async (/** @type {any} */ order) => {
  try {
    notify({ id: order.id, value: await ORDERS[order.do](order) });
  } catch (error) {
    const { name, code, message } = /** @type {Error & { code?: unknown }} */ (error);
    notify({
      id: order.id,
      failed: { name, code: typeof code === 'number' ? code : undefined, message },
    });
  }
});
// Ctrl-C at a terminal reaches every process there; only the shell decides what it means.
process.on('SIGINT', () => {});
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
});

module.exports = { connect, load };
