'use strict';

/**
 * Random numbers that are the same in every run (mulberry32).
 * @param {number} seed @returns {() => number} from 0 to below 1
 */
function seeded(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * @param {() => number} random
 * @returns {() => number} of the normal distribution (Box and Muller)
 */
const normal = (random) => () =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

module.exports = { seeded, normal };
