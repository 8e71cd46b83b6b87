'use strict';

const { interrupted } = require('./context');

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
 * @param {number} of
 */
const isProgressDue = (done, of) => done % PROGRESS_EVERY === 1 || done === of;

module.exports = { mapConcurrent, isProgressDue, CONCURRENCY };
