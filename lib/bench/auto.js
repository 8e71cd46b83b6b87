'use strict';

const os = require('node:os');
const { GAIN, wantsProcess } = require('./load/limits');

/**
 * @import { Gathered } from './measure'
 * @import { BenchPlan } from './plan'
 * @import { Size } from './worker-pool'
 */

/**
 * How many threads and processes: by short runs, as in Z13's report.
 * @typedef {{ threads: number, processes: number }} Count
 * @typedef {Count & { opsPerSec: number, p95Ms: number | null }} Trial
 * @typedef {(size: Size) => Promise<Gathered>} Try
 */

/**
 * A tenth of the run, as Z13 has it, but not less than shows a difference, and not longer than
 * anybody waits.
 */
const SHARE = 0.1;
const MIN_SECONDS = 1.5;
const MAX_SECONDS = 10;
const WARM_SECONDS = 0.5;
const MAX_THREADS = 512;
/** In an open loop threads only have to be enough. */
const OPEN_LOOP_THREADS = 64;

/**
 * @param {BenchPlan} plan
 * @param {number | null} cores of the server
 * @param {Try} tryOut
 * @returns {Promise<Count & { trials: Trial[] }>}
 */
async function findCount({ threads, processes, seconds, ratePerSec }, cores, tryOut) {
  /** @type {Trial[]} */
  const trials = [];
  const span = {
    seconds: Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, seconds * SHARE)),
    warmSeconds: WARM_SECONDS,
  };
  const sample = async (/** @type {Count} */ count) => {
    const seen = await tryOut({ ...count, ...span });
    trials.push({ ...count, opsPerSec: seen.opsPerSec, p95Ms: seen.latencyMs?.p95 ?? null });
    if (seen.ended !== 'complete') throw /** @type {Error} */ (seen.error);
    return { ...count, seen };
  };
  if (ratePerSec !== null)
    return {
      threads: threads === 'auto' ? OPEN_LOOP_THREADS : threads,
      processes: processes === 'auto' ? 1 : processes,
      trials,
    };
  if (threads !== 'auto' && processes !== 'auto') return { threads, processes, trials };
  const first = {
    threads: threads === 'auto' ? 1 : threads,
    processes: processes === 'auto' ? 1 : processes,
  };
  let best = await sample(first);
  if (threads === 'auto') best = await moreThreads(best, sample);
  if (processes === 'auto') best = await moreProcesses(best, cores, threads === 'auto', sample);
  return { threads: best.threads, processes: best.processes, trials };
}

/**
 * @typedef {Count & { seen: Gathered }} Tried
 * @typedef {(count: Count) => Promise<Tried>} Looks
 */

/** @param {Tried} start @param {Looks} sample @returns {Promise<Tried>} */
async function moreThreads(start, sample) {
  let best = start;
  // One doubling may gain little by chance, or because the next brings another process of the
  // server into play: two do not.
  let without = 0;
  for (let threads = start.threads * 2; threads <= MAX_THREADS && without < 2; threads *= 2) {
    const next = await sample({ ...start, threads });
    if (next.seen.opsPerSec >= best.seen.opsPerSec * GAIN) [best, without] = [next, 0];
    else without += 1;
  }
  return best;
}

/**
 * @param {Tried} start
 * @param {number | null} cores
 * @param {boolean} freeThreads
 * @param {Looks} sample
 * @returns {Promise<Tried>}
 */
async function moreProcesses(start, cores, freeThreads, sample) {
  let best = start;
  while (wantsProcess(best.seen, cores) && best.processes < os.cpus().length) {
    const processes = best.processes + 1;
    const next = await sample({
      processes,
      threads: freeThreads
        ? Math.max(best.threads, Math.ceil((best.threads / best.processes) * processes))
        : best.threads,
    });
    if (next.seen.opsPerSec < best.seen.opsPerSec * GAIN) break;
    best = next;
  }
  return best;
}

module.exports = { findCount };
