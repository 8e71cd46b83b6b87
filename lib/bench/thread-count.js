'use strict';

const os = require('node:os');

/**
 * @import { Gathered } from './session'
 * @import { Size } from './worker-pool'
 * @import { BenchPlan } from './types'
 */

/**
 * Finds the number of threads and processes by short runs.
 * @typedef {{ threads: number, processes: number }} Count
 * @typedef {Count & { opsPerSec: number, p95Ms: number | null }} Trial
 * @typedef {(size: Size) => Promise<Gathered>} Try
 */

/** A short run takes this share of the whole run, within these bounds (heuristic). */
const SHARE = 0.1;
const MIN_SECONDS = 1.5;
const MAX_SECONDS = 10;
const WARM_SECONDS = 0.5;
const MAX_THREADS = 512;
/** An open loop has a fixed rate: it only needs enough threads (heuristic). */
const OPEN_LOOP_THREADS = 64;

/**
 * @param {BenchPlan} plan
 * @param {number | null} cores the cores of the server
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
 * @typedef {(count: Count) => Promise<Tried>} Sampler
 */

/** @param {Tried} start @param {Sampler} sample @returns {Promise<Tried>} */
async function moreThreads(start, sample) {
  let best = start;
  // One doubling may gain little by chance, or because the next uses another process of the server;
  // two that gain little are no chance.
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
 * @param {Sampler} sample
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

// Thresholds measured for this project: docs/evidence/bench.md.

/** More threads or processes gained nothing below this ratio of throughput. */
const GAIN = 1.05;
/** A server that uses this share of its CPUs is busy: one s390x test with enough clients. */
const SERVER_BUSY_RATIO = 0.85;
/** A process that is busy for this share of the time delays its own operations. */
const CLIENT_BUSY_RATIO = 0.85;
/** All CPUs of a machine are busy from this share on. */
const MACHINE_BUSY_RATIO = 0.95;
/** Client and server do not have a busy machine to themselves below this share. */
const OWN_SHARE = 0.75;

/**
 * @typedef {{
 *   busyRatio: number, clientCores: number, serverCores: number | null, cores: number | null,
 *   machineBusyRatio: number, machineCores: number, sameMachine: boolean
 * }} Seen
 *   `machine…`: of the client's machine
 */

/**
 * Decides whether the client was the limit: it was busy and the server was not, or no CPU of its
 * machine was free.
 * @param {Seen} seen
 * @returns {{ clientBound: boolean, because: string | null }}
 */
function clientLimit({ busyRatio, serverCores, cores, machineBusyRatio, sameMachine }) {
  if (busyRatio >= CLIENT_BUSY_RATIO && !serverBusy(serverCores, cores))
    return {
      clientBound: true,
      because: 'the client processes had no CPU time left, the server had',
    };
  if (machineBusyRatio < MACHINE_BUSY_RATIO) return { clientBound: false, because: null };
  return {
    clientBound: true,
    because: sameMachine
      ? 'it shares the CPUs of one machine with the server, and hardly any CPU time was left'
      : 'hardly any CPU time was left on the machine that makes the load',
  };
}

/**
 * Notes other work on the machine that lowered the figures.
 * @param {Seen} seen
 * @returns {string[]}
 */
function disturbances({ clientCores, serverCores, machineBusyRatio, machineCores, sameMachine }) {
  const own = clientCores + (sameMachine ? (serverCores ?? 0) : 0);
  if (machineBusyRatio < MACHINE_BUSY_RATIO || own >= OWN_SHARE * machineCores) return [];
  return [
    'Other work on this machine took about ' +
      `${(machineBusyRatio * machineCores - own).toFixed(1)} of its ${machineCores} ` +
      'CPUs: these figures are lower than they would be without it.',
  ];
}

/**
 * Whether the server has no CPU left.
 * @param {number | null} serverCores used
 * @param {number | null} cores
 */
const serverBusy = (serverCores, cores) =>
  serverCores !== null && cores !== null && serverCores >= SERVER_BUSY_RATIO * cores;

/**
 * Whether one more process might help.
 * @param {{ client: { busyRatio: number }, serverCores: number | null }} sample
 * @param {number | null} cores
 */
const wantsProcess = ({ client, serverCores }, cores) =>
  client.busyRatio >= CLIENT_BUSY_RATIO && !serverBusy(serverCores, cores);

module.exports = { findCount, clientLimit, disturbances, wantsProcess };
