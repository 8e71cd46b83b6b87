'use strict';

/**
 * A TCP proxy in front of one mongod that does to single commands what a network may do: it holds
 * them back, loses the connection they came by, and brings them to the server later, when whoever
 * sent them has long gone on. What was sent is never changed.
 */
const net = require('node:net');
const { endWithProcess } = require('./cleanup');
const { messagesOf } = require('./wire');

/**
 * @import { Message } from './wire'
 * @import { AddressInfo, Socket } from 'node:net'
 */

/**
 * @typedef {(message: Record<string, any>, connection: Connection, sent: Message) => boolean} Rule
 *   `true`: it goes no
 *   further for now
 * @typedef {{
 *   appName: string | null, client: Socket, server: Socket,
 *   queue: Message[] | null, kept: boolean, waiting: Map<number, (answer: any) => void>
 * }} Connection
 *   `queue`: what waits here, null while nothing is held; `kept`: its client is gone, and something
 *   is still to be
 *   delivered
 * @typedef {{
 *   arrived: Promise<Record<string, any>>, hasArrived(): boolean,
 *   deliver(): Promise<Record<string, any> | null>, forget(): void
 * }} Held
 *   `arrived`: the command; `deliver`: brings it to the server, and returns its answer, null where
 *   the server is gone;
 *   `forget`: it never arrives
 */

/**
 * @param {number} port of the mongod
 * @returns {Promise<Awaited<ReturnType<typeof proxyOf>>>}
 */
async function startProxy(port) {
  const proxy = proxyOf(port);
  await proxy.listen();
  return proxy;
}

/** @param {number} target */
function proxyOf(target) {
  /** @type {Set<Connection>} */ const connections = new Set();
  /** @type {Set<Rule>} */ const rules = new Set();
  const state = {
    frozen: /** @type {((appName: string | null) => boolean) | null} */ (null),
    delayMs: 0,
  };

  const listener = net.createServer((client) => {
    const server = net.connect(target, '127.0.0.1');
    /** @type {Connection} */ const connection = {
      appName: null,
      client,
      server,
      queue: null,
      kept: false,
      waiting: new Map(),
    };
    connections.add(connection);
    client.setNoDelay(true);
    server.setNoDelay(true);
    client.on(
      'data',
      messagesOf((message) => fromClient(connection, message)),
    );
    server.on(
      'data',
      messagesOf((message) => fromServer(connection, message)),
    );
    // Whichever end breaks off, with or without a word.
    for (const one of [client, server]) one.on('error', () => undefined);
    client.on('close', () => {
      if (!connection.kept) server.destroy();
    });
    server.on('close', () => {
      client.destroy();
      connections.delete(connection);
      for (const answered of connection.waiting.values()) answered(null);
    });
  });
  const forget = endWithProcess(() => listener.close());

  /** @param {Connection} connection @param {Message} message */
  function fromClient(connection, message) {
    if (rules.size > 0 || connection.appName === null) {
      const command = message.command();
      if (connection.appName === null)
        connection.appName = command?.client?.application?.name ?? '';
      if (
        command &&
        !connection.queue &&
        [...rules].some((rule) => rule(command, connection, message))
      )
        return;
    }
    if (state.frozen?.(connection.appName)) connection.queue ??= [];
    if (connection.queue) connection.queue.push(message);
    else if (state.delayMs > 0)
      setTimeout(() => connection.server.write(message.bytes), state.delayMs);
    else connection.server.write(message.bytes);
  }

  /** @param {Connection} connection @param {Message} message */
  function fromServer(connection, message) {
    connection.waiting.get(message.answers)?.(message.command());
    connection.waiting.delete(message.answers);
    if (!connection.kept) connection.client.write(message.bytes);
  }

  return {
    port: 0,
    get uri() {
      return `mongodb://127.0.0.1:${this.port}/?directConnection=true`;
    },
    async listen() {
      await new Promise((resolve) => {
        listener.listen(0, '127.0.0.1', () => resolve(undefined));
      });
      this.port = /** @type {AddressInfo} */ (listener.address()).port;
    },
    /**
     * Holds the first command that fits.
     * @param {(command: Record<string, any>, appName: string | null) => boolean} fits
     * @param {{ lose?: boolean }} [options] `lose`: its client loses the connection, and does not
     *   know whether it
     *   arrived; otherwise it waits
     * @returns {Held}
     */
    hold(fits, { lose = true } = {}) {
      return holdIn(rules, fits, lose);
    },
    /**
     * Nothing of these clients reaches the server until `thaw`.
     * @param {(appName: string | null) => boolean} [whose]
     */
    freeze(whose = () => true) {
      state.frozen = whose;
    },
    thaw() {
      state.frozen = null;
      for (const connection of connections) if (!connection.kept) flush(connection);
    },
    /** @param {number} ms each message of a client takes */
    delay(ms) {
      state.delayMs = ms;
    },
    /**
     * Every connection, or those of some clients.
     * @param {(appName: string | null) => boolean} [whose]
     */
    cut(whose = () => true) {
      for (const connection of connections)
        if (!connection.kept && whose(connection.appName)) connection.client.destroy();
    },
    async stop() {
      for (const { client, server } of connections) {
        client.destroy();
        server.destroy();
      }
      await new Promise((resolve) => {
        listener.close(() => resolve(undefined));
      });
      forget();
    },
  };
}

/** @param {Connection} connection */
function flush(connection) {
  const queue = connection.queue ?? [];
  connection.queue = null;
  for (const { bytes } of queue) connection.server.write(bytes);
}

/**
 * @param {Set<Rule>} rules
 * @param {(command: Record<string, any>, appName: string | null) => boolean} fits
 * @param {boolean} lose
 * @returns {Held}
 */
function holdIn(rules, fits, lose) {
  /** @type {{ connection: Connection, sent: Message } | null} */ let held = null;
  /** @type {(command: Record<string, any>) => void} */ let notify;
  const arrived = new Promise((resolve) => {
    notify = resolve;
  });
  /** @type {Rule} */
  const rule = (command, connection, sent) => {
    if (!fits(command, connection.appName)) return false;
    rules.delete(rule);
    held = { connection, sent };
    connection.queue = [];
    connection.kept = lose;
    if (lose) connection.client.destroy();
    notify(command);
    return true;
  };
  rules.add(rule);
  return {
    arrived,
    hasArrived: () => held !== null,
    async deliver() {
      rules.delete(rule);
      if (held === null || held.connection.server.destroyed) return null;
      const { connection, sent } = held;
      const answer = new Promise((resolve) => {
        connection.waiting.set(sent.id, resolve);
      });
      connection.server.write(sent.bytes);
      flush(connection);
      const said = await answer;
      if (lose) connection.server.destroy();
      return said;
    },
    forget() {
      rules.delete(rule);
      held?.connection.server.destroy();
    },
  };
}

module.exports = { startProxy };
