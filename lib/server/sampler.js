'use strict';

const { SAMPLE_STATUS, END_STATUS, DIAGNOSTIC_DATA, TASKS } = require('./pure/commands');
const { readSample, withSystem } = require('./pure/sample');
const { sleep } = require('../base/context');
const { MS_PER_SECOND } = require('../base/pure/units');
const { systemMetricsOf } = require('./pure/system-counters');

/**
 * @import { Port } from '../base/context'
 * @import { Sample } from './pure/sample'
 * @import { Context } from '../base/types'
 */

/**
 * @param {Port} port @param {Record<string, unknown>} [command]
 * @param {ReadDiagnostics} [readDiagnostics] @returns {Promise<Sample>}
 */
async function takeSample(port, command = SAMPLE_STATUS, readDiagnostics = async () => ({})) {
  // Reduced at once, so that the whole status is not held while the machine is waited for.
  const read = async () => readSample(await port.adminCommand(command), Date.now());
  return withSystem(await withDiagnostics(read(), readDiagnostics));
}

/**
 * The pass of the TTL monitor that is under way, and builds of indexes: until 6.0 no counter shows a pass
 * that is longer than the window, and before and after 6.0 none a build.
 * @param {Port} port
 * @returns {Promise<Sample['counters']>} none where the user lacks inprog
 */
async function tasksOf(port) {
  const tasks = (await port.adminCommand(TASKS).catch(() => null))?.cursor?.firstBatch;
  if (!Array.isArray(tasks)) return {};
  const isTtl = (/** @type {any} */ { desc }) => desc === 'TTLMonitor';
  const builds = tasks.filter((task) => !isTtl(task)).length;
  return readSample({ ttlPass: tasks.find(isTtl), runningBuilds: { total: builds } }).counters;
}

/**
 * The first or the last sample of a window: with the sections that rarely change, and tasks. Those
 * are asked for before the first sample and after the last, so that the window does not count the
 * question as an operation.
 * @param {Port} port @param {ReadDiagnostics | undefined} readDiagnostics @param {boolean} isFirst
 * @returns {Promise<Sample>}
 */
async function takeFirstOrLast(port, readDiagnostics, isFirst) {
  const before = isFirst ? await tasksOf(port) : {};
  const sample = await takeSample(port, END_STATUS, readDiagnostics);
  const after = isFirst ? {} : await tasksOf(port);
  return { ...sample, counters: { ...sample.counters, ...before, ...after } };
}

/**
 * Samples at a steady beat until the time is over, Ctrl-C, or the connection is lost; whatever ends
 * it, what was seen is kept.
 * @param {Context} ctx
 * @param {{
 *   seconds: number, every: number, withDiagnosticData?: boolean,
 *   onSample?: (sample: Sample, all: Sample[]) => void
 * }} options seconds; at
 *   least two samples are taken. `withDiagnosticData`: of the machine; `onSample`
 *   may thin out `all`
 * @returns {Promise<{ samples: Sample[], ended: 'complete' | 'interrupted' | 'lost', error: Error |
 *   null }>}
 *   rejects only when there is nothing at all to keep
 */
async function collectSamples(
  ctx,
  { seconds, every, withDiagnosticData = false, onSample = () => {} },
) {
  /** @type {Sample[]} */
  const samples = [];
  const started = performance.now();
  const readDiagnostics = withDiagnosticData ? diagnosticsReader(ctx.port) : undefined;
  try {
    for (let due = 0; due <= seconds + every / 2; due += every) {
      await waitUntil(started + Math.min(due, seconds) * MS_PER_SECOND, ctx.signal);
      const sample = await sampleAt(ctx.port, readDiagnostics, {
        isFirst: samples.length === 0,
        isLast: due + every > seconds + every / 2,
        isLong: seconds + every / 2 >= 2 * every,
      });
      samples.push(sample);
      onSample(sample, samples);
    }
    return { samples, ended: 'complete', error: null };
  } catch (error) {
    if (samples.length === 0) throw error;
    return {
      samples,
      ended: ctx.signal.aborted ? 'interrupted' : 'lost',
      error: /** @type {Error} */ (error),
    };
  }
}

/**
 * Takes one sample. Sections that rarely change are read at both ends; of only two samples the
 * first one has them.
 * @param {Port} port @param {ReadDiagnostics | undefined} readDiagnostics
 * @param {{ isFirst: boolean, isLast: boolean, isLong: boolean }} place `isLong`: there are more than two
 * @returns {Promise<Sample>}
 */
function sampleAt(port, readDiagnostics, { isFirst, isLast, isLong }) {
  if (isLong && (isFirst || isLast)) return takeFirstOrLast(port, readDiagnostics, isFirst);
  return takeSample(port, isFirst ? END_STATUS : SAMPLE_STATUS, readDiagnostics);
}

