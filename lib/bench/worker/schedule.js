'use strict';

const MS_PER_SECOND = 1000;
/**
 * How late a timer of Node.js may be (they count whole milliseconds): a delay of the client's own, which is not taken for one of
 * the server's, if the operation had a free thread at its moment.
 */
const TIMER_MS = 2;

/**
 * When the next operation is to begin. Closed loop: as soon as a thread is free. Open loop: at fixed moments, whether a thread is
 * free or not, so that operations which a stall holds up count from when they should have begun.
 *
 * @typedef {{ next(nowMs: number): number, taken(): void, fromMs(nowMs: number, waited: boolean): number, overdue(nowMs: number): number[] }} Schedule
 *   `next`: the moment of the next operation, ms; `taken`: it has begun; `fromMs`: from when its latency counts, `waited`: a
 *   thread had waited for its moment; `overdue`: moments that are past and were not taken
 */

/** @returns {Schedule} */
const closedLoop = () => ({ next: (nowMs) => nowMs, taken() {}, fromMs: (nowMs) => nowMs, overdue: () => [] });

/** @param {{ ratePerSec: number, startMs: number }} options @returns {Schedule} */
function openLoop({ ratePerSec, startMs }) {
  const everyMs = MS_PER_SECOND / ratePerSec;
  let started = 0;
  let current = startMs;
  const momentOf = (/** @type {number} */ number) => startMs + number * everyMs;
  return {
    next: () => momentOf(started),
    taken() { current = momentOf(started++); },
    fromMs: (nowMs, waited) => (waited && nowMs - current <= TIMER_MS ? nowMs : current),
    overdue(nowMs) {
      const moments = [];
      for (let number = started; momentOf(number) < nowMs; number++) moments.push(momentOf(number));
      return moments;
    },
  };
}

module.exports = { closedLoop, openLoop, TIMER_MS };
