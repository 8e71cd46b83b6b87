'use strict';

/**
 * @import { Random } from './zipfian'
 */

/**
 * Draws kinds of operations by their shares.
 * @template {string} K
 * @param {readonly (readonly [K, number])[]} shares together 1
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
    // What rounding leaves over.
    return shares[shares.length - 1][0];
  };
}

module.exports = { mix };
