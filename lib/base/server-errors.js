'use strict';

const {
  AUTHENTICATION_FAILED,
  HOST_NOT_FOUND,
  HOST_UNREACHABLE,
  NETWORK_TIMEOUT,
  SOCKET_EXCEPTION,
  UNAUTHORIZED,
} = require('./pure/server-codes');
const { TuneError, scrubbed } = require('./pure/errors');
const { interrupted } = require('./context');
const secrets = require('./pure/printable');

/**
 * @import { Port } from './context'
 */

/**
 * The privileges that a command of the server needs, all of them cluster actions. `roles`: the
 * narrowest built-in roles that have it; `without`: what works without it. Tried with real users on
 * 6.0: clusterMonitor suffices for every read, clusterManager may not set parameters.
 */
const NEEDS = Object.freeze(
  /** @type {Record<string, { roles: string, what: string, without?: string }>} */ ({
    setParameter: { roles: 'hostManager or clusterAdmin', what: 'change settings' },
    getParameter: { roles: 'clusterMonitor', what: 'read parameters' },
    serverStatus: {
      roles: 'clusterMonitor',
      what: 'read the counters',
      without:
        'These work without it: tune.lint, tune.rules, tune.explain, tune.help and ' +
        'tune.history({ all: true }).',
    },
    getCmdLineOpts: { roles: 'clusterMonitor', what: 'read the start-up options' },
    getLog: { roles: 'clusterMonitor', what: "read the server's log" },
    hostInfo: { roles: 'clusterMonitor', what: 'read memory and cores' },
  }),
);

/** The server's message to a connection without a user (seen on 6.0). */
const NOBODY = /requires authentication/i;
const ATLAS_ERROR = 8000;
/** The classes of the driver that carry what a server said. */
const SERVER_ANSWERS = new Set([
  'MongoServerError',
  'MongoWriteConcernError',
  'MongoBulkWriteError',
]);
const LOST =
  /^(Mongo(Network|ServerSelection|ClientClosed|TopologyClosed|NotConnected|ExpiredSession|Pool|WaitQueue|ConnectionPool)|PoolCleared)/;
/** The driver refuses its arguments before it sends anything. */
const NEVER_SENT = /^Mongo(InvalidArgument|MissingDependency)Error$/;
/** An error of an AbortSignal has a number for a code, too. */
const GIVEN_UP = /^(Mongo|Abort|Timeout)/;

/**
 * Turns an error of the server or the driver into one for users. Any other error is returned as it
 * is.
 * @param {unknown} error
 * @param {string} what the command that failed, such as `setParameter`
 * @param {AbortSignal} [signal] the user's: after Ctrl-C the shell closes its connections, and the
 *   server is not lost
 * @returns {Error} to be thrown
 */
function mapServerError(error, what, signal) {
  if (error instanceof TuneError) return error;
  const { name, code, message } = readError(error);
  const said = withoutSecrets(message);
  if (signal?.aborted && !SERVER_ANSWERS.has(name)) return interrupted();
  if (LOST.test(name))
    return new TuneError(
      'TUNE-20006',
      `The connection to the server was lost during ${what}: ${said}.`,
      { cause: error, value: what },
    );
  if (isSaidByServer(name, code)) return refusal({ code, said, what, error });
  if (name.startsWith('Mongo'))
    return new TuneError('TUNE-20006', `The driver timed out on ${what}: ${said}.`, {
      cause: error,
      value: what,
    });
  return error instanceof Error ? scrubbed(error) : new Error(said);
}

/**
 * Whether the server itself refused: it may still do what the driver gave up.
 * @param {string} name
 * @param {unknown} code
 */
const isSaidByServer = (name, code) =>
  SERVER_ANSWERS.has(name) ||
  NEVER_SENT.test(name) ||
  (typeof code === 'number' && !GIVEN_UP.test(name));

/** @param {unknown} error @returns {{ name: string, code: unknown, message: string }} */
function readError(error) {
  const {
    name = '',
    code,
    message = String(error),
  } = /** @type {{ name?: string, code?: unknown, message?: string }} */ (error ?? {});
  return { name, code, message };
}

/**
 * Explains why there was no connection at all.
 * @param {unknown} error an error of mongosh or the driver
 * @returns {TuneError} TUNE-20005 where the server refuses the user, else TUNE-20011, whose `why`
 *   is only the reason
 */
