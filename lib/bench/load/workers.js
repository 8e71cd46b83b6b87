'use strict';

const { fork } = require('node:child_process');
const { checkDriver } = require('../../base/driver');
const { programOf } = require('../../base/own-files');
const { TuneError } = require('../../base/pure/errors');
const { withoutSecrets } = require('../../base/server-errors');
const { SLOT_MS, stallsIn } = require('./worker/recorder');
const { MICROS_PER_MS } = require('../../base/pure/units');
const { Histogram } = require('../pure/histogram');

/**
 * @import { Measured } from './worker/measure'
 * @import { Merged } from './types'
 */

/** Starts the processes that make load, and merges what they measured. */

/**
 * The merged result of several workers.
 * @typedef {{ mean: number, p50: number, p95: number, p99: number, p999: number, max: number }}
 *   Latency ms
 * @typedef {{ opsPerSec: number, ops: number, latencyMs: Latency }} OfKind
 * @typedef {{ second: number, opsPerSec: number, meanMs: number | null, maxMs: number | null }}
 *   Second from 1
 */

const PER_SECOND = 1000 / SLOT_MS;

/** @param {readonly Measured[]} measured @param {number} tookMs @returns {Merged} */
function mergeResults(measured, tookMs) {
  const slots = Math.max(1, Math.floor(tookMs / SLOT_MS));
  const ops = added(
    measured.map((worker) => worker.ops),
    slots,
    (a, b) => a + b,
  );
  const sumMs = added(
    measured.map((worker) => worker.sumMs),
    slots,
    (a, b) => a + b,
  );
  const maxMs = added(
    measured.map((worker) => worker.maxMs),
    slots,
    Math.max,
  );
  const kinds = mergeKinds(measured);
  const total = [...kinds.values()].reduce((sum, { ops: some }) => sum + some, 0);
  const perSec = (/** @type {number} */ count) => (count / tookMs) * 1000;
  const whole = mergeHistograms([...kinds.values()].map(({ histogram }) => histogram));
  return {
    opsPerSec: perSec(total),
    ops: total,
    latencyMs: whole && latencyOf(whole),
    stalls: stallsIn(ops),
    perSecond: secondsOf(ops, sumMs, maxMs),
    operations: Object.fromEntries(
      [...kinds]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([kind, one]) => [
          kind,
          { opsPerSec: perSec(one.ops), ops: one.ops, latencyMs: latencyOf(one.histogram) },
        ]),
    ),
    errors: mergeErrors(measured),
    notFound: totalOf(measured, 'missed'),
    notStarted: totalOf(measured, 'notStarted'),
    client: {
      cpuCores: totalOf(measured, 'cpuMs') / tookMs,
      busyRatio: Math.max(0, ...measured.map(({ busyRatio }) => busyRatio)),
    },
  };
}

/** @param {readonly Measured[]} measured @param {'missed' | 'notStarted' | 'cpuMs'} field */
const totalOf = (measured, field) => measured.reduce((sum, worker) => sum + worker[field], 0);

/**
 * @param {ArrayLike<number>[]} lists
 * @param {number} length
 * @param {(a: number, b: number) => number} join
 * @returns {number[]}
 */
const added = (lists, length, join) =>
  Array.from({ length }, (_, i) => lists.reduce((value, list) => join(value, list[i] ?? 0), 0));

/**
 * @param {readonly Measured[]} measured
 * @returns {Map<string, { ops: number, histogram: Histogram }>}
 */
function mergeKinds(measured) {
  /** @type {Map<string, { ops: number, histogram: Histogram }>} */
  const kinds = new Map();
  for (const { kind, ops, histogram } of measured.flatMap((worker) => worker.kinds)) {
    const known = kinds.get(kind) ?? { ops: 0, histogram: new Histogram() };
    known.ops += ops;
    known.histogram.add(histogram);
    kinds.set(kind, known);
  }
  return kinds;
}

/** @param {Histogram[]} histograms @returns {Histogram | null} */
function mergeHistograms(histograms) {
  if (histograms.length === 0) return null;
  const whole = new Histogram();
  for (const histogram of histograms) whole.add(histogram.toCounts());
  return whole;
}

/** @param {Histogram} histogram in microseconds @returns {Latency} */
function latencyOf(histogram) {
  const at = (/** @type {number} */ percent) => histogram.percentile(percent) / MICROS_PER_MS;
  return {
    mean: histogram.mean / MICROS_PER_MS,
    p50: at(50),
    p95: at(95),
    p99: at(99),
    p999: at(99.9),
    max: histogram.max / MICROS_PER_MS,
  };
}

