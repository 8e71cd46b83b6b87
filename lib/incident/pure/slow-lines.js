'use strict';

const { quantile } = require('../../base/pure/statistics');
const { MS_PER_SECOND } = require('../../base/pure/units');

/**
 * @import { RawEvent } from '../types'
 */

/**
 * Counts the slow operations of a log, of which a bad hour has millions, by shape, which is
 * collection, command and plan, in buckets of ten seconds, without parsing a line. The search only
 * finds quotes without a backslash before them, so that no text of a user can imitate it.
 *
 * @typedef {{ ns: string, command: string, plan: string | null }} Shape
 * @typedef {{ firstMs: number, lastMs: number, perSecond: number[], shapes: Map<string, Sum> }}
 *   Bucket
 *   `perSecond`: operations in each second of the bucket
 * @typedef {{ operations: number, maxMs: number }} Sum
 */

const BUCKET_SECONDS = 10;
const BUCKET_MS = BUCKET_SECONDS * MS_PER_SECOND;
/** A shape is a collection with a command: more than this are made by hand. */
const MAX_SHAPES = 500;
const MAX_BUCKETS = 100_000;
/** A bucket counts at most this many shapes. */
const MAX_SHAPES_OF_BUCKET = 50;
/** Under which all further shapes of a bucket are counted. */
const OTHERS = '';
/** A burst has this many slow operations in a bucket at least (heuristic). */
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
    /** @type {Map<number, Bucket>} */
    this.buckets = new Map();
    /** @type {Map<string, Shape>} */
    this.shapes = new Map();
  }

  /** @param {string} line @param {number} atMs */
  add(line, atMs) {
    const durationMs = lastNumber(line, '"durationMillis":');
    // Use the end of the operation, when it is logged: so no effect comes before its cause.
    const bucket = this.bucketAt(atMs);
    const own = this.shapeOf(line);
    const key = bucket.shapes.has(own) || bucket.shapes.size < MAX_SHAPES_OF_BUCKET ? own : OTHERS;
    const sum = bucket.shapes.get(key) ?? { operations: 0, maxMs: 0 };
    sum.operations++;
    sum.maxMs = Math.max(sum.maxMs, durationMs);
    bucket.shapes.set(key, sum);
  }

  /** @param {number} atMs @returns {Bucket} */
  bucketAt(atMs) {
    const key = Math.floor(atMs / BUCKET_MS);
    const bucket = this.buckets.get(key) ?? newBucket(atMs);
    bucket.firstMs = Math.min(bucket.firstMs, atMs);
    bucket.lastMs = Math.max(bucket.lastMs, atMs);
    bucket.perSecond[Math.floor((atMs % BUCKET_MS) / MS_PER_SECOND)]++;
    if (this.buckets.has(key) || this.buckets.size < MAX_BUCKETS) this.buckets.set(key, bucket);
    return bucket;
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
    const all = Math.max(1, Math.ceil((toMs - fromMs) / BUCKET_MS));
    const buckets = [...this.buckets].sort(([a], [b]) => a - b);
    const counts = buckets.map(([, { shapes }]) => operationsIn(shapes));
    const usual = quantile([...counts, ...zeros(all - counts.length)], 0.5);
    const limit = Math.max(MIN_OPERATIONS, TIMES_USUAL * usual);
    return runs(buckets.filter((_, i) => counts[i] >= limit)).map((run) =>
      this.burstOf(run, limit),
    );
  }

  /**
   * @param {Bucket[]} buckets that follow each other
   * @param {number} limit operations of a bucket
   * @returns {Omit<RawEvent, 'host' | 'evidence'>}
   */
  burstOf(buckets, limit) {
    /** @type {Map<string, Sum>} */
    const total = new Map();
    for (const { shapes } of buckets)
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
      fromMs: beginOf(buckets[0], limit),
      toMs: buckets[buckets.length - 1].lastMs,
      count: 1,
      values: {
        operations: operationsIn(total),
        ...(this.shapes.get(top) ?? NO_SHAPE),
        maxMs: Math.max(...[...total.values()].map(({ maxMs }) => maxMs)),
      },
    };
  }
}

/** @param {number} atMs @returns {Bucket} */
const newBucket = (atMs) => ({
  firstMs: atMs,
  lastMs: atMs,
  perSecond: Array.from({ length: BUCKET_SECONDS }, () => 0),
  shapes: new Map(),
});

/**
 * The second in which it became a burst: before it there were the few of every minute.
 * @param {Bucket} bucket
 * @param {number} limit
 */
function beginOf({ firstMs, perSecond }, limit) {
  const many = Math.max(limit / BUCKET_SECONDS, BEGIN_SHARE * Math.max(...perSecond));
  const second = perSecond.findIndex((operations) => operations >= many);
  return Math.max(firstMs, Math.floor(firstMs / BUCKET_MS) * BUCKET_MS + second * MS_PER_SECOND);
}

/** @param {RegExp} pattern @param {string} line @returns {string | null} */
const found = (pattern, line) => pattern.exec(line)?.[1] ?? null;

/** @type {Shape} */
const NO_SHAPE = Object.freeze({ ns: 'many collections', command: 'operations', plan: null });

/** @param {Map<string, { operations: number }>} shapes */
const operationsIn = (shapes) =>
  [...shapes.values()].reduce((sum, { operations }) => sum + operations, 0);

/** Makes as many as a quantile needs: it only matters how many are 0. @param {number} n */
const zeros = (n) => Array.from({ length: Math.max(0, Math.min(n, MAX_BUCKETS)) }, () => 0);

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
 * Buckets that follow each other, or nearly.
 * @param {readonly [number, Bucket][]} buckets by their number
 * @returns {Bucket[][]}
 */
function runs(buckets) {
  /** @type {{ last: number, buckets: Bucket[] }[]} */
  const made = [];
  for (const [number, bucket] of buckets) {
    const run = made.at(-1);
    if (run !== undefined && number - run.last <= 2) {
      run.buckets.push(bucket);
      run.last = number;
    } else made.push({ last: number, buckets: [bucket] });
  }
  return made.map((run) => run.buckets);
}

module.exports = { SlowLines, lastNumber };