function notReached(error) {
  const mapped = mapServerError(error, 'the connection');
  if (mapped instanceof TuneError && mapped.code === 'TUNE-20005') return mapped;
  const why = withoutSecrets(readError(error).message);
  return new TuneError('TUNE-20011', `The server cannot be reached: ${why}.`, {
    cause: error,
    why,
  });
}

/**
 * @param {{ code: unknown, said: string, what: string, error: unknown }} refused
 * @returns {TuneError}
 */
function refusal({ code, said, what, error }) {
  if (
    code === ATLAS_ERROR ||
    /CMD_NOT_ALLOWED|not supported in (MongoDB )?Atlas|see the Atlas documentation/i.test(said)
  ) {
    return new TuneError('TUNE-20007', `Atlas refuses ${what}: ${said}.`, {
      cause: error,
      value: what,
    });
  }
  if (code === UNAUTHORIZED)
    return new TuneError('TUNE-20005', NOBODY.test(said) ? nobody(what) : missing(what), {
      cause: error,
      value: what,
      allowed: NEEDS[what]?.roles,
    });
  if (code === AUTHENTICATION_FAILED)
    return new TuneError('TUNE-20005', `The server does not accept this user: ${said}.`, {
      cause: error,
      value: what,
    });
  if (/unrecognized parameter|no option found to get/i.test(said)) {
    return new TuneError('TUNE-20002', `This server has no WiredTiger parameters: ${said}.`, {
      cause: error,
      value: what,
    });
  }
  return new TuneError('TUNE-20008', `The server refused ${what}: ${said}.`, {
    cause: error,
    value: what,
  });
}

/** @param {string} what */
function missing(what) {
  const need = NEEDS[what];
  if (!need) return `Your user is not allowed to run ${what}.`;
  return (
    `Your user is not allowed to ${need.what}: it lacks the privilege ${what} on the cluster ` +
    `(role ${need.roles}).${still(need)}`
  );
}

/** @param {string} what */
function nobody(what) {
  const need = NEEDS[what];
  const login =
    'This connection is not authenticated: run db.getSiblingDB("admin").auth(name, ' +
    'passwordPrompt())';
  return need
    ? `${login}. To ${need.what}, the user needs the privilege ${what} on the cluster (role ` +
        `${need.roles}).${still(need)}`
    : `${login}; the server requires a user for ${what}.`;
}

/** @param {{ without?: string }} need */
const still = ({ without }) => (without ? ` ${without}` : '');

/** Makes a text fit into a sentence. @param {string} text */
const withoutSecrets = (text) => secrets.withoutSecrets(text).replace(/\.$/, '');

/** The server itself refuses with these codes. */
const REFUSALS = new Set(['TUNE-20002', 'TUNE-20005', 'TUNE-20007', 'TUNE-20008']);

/** @param {unknown} error @returns {boolean} the server answered, with a no */
const isRefusal = (error) => error instanceof TuneError && REFUSALS.has(error.code);

/**
 * Returns the error where the server refused, and throws any other.
 * @param {unknown} cause
 * @param {string} what the question
 * @param {AbortSignal} [signal]
 * @returns {TuneError}
 * @throws {TuneError} any other error
 */
function refusalOf(cause, what, signal) {
  const error = mapServerError(cause, what, signal);
  if (!isRefusal(error)) throw error;
  return /** @type {TuneError} */ (error);
}

/**
 * @param {Port} port @param {Record<string, unknown>} command
 * @returns {Promise<any>} null where the user may not, or the server does not know it
 * @throws {TuneError} TUNE-20006
 */
async function askOptional(port, command) {
  const [what] = Object.keys(command);
  try {
    return await port.adminCommand(command);
  } catch (cause) {
    refusalOf(cause, what);
    return null;
  }
}

/**
 * Codes of what stands between, such as a proxy, or of a server that lost its connection to another
 * one: whoever was to answer may still be at work.
 */
const NO_ANSWER_BETWEEN = Object.freeze(
  new Set([HOST_NOT_FOUND, HOST_UNREACHABLE, NETWORK_TIMEOUT, SOCKET_EXCEPTION]),
);

module.exports = {
  NO_ANSWER_BETWEEN,
  mapServerError,
  notReached,
  isRefusal,
  isSaidByServer,
  refusalOf,
  withoutSecrets,
  askOptional,
};
