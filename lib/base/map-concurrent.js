'use strict';

const { interrupted } = require('./context');

/**
 * Commands in flight at once: enough to hide the round trips, few enough that a server with
 * thousands of collections hardly notices.
 */
const IN_FLIGHT = 4;

/**
 * Does something for each item, a few at a time, in order.
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => Promise<void>} work
 * @param {AbortSignal} signal
 * @returns {Promise<void>} rejects with the first failure, or with TUNE-30009 after Ctrl-C, when
 *   nothing is in flight any more
 */
async function mapConcurrent(items, work, signal) {
  let next = 0;
  let failed = false;
  const lane = async () => {
    while (next < items.length && !failed) {
      if (signal.aborted) throw interrupted();
      await work(items[next++]).catch((error) => {
        failed = true;
        throw error;
      });
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: Math.min(IN_FLIGHT, items.length) }, lane),
  );
  const end = ends.find(({ status }) => status === 'rejected');
  if (end) throw /** @type {PromiseRejectedResult} */ (end).reason;
}

/**
 * A line of progress for each of thousands would be more for the terminal than the work is for the
 * server.
 */
const LISTED = 20;

/**
 * @param {number} done
 * @param {number} of
 * @returns {boolean} whether this one is worth a line of progress
 */
const isReported = (done, of) => done % LISTED === 1 || done === of;

module.exports = { mapConcurrent, isReported, IN_FLIGHT };
