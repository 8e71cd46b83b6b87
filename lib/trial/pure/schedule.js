'use strict';

/**
 * The order of the blocks of a trial. A pair is two blocks next to each other, one of each setting.
 * The order within a pair is random, so that nothing that beats in time with the blocks can pass
 * for an effect; as many pairs begin with A as with B, so that a load that grows or shrinks evenly
 * cancels out (docs/dev/decisions/0004-trials-in-balanced-pairs.md).
 *
 * @typedef {'A' | 'B'} Side `A`: as it is; `B`: as proposed
 * @typedef {{ number: number, pair: number, setting: Side }} Slot both counted from 1
 */

/**
 * @param {number} blocks an even number
 * @param {() => number} random a source such as Math.random
 * @returns {Slot[]}
 */
function makeSchedule(blocks, random) {
  const pairs = blocks / 2;
  const first = shuffled(
    Array.from({ length: pairs }, (_, i) => /** @type {Side} */ (i % 2 === 0 ? 'A' : 'B')),
    random,
  );
  // With an odd number of pairs one order comes once more; which one is random, too.
  const turned = pairs % 2 === 1 && random() < 0.5 ? first.map(other) : first;
  return turned.flatMap((setting, i) =>
    [setting, other(setting)].map((one, k) => ({
      number: 2 * i + k + 1,
      pair: i + 1,
      setting: one,
    })),
  );
}

/** @param {Side} setting @returns {Side} */
const other = (setting) => (setting === 'A' ? 'B' : 'A');

/**
 * Shuffles a list by the method of Fisher and Yates.
 * @template T @param {T[]} list @param {() => number} random @returns {T[]}
 */
function shuffled(list, random) {
  const all = [...list];
  for (let i = all.length - 1; i > 0; i -= 1) {
    const k = Math.floor(random() * (i + 1));
    [all[i], all[k]] = [all[k], all[i]];
  }
  return all;
}

/** Two pairs are the fewest that have a spread. */
const BLOCKS = Object.freeze({ min: 4, max: 200 });

module.exports = { makeSchedule, BLOCKS };
