'use strict';

const { performance } = require('node:perf_hooks');
const { WORKLOADS } = require('../workloads/workloads');
const { Recorder } = require('./recorder');
const { Runner } = require('./runner');
const { MS_PER_SECOND } = require('../../../base/pure/units');

/**
 * @import { Source, Workload } from '../workloads/operations'
 * @import { Recorded } from './recorder'
 * @import { Socket } from 'node:net'
 * @import { Order } from './types'
 */

/**
 * @typedef {{
 *   takeSocket(): Promise<Socket>, source: Source,
 *   writeConcern: any, stopped(): boolean, onSecond(second: { ops: number }): void,
 *   onStop(stop: () => void): void
 * }} Means
 * @typedef {Recorded & { cpuMs: number, busyRatio: number, lost?: string |
 *   null }} Measured `busyRatio`: share of the time in which this
 *   process had something to do; `lost`: why the server could not be reached any more
 */

const NOTIFY_EVERY_MS = 1000;

/** @param {Order} order @param {Means} means @returns {Promise<Measured>} */
async function measure(order, { takeSocket, source, writeConcern, stopped, onSecond, onStop }) {
  const sockets = await Promise.all(Array.from({ length: order.lanes }, takeSocket));
  const startMs = await momentOf(order.atMs);
  const fromMs = startMs + order.warmMs;
  const endMs = fromMs + order.ms;
  const recorder = new Recorder({ fromMs, untilMs: endMs });
  const schedule =
    order.ratePerSec === null
      ? closedLoop()
      : openLoop({ ratePerSec: order.ratePerSec, startMs: startMs + staggerMs(order) });
  const { operations } = /** @type {Workload} */ (WORKLOADS.get(order.workload));
  const runner = new Runner({
    database: order.database,
    next: operations({ ...order, ...source }),
    schedule,
    recorder,
    endMs,
    takeSocket,
    writeConcern: plain(writeConcern),
  });
  onStop(() => runner.stop());
  if (stopped()) runner.stop();
  const meter = meterFrom(order.warmMs);
  const notifier = setInterval(() => onSecond({ ops: recorder.total }), NOTIFY_EVERY_MS);
  // What was seen before the server was lost is worth having.
  const lost = await runner.run(sockets).then(
    () => null,
    (error) => String(error.message),
  );
  clearInterval(notifier);
  onStop(() => {});
  return { ...recorder.result(), ...meter(), lost };
}

/** Processes take turns: all at the same moments would be bursts. @param {Order} order */
const staggerMs = ({ ratePerSec, worker, workers }) =>
  (1000 / Number(ratePerSec)) * (worker / workers);

/** The same moment of this process's own clock, when it has come. @param {number} atMs */
async function momentOf(atMs) {
  const moment = atMs - performance.timeOrigin;
  await new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, moment - performance.now()));
  });
  return performance.now();
}

/**
 * Processor time and activity of this process from the end of the warm-up on.
 * @param {number} warmMs
 */
function meterFrom(warmMs) {
  let [cpu, loop] = [process.cpuUsage(), performance.eventLoopUtilization()];
  const timer = setTimeout(() => {
    [cpu, loop] = [process.cpuUsage(), performance.eventLoopUtilization()];
  }, warmMs);
  return () => {
    clearTimeout(timer);
    const { user, system } = process.cpuUsage(cpu);
    return {
      cpuMs: (user + system) / 1000,
      busyRatio: performance.eventLoopUtilization(loop).utilization,
    };
  };
}

/**
 * As the server takes it.
 * @param {{ w?: unknown, journal?: boolean, wtimeoutMS?: number } | null} concern
 */
function plain(concern) {
  if (concern === null || Object.keys(concern).length === 0) return null;
  const { w, journal, wtimeoutMS } = concern;
  return {
    ...(w !== undefined && { w }),
    ...(journal !== undefined && { j: journal }),
    ...(wtimeoutMS !== undefined && { wtimeout: wtimeoutMS }),
  };
}

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

module.exports = { measure, closedLoop, openLoop, TIMER_MS };
