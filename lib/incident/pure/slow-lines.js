'use strict';

const { quantile } = require('../../base/pure/statistics');
const { MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { RawEvent } from '../types'
 */

/**
 * Slow operations of a log, of which a bad hour has millions: counted by shape, which is collection,
 * command and plan, in steps of ten seconds, without parsing a line. What is looked for has quotes
 * without a backslash before them, so that no text of a user's can imitate it.
 *
 * @typedef {{ ns: string, command: string, plan: string | null }} Shape
 * @typedef {{ firstMs: number, lastMs: number, perSecond: number[], shapes: Map<string, Sum> }} Step
 *   `perSecond`: operations in each second of it
 * @typedef {{ operations: number, maxMs: number }} Sum
 */

const STEP_SECONDS = 10;
const STEP_MS = STEP_SECONDS * MS_PER_SECOND;
/** A shape is a collection with a command: more than this is made by hand. */
const MAX_SHAPES = 500;
const MAX_STEPS = 100_000;
/** Of one step, the shapes counted apart. */
const MAX_SHAPES_OF_STEP = 50;
/** Under which all further shapes of a step are counted. */
const OTHERS = '';
/** A burst has this many slow operations in a step at least (heuristic). */
const MIN_OPERATIONS = 10;
/** … and this many times as many as usual (heuristic). */
const TIMES_USUAL = 5;

/** A burst begins with this share of its greatest second (heuristic). */
const BEGIN_SHARE = 0.2;

const NS = /"ns":"((?:[^"\\]|\\.){1,255})"/;
const COMMAND = /"command":\{"([A-Za-z]{1,40})":/;
/** `command`, or what a part of one is: `update`, `remove`. */
const TYPE = /"type":"([a-z]{1,20})"/;
const PLAN = /"planSummary":"([A-Z_]{1,40})/;

/** Counts slow operations while they pass by. */
class SlowLines {
  constructor() {
    /** @type {Map<number, Step>} */
    this.steps = new Map();
    /** @type {Map<string, Shape>} */
    this.shapes = new Map();
  }

  /** @param {string} line @param {number} atMs */
  add(line, atMs) {
    const durationMs = lastNumber(line, '"durationMillis":');
    // By its end, when it is logged: no effect is then before its cause.
    const step = this.stepAt(atMs);
    const own = this.shapeOf(line);
    const key = step.shapes.has(own) || step.shapes.size < MAX_SHAPES_OF_STEP ? own : OTHERS;
    const sum = step.shapes.get(key) ?? { operations: 0, maxMs: 0 };
    sum.operations++;
    sum.maxMs = Math.max(sum.maxMs, durationMs);
    step.shapes.set(key, sum);
  }

  /** @param {number} atMs @returns {Step} */
  stepAt(atMs) {
    const key = Math.floor(atMs / STEP_MS);
    const step = this.steps.get(key) ?? newStep(atMs);
    step.firstMs = Math.min(step.firstMs, atMs);
    step.lastMs = Math.max(step.lastMs, atMs);
    step.perSecond[Math.floor((atMs % STEP_MS) / MS_PER_SECOND)]++;
    if (this.steps.has(key) || this.steps.size < MAX_STEPS) this.steps.set(key, step);
    return step;
  }

  /** @param {string} line @returns {string} */
  shapeOf(line) {
    const ns = found(NS, line) ?? '?';
    const type = found(TYPE, line) ?? 'operation';
    const command = type === 'command' ? (found(COMMAND, line) ?? type) : type;
    const plan = found(PLAN, line);
    const key = `${ns}\0${command}\0${plan}`;
    if (!this.shapes.has(key) && this.shapes.size < MAX_SHAPES)
      this.shapes.set(key, { ns, command, plan });
    return key;
  }

  /**
   * The times with many more slow operations than usual.
   * @param {number} fromMs of the log
   * @param {number} toMs
   * @returns {Omit<RawEvent, 'host' | 'evidence'>[]}
   */
  bursts(fromMs, toMs) {
    const all = Math.max(1, Math.ceil((toMs - fromMs) / STEP_MS));
    const steps = [...this.steps].sort(([a], [b]) => a - b);
    const counts = steps.map(([, { shapes }]) => operationsIn(shapes));
    const usual = quantile([...counts, ...zeros(all - counts.length)], 0.5);
    const limit = Math.max(MIN_OPERATIONS, TIMES_USUAL * usual);
    return runs(steps.filter((_, i) => counts[i] >= limit)).map((run) => this.burstOf(run, limit));
  }

  /**
   * @param {Step[]} steps that follow each other
   * @param {number} limit operations of a step
   * @returns {Omit<RawEvent, 'host' | 'evidence'>}
   */
  burstOf(steps, limit) {
    /** @type {Map<string, Sum>} */
    const total = new Map();
    for (const { shapes } of steps)
      for (const [key, { operations, maxMs }] of shapes) {
        const sum = total.get(key) ?? { operations: 0, maxMs: 0 };
        total.set(key, {
          operations: sum.operations + operations,
          maxMs: Math.max(sum.maxMs, maxMs),
        });
      }
    const [[top]] = [...total].sort((a, b) => b[1].operations - a[1].operations);
    return {
      code: 'slow-burst',
      fromMs: beginOf(steps[0], limit),
      toMs: steps[steps.length - 1].lastMs,
      count: 1,
      values: {
        operations: operationsIn(total),
        ...(this.shapes.get(top) ?? NO_SHAPE),
        maxMs: Math.max(...[...total.values()].map(({ maxMs }) => maxMs)),
      },
    };
  }
}

/** @param {number} atMs @returns {Step} */
const newStep = (atMs) => ({
  firstMs: atMs,
  lastMs: atMs,
  perSecond: Array.from({ length: STEP_SECONDS }, () => 0),
  shapes: new Map(),
});

/**
 * The second in which it became a burst: before it there were the few of every minute.
 * @param {Step} step
 * @param {number} limit
 */
function beginOf({ firstMs, perSecond }, limit) {
  const many = Math.max(limit / STEP_SECONDS, BEGIN_SHARE * Math.max(...perSecond));
  const second = perSecond.findIndex((operations) => operations >= many);
  return Math.max(firstMs, Math.floor(firstMs / STEP_MS) * STEP_MS + second * MS_PER_SECOND);
}

/** @param {RegExp} pattern @param {string} line @returns {string | null} */
const found = (pattern, line) => pattern.exec(line)?.[1] ?? null;

/** @type {Shape} */
const NO_SHAPE = Object.freeze({ ns: 'many collections', command: 'operations', plan: null });

/** @param {Map<string, { operations: number }>} shapes */
const operationsIn = (shapes) =>
  [...shapes.values()].reduce((sum, { operations }) => sum + operations, 0);

/** As many as a quantile needs: which of them are 0 is all that counts. @param {number} n */
const zeros = (n) => Array.from({ length: Math.max(0, Math.min(n, MAX_STEPS)) }, () => 0);

/**
 * The number behind the last of these words.
 * @param {string} line
 * @param {string} words
 * @returns {number} 0 where there is none
 */
function lastNumber(line, words) {
  const at = line.lastIndexOf(words);
  const value =
    at < 0 ? NaN : Number.parseInt(line.slice(at + words.length, at + words.length + 12), 10);
  return value >= 0 ? value : 0;
}

/**
 * Steps that follow each other, or nearly.
 * @param {readonly [number, Step][]} steps by their number
 * @returns {Step[][]}
 */
function runs(steps) {
  /** @type {{ last: number, steps: Step[] }[]} */
  const made = [];
  for (const [number, step] of steps) {
    const run = made.at(-1);
    if (run !== undefined && number - run.last <= 2) {
      run.steps.push(step);
      run.last = number;
    } else made.push({ last: number, steps: [step] });
  }
  return made.map((run) => run.steps);
}

module.exports = { SlowLines, lastNumber };
