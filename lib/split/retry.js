'use strict';

const codes = require('../base/pure/server-codes');
const { sleep } = require('../base/context');
const { TuneError } = require('../base/pure/errors');
const { NO_ANSWER_BETWEEN, isSaidByServer } = require('../base/server-errors');

/**
 * Milliseconds. An election takes about 12 s with MongoDB's defaults; a restarted member reads its
 * journal first.
 */
const PATIENCE_MS = 120_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Codes of a primary that steps down, a connection that broke, a read that met a change of the
 * catalog: the same command may be tried again later.
 */
const PASSING = Object.freeze(
  new Set([
    codes.HOST_UNREACHABLE,
    codes.HOST_NOT_FOUND,
    codes.CURSOR_NOT_FOUND,
    codes.WRITE_CONCERN_FAILED,
    codes.NETWORK_TIMEOUT,
    codes.SHUTDOWN_IN_PROGRESS,
    codes.WRITE_CONFLICT,
    codes.FAILED_TO_SATISFY_READ_PREFERENCE,
    codes.QUERY_PLAN_KILLED,
    codes.PRIMARY_STEPPED_DOWN,
    codes.SNAPSHOT_UNAVAILABLE,
    codes.EXCEEDED_TIME_LIMIT,
    codes.SOCKET_EXCEPTION,
    codes.NOT_WRITABLE_PRIMARY,
    codes.INTERRUPTED_AT_SHUTDOWN,
    codes.INTERRUPTED_BY_STATE_CHANGE,
    codes.NOT_PRIMARY_NO_SECONDARY_OK,
    codes.NOT_PRIMARY_OR_SECONDARY,
  ]),
);
/**
 * Matches errors of a broken connection. PoolClearedOnNetworkError has no Mongo in its name: the
 * driver's monitor had no answer in time.
 */
const BROKEN =
  /^(Mongo(Network|ServerSelection|PoolCleared|PoolClosed|WaitQueue|ConnectionPool|ExpiredSession)|PoolCleared)/;

/**
 * Labels of the server and the driver for faults that pass. The next try first checks whether such
 * a transaction granted anything.
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

/**
 * Matches errors after which the command was never sent, or its answer was not understood: then it
 * is done.
 */
const NOT_SENT =
  /^(Mongo(ServerSelection|WaitQueue|ConnectionPool|PoolClosed|PoolCleared|ExpiredSession)|BSON|(Type|Range|Reference)Error)/;

/**
 * Says whether the command may still run on the server although its answer was lost: a command that
 * the driver gives up by itself, such as at its timeout, may arrive later.
 * @param {any} error
 */
function isInDoubt(error) {
  if (!(error instanceof Object) || error instanceof TuneError) return false;
  const { name = '', code } = error;
  return NO_ANSWER_BETWEEN.has(code) || !(NOT_SENT.test(name) || isSaidByServer(name, code));
}

/**
 * Runs work that may be done twice, again after a fault that passes.
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
