'use strict';

const { mapServerError } = require('../base/server-errors');
const { makeWorkerPool } = require('./worker-pool');
const { examineTarget } = require('./target');
const { loadData, beginRun, dropData } = require('./data');
const { refuseGone } = require('./load/data');
const { findCount } = require('./thread-count');
const { visible } = require('../base/pure/printable');
const os = require('node:os');
const { takeSample } = require('../server/sampler');

/**
 * @import { Trial } from './thread-count'
 * @import { Address } from './load/worker/main'
 * @import { Size, WorkerPool, Outcome } from './worker-pool'
 * @import { Context } from '../base/types'
 * @import { BenchPlan, Target } from './types'
 * @import { Port } from '../base/context'
 */

/**
 * A server, its data and the processes that make load on it: what a benchmark, a comparison and a
 * tune.bench.steps() have in common.
 * @typedef {{
 *   target: Target, workerPool: WorkerPool,
 *   count: { threads: number, processes: number }, trials: Trial[],
 *   loaded: { records: number, resumed: boolean, seconds: number },
 *   measure(span?: { seconds: number, warmSeconds: number }): Promise<Gathered>
 * }} Session
 */

/**
 * @template T
 * @param {Context} ctx
 * @param {BenchPlan} plan
 * @param {{ name: string, target: Target, workerPool: WorkerPool, host?: string | null }} about
 *   `host`: the name of the server in sentences, where there are several
 * @param {(session: Session) => Promise<T>} work
 * @returns {Promise<T>} afterwards the data is dropped, unless the user keeps it or interrupted its
 *   loading
 */
async function withSession(ctx, plan, { name, target, workerPool, host = null }, work) {
  const { workload, database, records, settings, ratePerSec } = plan;
  let inLoad = true;
  /** @type {() => Promise<void>} */ let refuseOther = async () => {};
  /** @type {any} */ let made;
  /** @type {Error | null} */ let failed = null;
  try {
    const started = performance.now();
    const { loaded, resumed, dataId } = await loadData(ctx, plan, target.data, workerPool);
    inLoad = false;
    refuseOther = () => refuseGone(ctx.port, plan, dataId);
    const bench = {
      port: ctx.port,
      workerPool,
      order: { workload: workload.name, database, records, settings, ratePerSec },
      begin: () => beginRun(ctx, plan),
    };
    const { trials, ...count } = await findCount(plan, target.cores, (size) =>
      sampleWhole(bench, size, refuseOther),
    );
    made = await work({
      target,
      workerPool,
      count,
      trials,
      loaded: { records: loaded, resumed, seconds: (performance.now() - started) / 1000 },
      measure: ({ seconds, warmSeconds } = plan) =>
        sampleWhole(bench, { ...count, seconds, warmSeconds }, refuseOther),
    });
    return made;
  } catch (error) {
    failed = mapServerError(
      error,
      'a benchmark (roles readWrite and dbAdmin on its database)',
      ctx.signal,
    );
    throw inLoad && ctx.signal.aborted ? unfinished(failed, name, database, host) : failed;
  } finally {
    ctx.progress(null);
    // Data that tune may not use is not dropped either.
    const isOwn = /** @type {any} */ (failed)?.code !== 'TUNE-31002';
    if (!plan.keepData && isOwn && !(inLoad && ctx.signal.aborted))
      await cleanUp(ctx, database, { made, failed, refuseOther, host });
    await workerPool.end();
  }
}

/**
 * @param {Bench} bench @param {Size} size
 * @param {() => Promise<void>} refuseOther rejects where the data is gone
 * @returns {Promise<Gathered>}
 */
async function sampleWhole(bench, size, refuseOther) {
  const found = await sample(bench, size);
  if (found.ended === 'complete') await refuseOther();
  return found;
}

/**
 * Drops the data. What stays behind is named in the notes, or in the error.
 * @param {Context} ctx
 * @param {string} database
 * @param {{
 *   made: any, failed: Error | null, refuseOther(): Promise<void>, host: string | null
 * }} end `refuseOther`: rejects where the data now belongs to another session
 */
async function cleanUp({ port }, database, { made, failed, refuseOther, host }) {
  const add = (/** @type {string} */ say) => {
    if (failed) failed.message += ` ${say}`;
    else if (Array.isArray(made?.notes)) made.notes.push(say);
  };
  try {
    await refuseOther();
    const { left = [] } = (await dropData(port, database)) ?? {};
    if (left.length > 0)
      add(`Collections of other sessions in "${database}" stay: ${left.map(visible).join(', ')}.`);
  } catch (cause) {
    if (/** @type {any} */ (cause).code === 'TUNE-31002') return;
    add(
      `The data is still in "${database}"${onHost(host)}: ${mapServerError(cause, 'drop').message} ` +
        `tune.bench.clean({ confirm: true }) drops it${there(host)}.`,
    );
  }
}

/** Names the server where there are several. @param {string | null} host */
const onHost = (host) => (host === null ? '' : ` on ${visible(host)}`);
/** @param {string | null} host */
const there = (host) => (host === null ? '' : ', in a shell that is connected there');

/** @param {Error} error @param {string} name @param {string} database @param {string | null} host */
function unfinished(error, name, database, host) {
  error.message +=
    ` The loaded data is still in "${database}"${onHost(host)}: the same ${name}() continues with ` +
    `it, tune.bench.clean({ confirm: true }) drops it${there(host)}.`;
  return error;
}

/** @param {Context} ctx @param {string} name @param {Address} address */
const workerPoolFor = (ctx, name, address) =>
  makeWorkerPool({
    address,
    signal: ctx.signal,
    say: (text) => ctx.progress(`${name}: ${text}; Ctrl-C ends it`),
  });

/**
 * Measures once, with the CPU time of the server meanwhile.
 * @typedef {Outcome & Size & { serverCores: number | null, machineBusyRatio: number }} Gathered
 *   `serverCores`: CPUs that mongod used, null: not reported; `machineBusyRatio`: of the machine of
 *   this shell
 * @typedef {{
 *   port: Port, workerPool: WorkerPool,
 *   order: { workload: string, database: string, records: number, settings: unknown, ratePerSec:
 *     number | null },
 *   begin(): Promise<number>
 * }} Bench
 *   `begin`: counts a run, and returns the first number of the records it inserts
 */

/** @param {Bench} bench @param {Size} size @returns {Promise<Gathered>} */
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
 * @returns {Promise<number | null>} CPU time of the server
 */
async function serverMicros(port) {
  const { counters } = await takeSample(port);
  const [user, system] = [counters['process.userMicros'], counters['process.systemMicros']];
  return user === undefined || system === undefined ? null : user + system;
}

/** Idle and total time of all CPUs of this machine, ms. */
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

module.exports = { withSession, workerPoolFor, examineTarget };
