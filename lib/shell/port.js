'use strict';

const { TuneError } = require('../errors');
const { interrupted } = require('../context');

/** @typedef {import('../context').Port} Port */
/** @typedef {(database: string, command: Record<string, unknown>) => Promise<any>} Send */

// ShellApiErrors.NotConnected of mongosh: what `db` throws in --nodb.
const NOT_CONNECTED = 'SHAPI-10004';

/** Which command of the server an error belongs to; the driver's errors do not say. @type {WeakMap<object, string>} */
const COMMANDS = new WeakMap();

/**
 * @param {any} source a service provider of mongosh, or the driver's MongoClient
 * @returns {Send}
 */
function senderOf(source) {
  if (typeof source?.runCommandWithCheck === 'function') return (database, command) => source.runCommandWithCheck(database, command);
  if (typeof source?.db === 'function') return (database, command) => source.db(database).command(command);
  throw new TuneError('TUNE-10002', 'tune() needs a MongoClient, or a service provider of mongosh.', { allowed: ['MongoClient', 'NodeDriverServiceProvider'] });
}

/**
 * The connection the shell has now: `use`, `db = connect(…)` and an interrupt all change it, so it is asked for at every command.
 * @param {import('./state').State} state
 * @returns {Send}
 */
function shellSender(state) {
  return (database, command) => senderOf(shellProvider(state))(database, command);
}

/** @param {import('./state').State} state */
function shellProvider(state) {
  try {
    // Not getMongo(): after Ctrl-C mongosh's functions refuse to work, but a change must still be finished.
    return state.currentDb._mongo._serviceProvider;
  } catch (error) {
    if (/** @type {any} */ (error).code !== NOT_CONNECTED) throw error;
    throw new TuneError('TUNE-20001', 'The shell is not connected to a server.', { cause: error });
  }
}

/**
 * A port that can be shut: what a command that was given up still wants to send is refused.
 * @param {Send} send
 * @returns {{ port: Port, shut(): void }}
 */
function makePort(send) {
  let open = true;
  /** @type {Send} */
  const command = async (database, spec) => {
    if (!open) throw interrupted();
    try {
      return await send(database, spec);
    } catch (error) {
      if (error instanceof Object) COMMANDS.set(error, Object.keys(spec)[0]);
      throw error;
    }
  };
  return { port: { command, adminCommand: (spec) => command('admin', spec) }, shut: () => { open = false; } };
}

/** @param {unknown} error @returns {string | undefined} `serverStatus`, when the error came through a port */
const commandOf = (error) => (error instanceof Object ? COMMANDS.get(error) : undefined);

module.exports = { senderOf, shellSender, shellProvider, makePort, commandOf };