/** @param {number} moment of performance.now() @param {AbortSignal} signal */
const waitUntil = (moment, signal) => sleep(Math.max(0, moment - performance.now()), signal);

/**
 * The machine in the server's own diagnostic data. mongod keeps its last sample
 * ready, so asking costs it less than a status does; the reply holds a whole status too, 60 kB on
 * 6.0.5 (docs/evidence/machine.md).
 * @typedef {() => Promise<{ systemMetrics?: unknown }>} ReadDiagnostics
 */

/** Do not delay a sample longer than this for getDiagnosticData: it would mask a stall. */
const PATIENCE_MS = 200;

/**
 * @param {Port} port
 * @returns {ReadDiagnostics} nothing where it is refused (it needs further privileges; Atlas and mongos
 *   have none of it), switched off,
 *   or not Linux; a refusal is not asked for again
 */
function diagnosticsReader(port) {
  let isAvailable = true;
  /** @type {Promise<{ systemMetrics?: unknown }> | null} */
  let asked = null;
  const ask = async () => {
    try {
      const found = systemMetricsOf(await port.adminCommand(DIAGNOSTIC_DATA));
      return found ? { systemMetrics: found } : {};
    } catch (_refused) {
      isAvailable = false;
      return {};
    } finally {
      asked = null;
    }
  };
  // Reuse the request that is still in flight.
  return async () => (isAvailable ? (asked ??= ask()) : {});
}

/**
 * A status with diagnostic data of the machine, asked at the same time.
 * @param {Promise<any>} status @param {ReadDiagnostics} readDiagnostics @returns {Promise<any>}
 */
async function withDiagnostics(status, readDiagnostics) {
  const alongside = readDiagnostics();
  const reported = await status;
  return { ...reported, ...(await soon(alongside)) };
}

/** @template T @param {Promise<T>} answer @returns {Promise<T | {}>} */
async function soon(answer) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, {});
  });
  return Promise.race([answer, /** @type {Promise<{}>} */ (late)]).finally(() =>
    clearTimeout(timer),
  );
}

/** Keeps a week of watching as small as ten minutes of it. */
const MAX_SAMPLES = 600;
/** Gauges whose maximum is a metric (server/pure/metrics.js). */
const PEAKS = Object.freeze(
  /** @type {const} */ ([
    'cache.usedBytes',
    'cache.dirtyBytes',
    'cache.dirtyLeafBytes',
    'cache.updatesBytes',
    'queue.readers',
    'queue.writers',
    'eviction.aggressiveScore',
    'checkpoint.lastMs',
    'tickets.readInUse',
    'tickets.writeInUse',
    'transaction.pinnedIds',
  ]),
);

/**
 * Drops what is least missed when there are too many: where samples lie closest together, so that
 * what is left is spread over all of the time. Counters stay exact (only the ends matter); the
 * first and the last sample stay, the most of each level, and what is next to a restart, so that
 * none goes unnoticed.
 * @param {Sample[]} samples changed in place
 */
function downsampleInPlace(samples) {
  while (samples.length > MAX_SAMPLES) samples.splice(minMissed(samples), 1);
}

/** @param {readonly Sample[]} samples @returns {number} a place, neither the first nor the last */
function minMissed(samples) {
  const peaks = new Set(PEAKS.map((name) => peakOf(samples, name)));
  let [found, closest] = [1, Infinity];
  for (let i = 1; i < samples.length - 1; i++) {
    const apartMs = samples[i + 1].atMs - samples[i - 1].atMs;
    if (apartMs < closest && !peaks.has(i) && !isAtRestart(samples, i))
      [found, closest] = [i, apartMs];
  }
  return found;
}

/**
 * @param {readonly Sample[]} samples
 * @param {typeof PEAKS[number]} name
 * @returns {number} the first place of the most; -1: not reported
 */
function peakOf(samples, name) {
  let [found, max] = [-1, -Infinity];
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i].counters[name];
    if (value !== undefined && value > max) [found, max] = [i, value];
  }
  return found;
}

/** @param {readonly Sample[]} samples @param {number} i */
const isAtRestart = (samples, i) =>
  uptimeShrank(samples[i - 1], samples[i]) || uptimeShrank(samples[i], samples[i + 1]);

/**
 * Even a clock correction counts, which is no restart for a Window: keeping a sample costs nothing.
 * @param {Sample} before @param {Sample} after
 */
const uptimeShrank = (before, after) => (after.uptimeMs ?? 0) < (before.uptimeMs ?? 0);

module.exports = {
  collectSamples,
  takeSample,
  diagnosticsReader,
  withDiagnostics,
  PATIENCE_MS,
  downsampleInPlace,
  MAX_SAMPLES,
};
