'use strict';

const {
  HOST_NOT_FOUND,
  HOST_UNREACHABLE,
  NETWORK_TIMEOUT,
  SOCKET_EXCEPTION,
} = require('../base/pure/server-codes');
const { sleep } = require('../base/context');

/**
 * Milliseconds. An election takes about 12 s with MongoDB's defaults; a restarted member reads its
 * journal first.
 */
const PATIENCE_MS = 120_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Codes of a primary that steps down, of a connection that broke and of a read that met a change of
 * the catalog: the same again, later, is right. From error_codes.yml of 6.0: HostUnreachable,
 * HostNotFound, NetworkTimeout, ShutdownInProgress, WriteConflict, FailedToSatisfyReadPreference,
 * PrimarySteppedDown, QueryPlanKilled, SnapshotUnavailable, ExceededTimeLimit, SocketException,
 * NotWritablePrimary, InterruptedAtShutdown, InterruptedDueToReplStateChange,
 * NotPrimaryNoSecondaryOk, NotPrimaryOrSecondary, WriteConcernFailed, CursorNotFound, Interrupted
 * by a failover
 */
const PASSING = Object.freeze(
  new Set([
    6, 7, 89, 91, 112, 133, 189, 175, 246, 262, 9001, 10107, 11600, 11602, 13435, 13436, 64, 43,
  ]),
);
/**
 * PoolClearedOnNetworkError has no Mongo in its name: the driver's monitor had no answer in time.
 */
const BROKEN =
  /^(Mongo(Network|ServerSelection|PoolCleared|PoolClosed|WaitQueue|ConnectionPool|ExpiredSession)|PoolCleared)/;

/**
 * Labels of the server and the driver for faults that pass. Whether such a transaction granted
 * anything is checked before the next try.
 */
const PASSING_LABELS = Object.freeze([
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
]);

/** @param {any} error */
function isPassing(error) {
  if (!(error instanceof Object)) return false;
  return (
    BROKEN.test(error.name) ||
    PASSING.has(error.code) ||
    PASSING_LABELS.some((label) => error.hasErrorLabel?.(label) === true)
  );
}

/** Of these the command was never sent. */
const NOT_SENT =
  /^Mongo(ServerSelection|WaitQueue|ConnectionPool|PoolClosed|PoolCleared|ExpiredSession)/;

/**
 * A server that lost its connection
 * to another one, as a `$merge` that sends what it writes to the new primary.
 */
const LOST_BY_SERVER = Object.freeze(
  new Set([HOST_UNREACHABLE, HOST_NOT_FOUND, NETWORK_TIMEOUT, SOCKET_EXCEPTION]),
);

/**
 * Whether the command may still run on the server although its answer was lost.
 * @param {any} error
 */
function isInDoubt(error) {
  if (!(error instanceof Object)) return false;
  return LOST_BY_SERVER.has(error.code) || (BROKEN.test(error.name) && !NOT_SENT.test(error.name));
}

/**
 * Does something that may be done twice, again after a fault that passes.
 * @template T @param {AbortSignal} signal @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function retrying(signal, work) {
  const until = Date.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || signal.aborted || Date.now() > until) throw error;
      await sleep(pause, signal);
    }
  }
}

module.exports = { retrying, isPassing, isInDoubt, PATIENCE_MS };
