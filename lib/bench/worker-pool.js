'use strict';

const { startWorker, mergeResults } = require('./load/workers');
const { dealt } = require('./load/data');
const { interrupted } = require('../base/context');
const { TuneError } = require('../base/pure/errors');
const { mapServerError } = require('../base/server-errors');

/**
 * @import { Address } from './load/worker/main'
 * @import { Worker } from './load/workers'
 * @import { Merged } from './load/types'
 */

/**
 * Runs the processes that make the load as one.
 * @typedef {{ threads: number, processes: number, seconds: number, warmSeconds: number }} Size
 * @typedef {Merged & { tookMs: number, ended: 'complete' | 'interrupted' | 'lost', error: Error |
 *   null }} Outcome
 * @typedef {{
 *   load(pieces: number[], order: Record<string, unknown>): Promise<number>,
 *   measure(size: Size, order: Record<string, unknown> & { ratePerSec: number | null }):
 *     Promise<Outcome>,
 *   command(database: string, command: Record<string, unknown>): Promise<any>,
 *   end(): Promise<void>, pids(): number[]
 * }} WorkerPool
 */

/**
 * Loading is more the client's work than the server's: more pieces at the same time gain nothing.
 */
const PIECES_AT_ONCE = 4;
/** After this time all workers have their connections. */
const LEAD_MS = 200;
/** After Ctrl-C workers may take this long to send what they measured. */
const STOP_MS = 1500;

/**
 * @param {{ address: Address, signal: AbortSignal, say(text: string): void }} means `say`: shows a
 *   text for a second
 * @returns {WorkerPool}
 */
function makeWorkerPool({ address, signal, say }) {
  const { workers, some, last, hear } = hiring(address, signal);
  return {
    pids: () => workers.flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    async command(database, command) {
      // This also runs after Ctrl-C, when the others have ended: what was written must be dropped.
      const [worker] = signal.aborted ? [await last()] : await some(1);
      return JSON.parse(
        await worker.ask('command', { database, command: JSON.stringify(command) }),
        revive,
      );
    },
    async load(pieces, order) {
      const workers = await some(1);
      let loaded = 0;
      hear(({ event, count }) => {
        if (event === 'loaded') say(`loading ${(loaded += count)} of ${order.records} records`);
      });
      await stoppable(signal, workers, () =>
        Promise.all(
          workers.map((worker, i) =>
            worker.ask('load', {
              ...order,
              pieces: dealt(pieces, workers.length)[i],
              concurrentPieces: PIECES_AT_ONCE,
            }),
          ),
        ),
      );
      if (signal.aborted) throw interrupted();
      return loaded;
    },
    async measure(size, order) {
      const workers = await some(Math.min(size.processes, size.threads));
      hear(watchSeconds(size, say));
      return stoppable(signal, workers, () => measureWith(workers, size, order, signal));
    },
    async end() {
      await Promise.all(workers.splice(0).map((worker) => worker.quit()));
    },
  };
}

/**
 * Starts processes when they are needed, and keeps them.
 * @param {Address} address
 * @param {AbortSignal} signal
 */
function hiring(address, signal) {
  /** @type {Worker[]} */
  const workers = [];
  /** @type {(event: any) => void} */
  let listen = () => {};
  /** @type {Promise<Worker> | null} */ let latest = null;
  const start = async () => {
    const worker = startWorker(workers.length, () => {});
    workers.push(worker);
    await worker.ask('connect', { address });
    return worker;
  };
  return {
    workers,
    last: () => (latest ??= start()),
    hear: (/** @type {(event: any) => void} */ listener) => {
      listen = listener;
    },
    some: async (/** @type {number} */ count) => {
      if (signal.aborted) throw interrupted();
      const fresh = Array.from({ length: Math.max(0, count - workers.length) }, (_, i) =>
        startWorker(workers.length + i, (event) => listen(event)),
      );
      workers.push(...fresh);
      await Promise.all(fresh.map((worker) => worker.ask('connect', { address })));
      return workers.slice(0, count);
    },
  };
}

