'use strict';

const os = require('node:os');
const { takeSample } = require('../server/sampler');

/**
 * @import { Port } from '../base/context'
 * @import { WorkerPool, Outcome, Size } from './worker-pool'
 */

/**
 * One measurement, with the CPU time of the server meanwhile.
 * @typedef {Outcome & Size & { serverCores: number | null, machineBusyRatio: number }} Gathered
 *   `serverCores`: CPUs that mongod used; null: not
 *   reported; `machineBusyRatio`: of the machine of this shell
 * @typedef {{
 *   port: Port, workerPool: WorkerPool,
 *   order: { workload: string, database: string, records: number, settings: unknown, ratePerSec:
 *     number | null },
 *   begin(): Promise<number>
 * }} Bench
 *   `begin`: first number of what a run inserts
 */

/** Measures once. @param {Bench} bench @param {Size} size @returns {Promise<Gathered>} */
async function sample({ port, workerPool, order, begin }, size) {
  const insertFrom = await begin();
  const [server, machine] = [await serverMicros(port), machineTimes()];
  const started = performance.now();
  const outcome = await workerPool.measure(size, { ...order, insertFrom });
  const [serverNow, machineNow] = [await serverMicros(port).catch(() => null), machineTimes()];
  const seconds = (performance.now() - started) / 1000;
  return {
    ...outcome,
    ...size,
    serverCores:
      server === null || serverNow === null ? null : (serverNow - server) / 1e6 / seconds,
    machineBusyRatio: busyBetween(machine, machineNow),
  };
}

/**
 * @param {Port} port
 * @returns {Promise<number | null>} processor time of the server
 */
async function serverMicros(port) {
  const { counters } = await takeSample(port);
  const [user, system] = [counters['process.userMicros'], counters['process.systemMicros']];
  return user === undefined || system === undefined ? null : user + system;
}

/** Idle and total time of all CPUs here, ms. */
const machineTimes = () =>
  os
    .cpus()
    .reduce(
      (sum, { times }) => ({
        idle: sum.idle + times.idle,
        all: sum.all + times.idle + times.user + times.sys + times.nice + times.irq,
      }),
      { idle: 0, all: 0 },
    );

/** @param {{ idle: number, all: number }} before @param {{ idle: number, all: number }} now */
const busyBetween = (before, now) =>
  now.all > before.all ? 1 - (now.idle - before.idle) / (now.all - before.all) : 0;

module.exports = { sample };
