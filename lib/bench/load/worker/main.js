'use strict';

/**
 * A process that makes load, started by ../workers.js. What it is to do, and with which
 * credentials, comes over the channel between the two alone. It ends on the order `quit`, and when
 * that channel closes.
 */

const {
  BSON: { EJSON },
} = require('mongodb');
const { WORKLOADS } = require('../workloads/workloads');
const { connect, takeSocket } = require('./connection');
const { makeSource } = require('./source');
const { load } = require('./load');
const { measure } = require('./measure');

/**
 * @import { Source, Workload } from '../workloads/kit'
 * @import { MongoClient } from 'mongodb'
 */

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

/** An order that is stopped before it begins must not begin. @returns {() => boolean} */
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
// Ctrl-C at a terminal reaches every process there; the shell decides what it means.
process.on('SIGINT', () => {});
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
});