/**
 * Lets workers send what they measured after Ctrl-C, but not for long.
 * @template T
 * @param {AbortSignal} signal
 * @param {readonly Worker[]} workers
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function stoppable(signal, workers, work) {
  if (signal.aborted) throw interrupted();
  /** @type {NodeJS.Timeout | undefined} */ let late;
  const stop = () => {
    for (const worker of workers) worker.ask('stop').catch(() => {});
    late = setTimeout(() => {
      for (const worker of workers) worker.kill();
    }, STOP_MS);
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', stop);
    clearTimeout(late);
  }
}

/**
 * @param {readonly Worker[]} some
 * @param {Size} size
 * @param {Record<string, unknown> & { ratePerSec: number | null }} order
 * @param {AbortSignal} signal
 * @returns {Promise<Outcome>}
 */
async function measureWith(some, { threads, seconds, warmSeconds }, order, signal) {
  const atMs = Date.now() + LEAD_MS;
  const fromMs = atMs + warmSeconds * 1000;
  const answers = await Promise.allSettled(
    some.map((worker, i) =>
      worker
        .ask('measure', {
          ...order,
          worker: i,
          workers: some.length,
          lanes: lanesOf(threads, some.length, i),
          atMs,
          warmMs: warmSeconds * 1000,
          ms: seconds * 1000,
          ratePerSec: order.ratePerSec === null ? null : order.ratePerSec / some.length,
        })
        .catch((error) => {
          for (const other of some) other.ask('stop').catch(() => {});
          throw error;
        }),
    ),
  );
  const tookMs = Math.min(seconds * 1000, Math.max(1, Date.now() - fromMs));
  const measured = answers.flatMap((answer) =>
    answer.status === 'fulfilled' ? [answer.value] : [],
  );
  const refused = answers.find(({ status }) => status === 'rejected');
  const error = refused
    ? problem(/** @type {PromiseRejectedResult} */ (refused).reason, signal)
    : lossOf(measured);
  return { ...mergeResults(measured, tookMs), tookMs, ended: endOf(signal, error), error };
}

/**
 * Returns the error of a process that lost the server while it measured.
 * @param {readonly { lost?: string | null }[]} measured
 * @returns {TuneError | null}
 */
function lossOf(measured) {
  const lost = measured.find((worker) => worker.lost)?.lost;
  return lost ? goneAway(lost) : null;
}

/**
 * How the measuring ended.
 * @param {AbortSignal} signal
 * @param {Error | null} error
 */
function endOf(signal, error) {
  if (signal.aborted) return 'interrupted';
  return error ? 'lost' : 'complete';
}

/** @param {unknown} reason @param {AbortSignal} signal */
const problem = (reason, signal) =>
  signal.aborted ? interrupted() : mapServerError(reason, 'the benchmark');

/** @param {string} why */
const goneAway = (why) =>
  new TuneError(
    'TUNE-20006',
    `The connection to the server was lost during the benchmark: ${why}.`,
    { value: why },
  );

/** The workers send moments as extended JSON. @param {string} _key @param {any} value */
const revive = (_key, value) =>
  value !== null && typeof value === 'object' && '$date' in value ? new Date(value.$date) : value;

/**
 * Spreads the threads evenly over the workers.
 * @param {number} threads
 * @param {number} workers
 * @param {number} which
 */
const lanesOf = (threads, workers, which) =>
  Math.floor(threads / workers) + (which < threads % workers ? 1 : 0);

/** @param {Size} size @param {(text: string) => void} say @returns {(event: any) => void} */
function watchSeconds({ seconds, warmSeconds, threads, processes }, say) {
  /** @type {Map<number, { ops: number, before: number }>} */
  const seen = new Map();
  const started = performance.now();
  return ({ event, worker, ops }) => {
    if (event !== 'second') return;
    seen.set(worker, { ops, before: seen.get(worker)?.ops ?? 0 });
    if (worker !== 0) return;
    const perSec = [...seen.values()].reduce((sum, counts) => sum + counts.ops - counts.before, 0);
    const passed = (performance.now() - started - LEAD_MS) / 1000 - warmSeconds;
    const when =
      passed < 0 ? 'warming up' : `${Math.min(seconds, Math.round(passed))} of ${seconds} s`;
    say(
      `${when}, ${perSec} operations/s, threads ${threads}, processes ` +
        `${Math.min(processes, threads)}`,
    );
  };
}

module.exports = { makeWorkerPool };
