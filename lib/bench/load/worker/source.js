'use strict';

const { randomFillSync } = require('node:crypto');

/**
 * @import { Source } from '../workloads/operations'
 */

/**
 * So much that repeats within what is compressed together (32 KiB pages) are rare: the documents
 * stay incompressible.
 */
const POOL_BYTES = 8 * 2 ** 20;

/**
 * Randomness for workloads: as cheap as it can be had, and different in every process.
 * @returns {Source}
 */
function makeSource() {
  const pool = randomFillSync(Buffer.allocUnsafe(POOL_BYTES));
  const random = Math.random;
  return {
    random,
    bytes(count) {
      const at = Math.floor(random() * (POOL_BYTES - count));
      return pool.subarray(at, at + count);
    },
  };
}

module.exports = { makeSource };
