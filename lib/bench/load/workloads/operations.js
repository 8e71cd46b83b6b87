'use strict';

/** The parts of a workload's operations: keys that are drawn, and commands. */

/**
 * A workload: what the data is, and what is done with it. Pure: randomness comes from outside.
 *
 * @typedef {Record<string, unknown>} Document
 * @typedef {{ kind: string, commands: Document[] }} Operation the commands are sent one after the
 *   other; the latency covers all of them
 * @typedef {{ random: Random, bytes(count: number): Uint8Array }} Source `bytes`: random bytes,
 *   which do not compress
 * @typedef {Source & { records: number, worker: number, workers: number, lanes: number, insertFrom:
 *   number, settings: Settings }} Place `worker` of `workers`, from 0; `lanes`: how many operations
 *   of this worker may be in flight; `insertFrom`: first number of a record that no earlier run has
 *   inserted
 * @typedef {{
 *   indexes: number, perInsert: number, queries: number, keys?: 'zipfian' | 'uniform'
 * }} Settings of iiBench; `keys`: of YCSB, zipfian by default
 * @typedef {{
 *   name: string, data: string, say: string, source: string, collection: string,
 *   documentBytes: number, defaultRecords: number, kinds: readonly string[],
 *   indexes(settings: Settings): Document[], document(number: number, source: Source): Document,
 *   operations(place: Place): () => Operation,
 * }} Workload `data`: workloads with the same word share their data; `documentBytes`: approximate,
 *   with indexes; `indexes`: without that of _id
 */

/** @type {Settings} */
const SETTINGS = Object.freeze({ indexes: 3, perInsert: 100, queries: 0 });

/** @param {number} from @param {number} to inclusive @param {Random} random */
const between = (from, to, random) => from + Math.floor(random() * (to - from + 1));

/**
 * Makes a find with one reply: its batch holds more documents than any workload asks for.
 * @param {string} collection
 * @param {Document} query
 * @param {Document} [more]
 * @returns {Document}
 */
const find = (collection, query, more) => ({
  find: collection,
  filter: query,
  ...more,
  singleBatch: true,
});

/** @param {string} collection @param {unknown} _id @param {Document} change @returns {Document} */
const updateOne = (collection, _id, change) => ({
  update: collection,
  updates: [{ q: { _id }, u: change }],
});

/** @param {string} collection @param {Document[]} documents @returns {Document} */
const insert = (collection, documents) => ({ insert: collection, documents, ordered: false });

/**
 * Computes FNV-1a over the 8 bytes of a whole number, as YCSB does (Utils.fnvhash64): 64 bits, then
 * the absolute value. It works on halves of 32 bits, because a BigInt for each of the 8 steps would
 * cost more than the rest of an operation.
 */

// The prime is 2^40 + 435: the product is the value shifted by 40, and 435 times the value.
const PRIME_LOW = 435;
const BASIS_HIGH = 0xcbf29ce4;
const BASIS_LOW = 0x84222325;
const TWO_32 = 2 ** 32;

/**
 * @param {number} number a whole number from 0 on
 * @returns {{ high: number, low: number }} the halves of a number from 0 to 2^63
 */
function fnv(number) {
  let [high, low, rest] = [BASIS_HIGH, BASIS_LOW, number];
  for (let i = 0; i < 8; i++) {
    low = (low ^ (rest % 256)) >>> 0;
    rest = Math.floor(rest / 256);
    const product = low * PRIME_LOW;
    high = (high * PRIME_LOW + Math.floor(product / TWO_32) + low * 256) % TWO_32;
    low = product % TWO_32;
  }
  return high >= TWO_32 / 2 ? negative(high, low) : { high, low };
}

/**
 * @param {number} high
 * @param {number} low of a negative number
 * @returns {{ high: number, low: number }} the halves of the number without its sign
 */
function negative(high, low) {
  return low === 0
    ? { high: (TWO_32 - high) % TWO_32, low }
    : { high: TWO_32 - 1 - high, low: TWO_32 - low };
}

/** Factor of 16 bits: the product of half the bits stays exact up to 2^36 items. */
const TWO_16 = 2 ** 16;

/**
 * @param {number} number
 * @param {number} items up to 2^36
 * @returns {number} 0 to items − 1, the hash modulo items
 */
function fnvModulo(number, items) {
  const { high, low } = fnv(number);
  const upper = ((high % items) * TWO_16 + Math.floor(low / TWO_16)) % items;
  return (upper * TWO_16 + (low % TWO_16)) % items;
}

