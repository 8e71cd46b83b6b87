'use strict';

const { fnvModulo } = require('./fnv');
const { zipfian } = require('./zipfian');

/**
 * @import { Random } from './zipfian'
 */

/**
 * Which record an operation is about: the distributions of YCSB, from 0 to items − 1.
 */

// YCSB draws from so many items that hashing spreads the popular ones the same however many records
// there are. Its sum of the 10^10 terms of zeta is published with it (ScrambledZipfianGenerator).
const SCRAMBLED_ITEMS = 10_000_000_000;
const SCRAMBLED_ZETA = 26.46902820178302;

/** @param {number} items @param {Random} random @returns {() => number} */
const uniform = (items, random) => () => Math.floor(random() * items);

/**
 * The popular ones lie scattered.
 * @param {number} items
 * @param {Random} random
 * @returns {() => number}
 */
function scrambled(items, random) {
  const rank = zipfian(SCRAMBLED_ITEMS, random, { zeta: SCRAMBLED_ZETA });
  return () => fnvModulo(rank(), items);
}

/**
 * How many records ago: the newest is the most popular.
 * @param {number} items
 * @param {Random} random
 * @returns {(count: number) => number} 0 for the newest; `count`: as many as there are now
 */
const latest = (items, random) => zipfian(items, random);

module.exports = { uniform, scrambled, latest, SCRAMBLED_ITEMS, SCRAMBLED_ZETA };
