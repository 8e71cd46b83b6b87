'use strict';

const { growth, perSecond, secondsBetween } = require('./growth');

/**
 * @import { Counter } from './counters'
 * @import { Sample } from './sample'
 */

/**
 * Samples over a while, of one run of one server. All questions about change over time are asked
 * here. `restarts`: how often the server was found restarted among the samples given; the window
 * begins after the last restart.
 * @typedef {{
 *   from: Date, to: Date, seconds: number, samples: readonly Sample[], restarts: number
 * }} Window
 */

/**
 * @param {readonly Sample[]} samples in the order of time; at least one
 * @returns {Window}
 */
function makeWindow(samples) {
  const starts = samples.flatMap((sample, i) =>
    i > 0 && wasRestarted(samples[i - 1], sample) ? [i] : [],
  );
  const kept = samples.slice(starts.at(-1) ?? 0);
  const [first, last] = [kept[0], kept[kept.length - 1]];
  return {
    from: new Date(first.atMs),
    to: new Date(last.atMs),
    seconds: secondsBetween(first, last),
    samples: kept,
    restarts: starts.length,
  };
}

/**
 * Uptimes were seen to shrink by a millisecond without a restart; a server that restarts loses more
 * than this.
 */
const CLOCK_SLACK_MS = 1000;

/** @param {Sample} before @param {Sample} after */
const wasRestarted = (before, after) =>
  before.uptimeMs !== null &&
  after.uptimeMs !== null &&
  after.uptimeMs < before.uptimeMs - CLOCK_SLACK_MS;

/** @param {Window} window @param {Counter} name @returns {Sample[]} */
const having = (window, name) =>
  window.samples.filter((sample) => sample.counters[name] !== undefined);

/**
 * @param {Window} window
 * @param {Counter} name
 * @returns {number[]} what each sample that has the metric says
 */
const values = (window, name) =>
  having(window, name).map((sample) => /** @type {number} */ (sample.counters[name]));

/**
 * Growth of a counter over the window.
 * @param {Window} window
 * @param {Counter} name
 * @returns {number | undefined} undefined: fewer than two samples, or it shrank
 */
function delta(window, name) {
  const [from, to] = ends(window, name);
  return from === to ? undefined : growth(from?.counters[name], to?.counters[name]);
}

/**
 * The first and the last sample that have it, without a list of all: this is asked hundreds of
 * times.
 * @param {Window} window
 * @param {Counter} name
 * @returns {(Sample | undefined)[]}
 */
function ends({ samples }, name) {
  const reports = (/** @type {Sample} */ sample) => sample.counters[name] !== undefined;
  return [samples.find(reports), samples.findLast(reports)];
}

/**
 * Growth per second over the window.
 * @param {Window} window @param {Counter} name @returns {number | undefined}
 */
function rate(window, name) {
  const [from, to] = ends(window, name);
  return from === undefined || to === undefined
    ? undefined
    : perSecond(delta(window, name), secondsBetween(from, to));
}

/**
 * Computes growth per second between neighbours; a counter that shrank, or without time in between,
 * is left out.
 * @param {Window} window @param {Counter} name @returns {number[]}
 */
function rates(window, name) {
  const known = having(window, name);
  return known.slice(1).flatMap((sample, i) => {
    const grown = growth(known[i].counters[name], sample.counters[name]);
    return perSecond(grown, secondsBetween(known[i], sample)) ?? [];
  });
}

/** @param {Window} window @param {Counter} name @returns {number | undefined} */
const last = (window, name) => ends(window, name)[1]?.counters[name];

/** @param {Window} window @param {Counter} name @returns {number | undefined} */
const first = (window, name) => ends(window, name)[0]?.counters[name];

/** @param {Window} window @param {Counter} name @returns {number | undefined} */
function mean(window, name) {
  const known = values(window, name);
  return known.length === 0
    ? undefined
    : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** @param {Window} window @param {Counter} name @returns {number | undefined} */
function max(window, name) {
  const known = values(window, name);
  return known.length === 0 ? undefined : known.reduce((a, b) => Math.max(a, b));
}

/**
 * Computes the median without sort(): that of mongosh makes a generator for each comparison.
 * @param {Window} window
 * @param {Counter} name
 * @returns {number | undefined} the lower one of two middle values
 */
function median(window, name) {
  const known = values(window, name).toSorted((a, b) => a - b);
  return known[Math.floor((known.length - 1) / 2)];
}

/**
 * Share of the samples for which `test` holds.
 * @param {Window} window
 * @param {Counter} name
 * @param {(value: number) => boolean} test
 * @returns {number | undefined}
 */
function share(window, name, test) {
  const known = values(window, name);
  return known.length === 0 ? undefined : known.filter(test).length / known.length;
}

/**
 * A window never changes, and several metrics ask the same of it.
 * @template T @template [F=undefined]
 * @param {(window: Window, facts: F) => T} work
 * @returns {(window: Window, facts?: F) => T} `facts`: the last ones alone are remembered
 */
function once(work) {
  /** @type {WeakMap<Window, { facts: F, value: T }>} */
  const known = new WeakMap();
  return (window, facts) => {
    const asked = /** @type {F} */ (facts);
    const last = known.get(window);
    const found =
      last && last.facts === asked ? last : { facts: asked, value: work(window, asked) };
    known.set(window, found);
    return found.value;
  };
}

module.exports = {
  once,
  makeWindow,
  values,
  delta,
  rate,
  rates,
  first,
  last,
  mean,
  max,
  median,
  share,
};