/** @param {number} number @returns {string} the hash in decimal digits */
function fnvText(number) {
  const { high, low } = fnv(number);
  return String(BigInt(high) * 4294967296n + BigInt(low));
}

/**
 * Draws numbers from 0 on, of which the small ones come often: rank r with a probability near 1 /
 * (r + 1)^θ. The algorithm is that of Gray et al., "Quickly Generating Billion-Record Synthetic
 * Databases" (SIGMOD 1994), which YCSB uses: exact for the first two ranks, by a continuous curve
 * for the others.
 */

/** YCSB's constant. */
const THETA = 0.99;

/** @typedef {() => number} Random at least 0, below 1 */

/**
 * @param {number} items how many numbers there are
 * @param {Random} random
 * @param {{ theta?: number, zeta?: number }} [options] `zeta`: that of `items`, where it is known;
 *   summing up 10^10 terms takes minutes
 * @returns {(count?: number) => number} `count`: how many items there are now, never fewer than
 *   before
 */
function zipfian(items, random, { theta = THETA, zeta = zetaOf(0, items, theta, 0) } = {}) {
  const alpha = 1 / (1 - theta);
  const zetaOfTwo = zetaOf(0, 2, theta, 0);
  const second = 1 + 0.5 ** theta;
  let [counted, sum, eta] = [items, zeta, etaOf(items, theta, zetaOfTwo, zeta)];
  return (count = counted) => {
    if (count > counted) {
      // Add only the terms of the new items; do not sum up the others again.
      sum = zetaOf(counted, count, theta, sum);
      counted = count;
      eta = etaOf(counted, theta, zetaOfTwo, sum);
    }
    const u = random();
    if (u * sum < 1) return 0;
    if (u * sum < second) return 1;
    return Math.floor(counted * (eta * u - eta + 1) ** alpha);
  };
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} theta
 * @param {number} sum the sum of the terms before `from`
 * @returns {number}
 */
function zetaOf(from, to, theta, sum) {
  let total = sum;
  for (let i = from; i < to; i++) total += 1 / (i + 1) ** theta;
  return total;
}

/** @param {number} items @param {number} theta @param {number} zetaOfTwo @param {number} zeta */
const etaOf = (items, theta, zetaOfTwo, zeta) =>
  (1 - (2 / items) ** (1 - theta)) / (1 - zetaOfTwo / zeta);

/** Decides which record an operation uses: the distributions of YCSB, from 0 to items − 1. */

// YCSB draws from 10^10 items: hashing scatters the popular ones evenly, however many records there
// are. YCSB publishes the sum of the 10^10 terms of zeta (ScrambledZipfianGenerator).
const SCRAMBLED_ITEMS = 10_000_000_000;
const SCRAMBLED_ZETA = 26.46902820178302;

/** @param {number} items @param {Random} random @returns {() => number} */
const uniform = (items, random) => () => Math.floor(random() * items);

/**
 * Draws records by zipf, with the popular ones scattered over all of them.
 * @param {number} items
 * @param {Random} random
 * @returns {() => number}
 */
function scrambled(items, random) {
  const rank = zipfian(SCRAMBLED_ITEMS, random, { zeta: SCRAMBLED_ZETA });
  return () => fnvModulo(rank(), items);
}

/**
 * Draws records by zipf and age: the newest record is the most popular.
 * @param {number} items
 * @param {Random} random
 * @returns {(count: number) => number} 0 for the newest; `count`: how many records there are now
 */
const latest = (items, random) => zipfian(items, random);

/**
 * Draws kinds of operations by their shares.
 * @template {string} K
 * @param {readonly (readonly [K, number])[]} shares of the kinds, 1 in total
 * @param {Random} random
 * @returns {() => K}
 */
function mix(shares, random) {
  return () => {
    let rest = random();
    for (const [kind, share] of shares) {
      if (rest < share) return kind;
      rest -= share;
    }
    // Rounding may leave the shares a little below 1.
    return shares[shares.length - 1][0];
  };
}

module.exports = {
  fnvModulo,
  fnvText,
  zipfian,
  zetaOf,
  THETA,
  uniform,
  scrambled,
  latest,
  SCRAMBLED_ITEMS,
  SCRAMBLED_ZETA,
  mix,
  SETTINGS,
  between,
  find,
  updateOne,
  insert,
};
