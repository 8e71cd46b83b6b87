'use strict';

const { MS_PER_SECOND } = require('../../../base/pure/units');

/**
 * How late a timer of Node.js may be (they count whole milliseconds): a delay of the client's own,
 * which is not taken for one of the server's, if the operation had a free thread at its moment.
 */
const TIMER_MS = 2;

/**
 * When the next operation is to begin. Closed loop: as soon as a thread is free. Open loop: at
 * fixed moments, whether a thread is free or not, so that operations which a stall holds up count
 * from when they should have begun.
 *
 * @typedef {{
 *   next(nowMs: number): number, taken(): void, fromMs(nowMs: number, waited: boolean): number,
 *   overdue(nowMs: number): { moment: number, count: number }[]
 * }} Schedule
 *   `next`: the moment of the next operation, ms; `taken`: it has begun; `fromMs`: from when its
 *   latency counts, `waited`: a
 *   thread had waited for its moment; `overdue`: moments that are past and were not taken,
 *   neighbours together
 */

/** @returns {Schedule} */
const closedLoop = () => ({
  next: (nowMs) => nowMs,
  taken() {},
  fromMs: (nowMs) => nowMs,
  overdue: () => [],
});

/**
 * A rate far above what the server does leaves millions behind: finer than this their waiting is
 * not told apart.
 */
const MAX_OVERDUE = 1000;

/** @param {{ ratePerSec: number, startMs: number }} options @returns {Schedule} */
function openLoop({ ratePerSec, startMs }) {
  const everyMs = MS_PER_SECOND / ratePerSec;
  let started = 0;
  let current = startMs;
  const momentOf = (/** @type {number} */ number) => startMs + number * everyMs;
  return {
    next: () => momentOf(started),
    taken() {
      current = momentOf(started++);
    },
    fromMs: (nowMs, waited) => (waited && nowMs - current <= TIMER_MS ? nowMs : current),
    overdue(nowMs) {
      const all = Math.max(0, Math.ceil((nowMs - momentOf(started)) / everyMs));
      const together = Math.ceil(all / MAX_OVERDUE) || 1;
      return Array.from({ length: Math.ceil(all / together) }, (_, i) => {
        const count = Math.min(together, all - i * together);
        return { moment: momentOf(started + i * together + (count - 1) / 2), count };
      });
    },
  };
}

module.exports = { closedLoop, openLoop, TIMER_MS };
