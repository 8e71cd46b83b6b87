'use strict';

/**
 * Who has which turn: every round has each once, and none always comes first or after the same
 * other one, so that what drifts falls on all alike.
 * @param {number} count of those that take turns
 * @param {number} rounds
 * @returns {number[][]} their numbers, round by round
 */
const turns = (count, rounds) =>
  Array.from({ length: rounds }, (_, round) => {
    const rotated = Array.from({ length: count }, (_one, i) => (i + Math.floor(round / 2)) % count);
    return round % 2 === 0 ? rotated : rotated.reverse();
  });

module.exports = { turns };
