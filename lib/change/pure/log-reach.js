'use strict';

/**
 * @import { Log } from '../../server/engine-history'
 */

/**
 * Says whether the log has all that was set since a moment.
 * @typedef {{ lastConfig: string | null, knownAtMs: number }} Moment the time at which the last
 *   string was known
 */

/**
 * @param {Log | null} log null: it may not be read
 * @param {Moment} moment
 * @returns {boolean} whether all that was set since the last string was known is in the log
 */
const reachesBack = (log, { lastConfig, knownAtMs }) =>
  log !== null &&
  (log.logWhole ||
    (log.logFromMs !== null && log.logFromMs < knownAtMs) ||
    log.sets.some(({ config, ok }) => ok && config === lastConfig));

/**
 * Milliseconds of tolerance for the clock of a server: it is corrected, read over a slow network, or
 * computed from the uptime.
 */
const CLOCK_MS = 10_000;

/**
 * Says the same where another session has set something since: the log has its line then. If its
 * last line is earlier, or there is none, the clock was set back, and no time shows what is lost.
 * @param {Log | null} log @param {Moment} moment @returns {boolean}
 */
function hasAllSince(log, { lastConfig, knownAtMs }) {
  const newest = log?.sets.findLast(({ ok }) => ok);
  const isInOrder = newest !== undefined && newest.atMs + CLOCK_MS >= knownAtMs;
  return reachesBack(log, { lastConfig, knownAtMs: isInOrder ? knownAtMs : -Infinity });
}

module.exports = { CLOCK_MS, hasAllSince, reachesBack };
