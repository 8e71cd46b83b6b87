'use strict';

const { MICROS_PER_SECOND, MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { Counter } from './counters'
 */

/**
 * Computes how counters grow from one sample to the next: this is the one place for the difference
 * of two values. A counter that shrank was reset, so its growth is not known.
 *
 * @typedef {(name: Counter) => number} ReadCounter of one sample; NaN: not known
 * @typedef {{
 *   seconds: number, ops: number, clientSeconds: number, cpuSeconds: number, inCheckpoint: boolean,
 *   writtenBytes?: number, waitSeconds?: number, toMs?: number
 * }} Interval the work done from one sample to the next. `clientSeconds`: time that the operations
 *   completed in it had taken, all together; `cpuSeconds`: of the process, 0 where a checkpoint may
 *   have used them; `writtenBytes`: from the cache, `waitSeconds`: of application threads for
 *   the cache, both absent where not known; `toMs`: its end, ms since 1970
 */

/**
 * @param {number | undefined | null} from
 * @param {number | undefined | null} to
 * @returns {number | undefined} undefined: one of them is not known, or the counter was reset
 */
const growth = (from, to) =>
  from === undefined || from === null || to === undefined || to === null || !(to >= from)
    ? undefined
    : to - from;

/**
 * @param {number | undefined} grown
 * @param {number} seconds
 * @returns {number | undefined} undefined: not known, or no time has passed
 */
const perSecond = (grown, seconds) =>
  grown === undefined || !(seconds > 0) ? undefined : grown / seconds;

/**
 * Time between two samples, by the server's own clock where it reports it: the wall clock may be set
 * back or forth.
 * @param {{ atMs: number, uptimeMs: number | null }} a
 * @param {{ atMs: number, uptimeMs: number | null }} b
 */
const secondsBetween = (a, b) =>
  (a.uptimeMs !== null && b.uptimeMs !== null ? b.uptimeMs - a.uptimeMs : b.atMs - a.atMs) /
  MS_PER_SECOND;

const OPS = /** @type {const} */ (['latency.readOps', 'latency.writeOps']);
const TIMES = /** @type {const} */ (['latency.readMicros', 'latency.writeMicros']);
const CPU = /** @type {const} */ (['process.userMicros', 'process.systemMicros']);

/**
 * The work done between two samples.
 * @param {ReadCounter} before
 * @param {ReadCounter} now
 * @param {{ seconds: number, toMs: number }} when
 * @returns {(Interval & { toMs: number }) | null} null: not known
 */
function intervalBetween(before, now, { seconds, toMs }) {
  const grown = (/** @type {readonly Counter[]} */ names) =>
    names.reduce((sum, name) => sum + now(name) - before(name), 0);
  const [ops, clientSeconds] = [grown(OPS), grown(TIMES) / MICROS_PER_SECOND];
  if (!(seconds > 0 && ops >= 0 && clientSeconds >= 0)) return null;
  const inCheckpoint = now('checkpoint.running') > 0 || before('checkpoint.running') > 0;
  const cpuSeconds = inCheckpoint ? 0 : Math.max(0, grown(CPU) / MICROS_PER_SECOND || 0);
  const writtenBytes = grown(['cache.writtenBytes']);
  const waitSeconds = grown(['eviction.waitMicros']) / MICROS_PER_SECOND;
  return {
    seconds,
    ops,
    clientSeconds,
    cpuSeconds,
    inCheckpoint,
    ...(Number.isFinite(writtenBytes) && { writtenBytes }),
    ...(Number.isFinite(waitSeconds) && { waitSeconds }),
    toMs,
  };
}

module.exports = { growth, perSecond, secondsBetween, intervalBetween, OPS, TIMES };
