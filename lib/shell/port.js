'use strict';

const { TuneError } = require('../base/pure/errors');
const { interrupted } = require('../base/context');

/**
 * @import { DataPort, Transaction } from '../base/context'
 * @import { Send } from './member-connection'
 * @import { State } from './types'
 */

/** @typedef {DataPort} Port */

// ShellApiErrors.NotConnected of mongosh, which `db` throws in --nodb.
const NOT_CONNECTED = 'SHAPI-10004';

/**
 * @typedef {{
 *   aggregate: Port['aggregate'], watch: Port['watch'], transaction: Port['transaction'],
 *   maxConnections?(): number | null
 * }} Open opens what needs a session for several commands: a cursor, a transaction
 */

/**
 * The server's patterns are those of PCRE. JavaScript's RegExp refuses some and loses flags, so
 * that a validator made from one would differ.
 */
const AS_IT_IS = Object.freeze({ bsonRegExp: true });

/**
 * The command that an error belongs to; the driver's errors do not name it.
 * @type {WeakMap<object, string>}
 */
const COMMANDS = new WeakMap();

/**
 * Makes the function that sends commands over a connection.
 * @param {any} source a service provider of mongosh, or the driver's MongoClient
 * @returns {Send}
 */
function senderOf(source) {
  if (typeof source?.runCommandWithCheck === 'function')
    return (database, command, options) =>
      readably(source.runCommandWithCheck(database, command, { ...AS_IT_IS, ...options }));
  if (typeof source?.db === 'function')
    return (database, command, options) =>
      readably(source.db(database).command(command, { ...AS_IT_IS, ...options }));
  throw new TuneError(
    'TUNE-10002',
    'tune() needs a MongoClient, or a service provider of mongosh.',
    { allowed: ['MongoClient', 'NodeDriverServiceProvider'] },
  );
}

/**
 * Makes an error readable. Where a command asks for its answer as bytes (`raw`) and the answer is
 * an error, drivers 6 and 7 keep these bytes as the server's topologyVersion. They fail on them at
 * the next error of that server, and hide that error.
 * @template T @param {Promise<T>} answer
 * @returns {Promise<T>}
 */
const readably = (answer) =>
  answer.catch((error) => {
    if (!(error instanceof TypeError && /\bcompareTopologyVersion\b/.test(String(error.stack))))
      throw error;
    const message = `The driver could not read the error of the server (${error.message})`;
    throw Object.assign(new Error(message, { cause: error }), { name: 'MongoNetworkError' });
  });

/**
 * Makes the functions that open cursors and transactions on a connection.
 * @param {() => any} source as for senderOf, called at every use
 * @returns {Open}
 */
function openerOf(source) {
  const isShell = () =>
    typeof source()?.watch === 'function' && typeof source()?.runCommandWithCheck === 'function';
  return {
    aggregate: (database, collection, pipeline, options = {}) =>
      isShell()
        ? source().aggregate(database, collection, pipeline, options)
        : source().db(database).collection(collection).aggregate(pipeline, options),
    watch: (database, pipeline, options = {}) =>
      isShell()
        ? source().watch(pipeline, options, {}, database)
        : source().db(database).watch(pipeline, options),
    transaction: () => transactionOf(source(), isShell()),
    maxConnections: () => maxConnectionsOf(isShell() ? source().getRawClient?.() : source()),
  };
}

/**
 * Reads the pool size that a connection string sets; 0 is without limit.
 * @param {any} client
 * @returns {number | null}
 */
const maxConnectionsOf = (client) => client?.options?.maxPoolSize || null;

/**
 * Opens a transaction and keeps it open.
 * @param {any} source
 * @param {boolean} isShell
 * @returns {Transaction}
 */
function transactionOf(source, isShell) {
  const session = source.startSession();
  // The read and write options of a connection string do not suit a transaction that ends within
  // milliseconds.
  session.startTransaction({
    readConcern: { level: 'local' },
    writeConcern: { w: 1 },
    readPreference: 'primary',
  });
  const options = { ...AS_IT_IS, session };
  return {
    session: session.id,
    command: (database, spec) =>
      readably(
        isShell
          ? source.runCommandWithCheck(database, spec, options)
          : source.db(database).command(spec, options),
      ),
    commit: () => session.commitTransaction(),
    // The session is not given back to the driver: a later command that ends it by its id must find
    // nothing else in it.
    abort: () => session.abortTransaction().catch(() => undefined),
  };
}

/**
 * Makes a sender for the connection that the shell has now: `use`, `db = connect(…)` and an
 * interrupt all change it, so it is read at every command.
 * @param {State} state
 * @returns {Send}
 */
function shellSender(state) {
  return (database, command, options) => senderOf(shellProvider(state))(database, command, options);
}