/**
 * Returns the seconds that were measured whole.
 * @param {number[]} ops
 * @param {number[]} sumMs
 * @param {number[]} maxMs
 * @returns {Second[]}
 */
function secondsOf(ops, sumMs, maxMs) {
  return Array.from({ length: Math.floor(ops.length / PER_SECOND) }, (_, second) => {
    const part = (/** @type {number[]} */ list) =>
      list.slice(second * PER_SECOND, (second + 1) * PER_SECOND);
    const done = sum(part(ops));
    return {
      second: second + 1,
      opsPerSec: done,
      meanMs: done === 0 ? null : sum(part(sumMs)) / done,
      maxMs: done === 0 ? null : Math.max(...part(maxMs)),
    };
  });
}

/** @param {readonly number[]} list */
const sum = (list) => list.reduce((all, value) => all + value, 0);

/** @param {readonly Measured[]} measured @returns {Merged['errors']} */
function mergeErrors(measured) {
  /** @type {Map<number | string, { code: number | string, count: number, message: string }>} */
  const byCode = new Map();
  for (const { code, count, message } of measured.flatMap(({ errors }) => errors)) {
    byCode.set(code, { code, message, count: (byCode.get(code)?.count ?? 0) + count });
  }
  const list = [...byCode.values()].sort((a, b) => b.count - a.count);
  return { count: sum(list.map(({ count }) => count)), byCode: list };
}

/**
 * A compiled mongosh is no Node.js, but with this variable it runs scripts as one, for its own
 * package manager. A real Node.js ignores it.
 */
const AS_NODE = Object.freeze({ MONGOSH_RUN_NODE_SCRIPT: '1' });
const MAIN = 'lib/bench/load/worker/main.js';
/** A process that has not quit after this time is killed. */
const QUIT_MS = 2000;

/**
 * @typedef {{
 *   ask(what: string, order?: Record<string, unknown>): Promise<any>, kill(): Promise<void>,
 *   quit(): Promise<void>, pid: number | undefined
 * }} Worker
 * @typedef {(event: { event: string, worker: number, [more: string]: any }) => void} Listener
 */

/**
 * @param {number} number the number of this worker
 * @param {Listener} listen
 * @returns {Worker}
 * @throws {TuneError} TUNE-40011
 */
function startWorker(number, listen) {
  checkDriver('A client process of the benchmark');
  // No arguments: a secret such as a connection string goes over the channel.
  const { main, env } = programOf(MAIN);
  const child = fork(main, [], {
    env: { ...process.env, ...AS_NODE, ...env },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  /** @type {Map<number, { resolve(value: any): void, reject(error: Error): void }>} */
  const waiting = new Map();
  let [asked, said] = [0, ''];
  /** @type {Error | null} */ let dead = null;
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-2000);
  });
  child.on('message', (/** @type {any} */ { id, value, failed, ...event }) => {
    const call = waiting.get(id);
    if (!call) return void (event.event && listen({ ...event, worker: number }));
    waiting.delete(id);
    if (failed) call.reject(asError(failed));
    else call.resolve(value);
  });
  const gone = new Promise((resolve) => {
    const end = (/** @type {string} */ how) => {
      dead ??= died(how, said);
      for (const { reject } of waiting.values()) reject(dead);
      waiting.clear();
      resolve(undefined);
    };
    child.on('error', ({ message }) => end(message));
    child.on('close', (code, signal) => end(`it ended with ${signal ?? code}`));
  });
  const ask = (/** @type {string} */ what, order = {}) =>
    new Promise((resolve, reject) => {
      if (dead) return void reject(dead);
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      child.send({ ...order, id, do: what }, (error) => {
        if (error && waiting.delete(id)) reject(dead ?? died(error.message, said));
      });
    });
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  return {
    ask,
    kill,
    pid: child.pid,
    async quit() {
      const late = setTimeout(() => child.kill('SIGKILL'), QUIT_MS);
      ask('quit').catch(() => {});
      await gone;
      clearTimeout(late);
    },
  };
}

/** @param {{ name: string, code?: number, message: string }} failed */
const asError = ({ name, code, message }) =>
  Object.assign(new Error(withoutSecrets(message)), { name, ...(code !== undefined && { code }) });

/** @param {string} how @param {string} said */
function died(how, said) {
  const line = withoutSecrets(
    said
      .trim()
      .split('\n')
      .findLast((line) => /Error|error/.test(line)) ?? '',
  );
  return new TuneError(
    'TUNE-40007',
    `A client process of the benchmark ended: ${how}${line ? ` (${line})` : ''}.`,
    { value: how },
  );
}

module.exports = { startWorker, mergeResults };
