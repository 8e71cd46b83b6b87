'use strict';

const { SLOT_MS, stallsIn } = require('./worker/recorder');
const { MICROS_PER_MS } = require('../../base/pure/units');
const { Histogram } = require('../pure/histogram');

/**
 * @import { Stalls } from './worker/recorder'
 * @import { Measured } from './worker/measure'
 * @import { Merged } from './types'
 */

/**
 * What several workers have measured, as one.
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
    measured.map((one) => one.ops),
    slots,
    (a, b) => a + b,
  );
  const sumMs = added(
    measured.map((one) => one.sumMs),
    slots,
    (a, b) => a + b,
  );
  const maxMs = added(
    measured.map((one) => one.maxMs),
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

/** @param {readonly Measured[]} measured @param {'missed' | 'notStarted' | 'cpuMs'} what */
const totalOf = (measured, what) => measured.reduce((sum, one) => sum + one[what], 0);

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
  for (const { kind, ops, histogram } of measured.flatMap((one) => one.kinds)) {
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
  for (const one of histograms) whole.add(one.toCounts());
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
 * Whole seconds only.
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
const sum = (list) => list.reduce((all, one) => all + one, 0);

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

module.exports = { mergeResults };
