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
 * @typedef {Recorded & { cpuMs: number, busyRatio: number, lost?: string | null }} Measured
 *   `busyRatio`: share of the time in which this process was busy; `lost`: why the connection to
 *   the server was lost
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
  // Keep what was measured before the server was lost.
  const lost = await runner.run(sockets).then(
    () => null,
    (error) => String(error.message),
  );
  clearInterval(notifier);
  onStop(() => {});
  return { ...recorder.result(), ...meter(), lost };
}

/**
 * Delays each process by its part of an interval: all at the same moments would send bursts.
 * @param {Order} order
 */
const staggerMs = ({ ratePerSec, worker, workers }) =>
  (1000 / Number(ratePerSec)) * (worker / workers);

/** Waits until that moment, and returns it by the clock of this process. @param {number} atMs */
async function momentOf(atMs) {
  const moment = atMs - performance.timeOrigin;
  await new Promise((resolve) => {
    setTimeout(resolve, Math.max(0, moment - performance.now()));
  });
  return performance.now();
}

/**
 * Measures CPU time and activity of this process from the end of the warm-up on.
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
 * Translates a write concern of the driver to the form that the server takes.
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
 * A timer of Node.js may be this late, since it counts whole milliseconds. That delay is the
 * client's own: it does not count for an operation that had a free thread at its moment.
 */
const TIMER_MS = 2;

/**
 * Decides when the next operation begins. Closed loop: as soon as a thread is free. Open loop: at
 * fixed moments, whether a thread is free or not, so that operations which a stall delays count
 * from when they should have begun.
 *
 * @typedef {{
 *   next(nowMs: number): number, taken(): void, fromMs(nowMs: number, waited: boolean): number,
 *   overdue(nowMs: number): { moment: number, count: number }[]
 * }} Schedule
 *   `next`: the moment of the next operation, ms; `taken`: notes that it has begun; `fromMs`: the
 *   moment from which its latency counts, `waited`: a thread had waited for it; `overdue`: past
 *   moments without an operation, neighbours together
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
 * A rate far above what the server does leaves millions of operations overdue: their waits are
 * grouped into this many.
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
