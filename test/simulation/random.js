'use strict';

/**
 * Choices without a state: each is a hash of the seed, of who chooses and of how often they did. So
 * one choice that is left out (shrink.js) changes none of the others.
 * @param {number} seed
 * @param {number} stream
 * @param {number} n
 * @param {number} [k]
 * @returns {number} from 0 to 1, without 1
 */
function roll(seed, stream, n, k = 0) {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(stream + 0x7f4a7c15, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15) ^ Math.imul(n + 1, 0x27d4eb2f), 0x165667b1);
  h = Math.imul(h ^ (h >>> 13) ^ Math.imul(k + 1, 0x9e3779b1), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 16), 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 13), 0x27d4eb2f);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** One chooser with a count of its own. @param {number} seed @param {number} stream */
function makeDice(seed, stream) {
  let n = 0;
  const next = () => roll(seed, stream, n++, 77);
  return {
    next,
    chance: (/** @type {number} */ ratio) => next() < ratio,
    int: (/** @type {number} */ below) => Math.floor(next() * below),
    pick: (/** @type {readonly any[]} */ list) => list[Math.floor(next() * list.length)],
    /** Evenly over the orders of magnitude. @param {number} from @param {number} to */
    log: (from, to) => from * (to / from) ** next(),
  };
}

/** The seed of one schedule of a run. @param {number} seed @param {number} index */
const seedOf = (seed, index) => Math.floor(roll(seed, 991, index) * 4294967296);

module.exports = { roll, makeDice, seedOf };