/** Finds the service provider of the connection that the shell has now. @param {State} state */
function shellProvider(state) {
  try {
    // Not getMongo(): after Ctrl-C mongosh's functions refuse to work, but a change must still be
    // finished.
    return state.currentDb._mongo._serviceProvider;
  } catch (error) {
    if (/** @type {any} */ (error).code !== NOT_CONNECTED) throw error;
    throw new TuneError('TUNE-20001', 'The shell is not connected to a server.', { cause: error });
  }
}

/**
 * The questions of a port before it sends.
 * @typedef {{
 *   check(spec: Record<string, unknown>): Promise<void> | null, comment(): string | undefined
 * }} Guard `check`: throws or rejects where the command must not be sent
 */

/** @type {Guard} */
const NO_GUARD = Object.freeze({ check: () => null, comment: () => undefined });

/**
 * Makes a port that can be shut: it then refuses what an abandoned command still wants to send.
 * Each command carries a comment, by which the server's owner finds it in the log.
 * @param {Send} send @param {Open} [open] @param {Guard} [guard]
 * @returns {{ port: Port, shut(): void }}
 */
function makePort(send, open = NO_CURSORS, guard = NO_GUARD) {
  let isOpen = true;
  /** @template T @param {string} name @param {() => T} work @returns {T} */
  const checked = (name, work) => {
    if (!isOpen) throw interrupted();
    return blamed(name, work);
  };
  /**
   * @template {Record<string, unknown>} S @template T
   * @param {S} spec @param {(spec: S) => Promise<T>} work
   */
  const guarded = async (spec, work) => {
    if (!isOpen) throw interrupted();
    await guard.check(spec);
    return checked(Object.keys(spec)[0], () => work(withComment(spec)));
  };
  /** @template {object} S @param {S} spec @returns {S} */
  const withComment = (spec) => {
    const comment = guard.comment();
    return comment === undefined || 'comment' in spec ? spec : { ...spec, comment };
  };
  /** @type {Send} */
  const command = (database, spec, options) =>
    guarded(spec, (sent) => send(database, sent, options));
  return {
    port: {
      command,
      adminCommand: (spec) => command('admin', spec),
      aggregate: (database, collection, pipeline, options = {}) => {
        // Refuse at once; the server's name was checked before the call began.
        guard.check({ aggregate: collection, pipeline });
        return cursor(
          'aggregate',
          checked,
          checked('aggregate', () =>
            open.aggregate(database, collection, pipeline, withComment(options)),
          ),
        );
      },
      watch: (database, pipeline, options = {}) =>
        cursor(
          'changeStream',
          checked,
          checked('changeStream', () => open.watch(database, pipeline, withComment(options))),
        ),
      maxConnections: () => open.maxConnections?.() ?? null,
      transaction: () => {
        const opened = checked('startTransaction', () => open.transaction());
        return {
          session: opened.session,
          abort: () => opened.abort(),
          command: (database, spec) => guarded(spec, (sent) => opened.command(database, sent)),
          commit: async () => checked('commitTransaction', () => opened.commit()),
        };
      },
    },
    shut: () => {
      isOpen = false;
    },
  };
}

/** Refuses what needs a cursor. @returns {never} */
const noCursors = () => {
  throw new TuneError('TUNE-10002', 'This connection opens no cursors.', {
    allowed: ['MongoClient', 'NodeDriverServiceProvider'],
  });
};
const NO_CURSORS = Object.freeze({
  aggregate: noCursors,
  watch: noCursors,
  transaction: noCursors,
});

/**
 * Makes a cursor whose errors name their command.
 * @param {string} name
 * @param {<T>(name: string, work: () => T) => T} checked
 * @param {any} opened a cursor of the driver, or of the shell's provider
 * @returns {any}
 */
const cursor = (name, checked, opened) => ({
  tryNext: async () => checked(name, () => opened.tryNext()),
  toArray: async () => checked(name, () => opened.toArray()),
  close: async () => opened.close(),
  get resumeToken() {
    return opened.resumeToken;
  },
});

/**
 * Remembers which command failed.
 * @template T
 * @param {string} name
 * @param {() => T} work
 * @returns {T}
 */
function blamed(name, work) {
  const result = work();
  if (!(result instanceof Promise)) return result;
  return /** @type {T} */ (
    result.catch((error) => {
      if (error instanceof Object) COMMANDS.set(error, name);
      throw error;
    })
  );
}

/**
 * @param {unknown} error
 * @returns {string | undefined} `serverStatus`, when the error came through a port
 */
const commandOf = (error) => (error instanceof Object ? COMMANDS.get(error) : undefined);

module.exports = { senderOf, openerOf, shellSender, shellProvider, makePort, commandOf };
