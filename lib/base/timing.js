'use strict';

const { interrupted } = require('./context');
const { TuneError } = require('./pure/errors');

/** After Ctrl-C a command returns what it saw within this time; the shell waits for 600 ms. */
const HANDOVER_MS = 400;

/**
 * Bounds what is done with one server.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} work its signal, of its own, is aborted by Ctrl-C
 *   and when the time is over: dozens at once listen for that, and
 *   Node.js warns of more than ten on one
 * @param {number} limitMs
 * @param {AbortSignal} interrupt of the user
 * @param {(limitMs: number) => Error} [late] what it rejects with when the time is over: TUNE-20006
 * @returns {Promise<T>} rejects with TUNE-30009 when Ctrl-C has come and `work` hands nothing over
 */
async function withTimeout(work, limitMs, interrupt, late = unanswered) {
  const outerSignal = AbortSignal.any([interrupt]);
  const own = new AbortController();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {() => void} */
  let stop = () => {};
  const over = new Promise((_, reject) => {
    const end = (/** @type {Error} */ error) => {
      own.abort();
      reject(error);
    };
    timer = setTimeout(() => end(late(limitMs)), limitMs);
    stop = () => {
      clearTimeout(timer);
      own.abort();
      timer = setTimeout(() => end(interrupted()), HANDOVER_MS);
    };
    if (outerSignal.aborted) stop();
    else outerSignal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(own.signal), /** @type {Promise<never>} */ (over)]);
  } finally {
    clearTimeout(timer);
    outerSignal.removeEventListener('abort', stop);
  }
}

/** @param {number} limitMs */
const unanswered = (limitMs) =>
  new TuneError('TUNE-20006', `It did not answer within ${(limitMs / 1000).toFixed(0)} s.`);

/**
 * Commands in flight at once: enough to hide the round trips, few enough for a server with
 * thousands of collections (heuristic).
 */
const CONCURRENCY = 4;

/**
 * Works on each item, a few at a time, in their order.
 * @template T, R
 * @param {readonly T[]} items
 * @param {(item: T, i: number) => Promise<R>} work
 * @param {{ concurrency?: number, signal?: AbortSignal }} [options] `signal`: of Ctrl-C
 * @returns {Promise<R[]>} in the order of the items; rejects with the first failure, or with
 *   TUNE-30009 after Ctrl-C, when nothing is in flight any more
 */
async function mapConcurrent(items, work, { concurrency = CONCURRENCY, signal } = {}) {
  /** @type {R[]} */
  const results = [];
  let next = 0;
  let failed = false;
  const lane = async () => {
    while (next < items.length && !failed) {
      if (signal?.aborted) throw interrupted();
      const i = next++;
      results[i] = await work(items[i], i).catch((error) => {
        failed = true;
        throw error;
      });
    }
  };
  const lanes = Array.from({ length: Math.min(concurrency, items.length) }, lane);
  const end = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
  if (end) throw /** @type {PromiseRejectedResult} */ (end).reason;
  return results;
}

/** A line of progress is written for one of so many: a line for each would slow the terminal. */
const PROGRESS_EVERY = 20;

/**
 * Whether this one gets a line of progress.
 * @param {number} done
 * @param {number} total
 */
const isProgressDue = (done, total) => done % PROGRESS_EVERY === 1 || done === total;

/**
 * Does something at once and then at a fixed rate; a beat is skipped while the last one still runs.
 * @param {number} ms
 * @param {() => Promise<void>} work
 * @param {(error: unknown) => void} fail
 * @returns {() => void} stops it
 */
function every(ms, work, fail) {
  let isBusy = false;
  const beat = () => {
    if (isBusy) return;
    isBusy = true;
    work()
      .catch(fail)
      .finally(() => {
        isBusy = false;
      });
  };
  beat();
  const timer = setInterval(beat, ms);
  return () => clearInterval(timer);
}

/**
 * Does something at most so often, wherever it is asked to.
 * @param {number} ms from its last end to its next begin
 * @param {(() => Promise<unknown>) | null} doIt null: there is nothing to do
 * @returns {() => Promise<void>}
 */
function atMostEvery(ms, doIt) {
  let at = Date.now();
  return async () => {
    if (doIt === null || Date.now() - at < ms) return;
    await doIt();
    at = Date.now();
  };
}

/**
 * @returns {() => number} milliseconds since; also those that this computer slept, which only the
 *   time of the day counts
 */
function stopwatch() {
  const [atMs, byDayMs] = [performance.now(), Date.now()];
  return () => Math.max(performance.now() - atMs, Date.now() - byDayMs);
}

module.exports = {
  withTimeout,
  mapConcurrent,
  isProgressDue,
  CONCURRENCY,
  every,
  atMostEvery,
  stopwatch,
};
