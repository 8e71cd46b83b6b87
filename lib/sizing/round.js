'use strict';

const { GiB } = require('../base/pure/units');

// Steps in which a person would choose a cache: a quarter of a GB while it is small, whole GB when
// it is large. All are whole MB, which is what a WiredTiger configuration string can say.
const STEPS = /** @type {const} */ ([
  [4, 0.25],
  [16, 0.5],
  [Infinity, 1],
]);
// mongod refuses less at its start.
const MIN_GB = 0.25;

/** @param {number} gb */
const stepFor = (gb) =>
  /** @type {readonly [number, number]} */ (STEPS.find(([limit]) => gb <= limit))[1];

/** @param {number} bytes @returns {number} GB, at least as much as asked */
const roundUpGB = (bytes) =>
  Math.max(MIN_GB, Math.ceil(bytes / GiB / stepFor(bytes / GiB)) * stepFor(bytes / GiB));

/**
 * @param {number} bytes
 * @returns {number} GB, at most as much as allowed; 0 when that is less than the least
 */
const roundDownGB = (bytes) => {
  const gb = Math.floor(bytes / GiB / stepFor(bytes / GiB)) * stepFor(bytes / GiB);
  return gb < MIN_GB ? 0 : gb;
};

module.exports = { roundUpGB, roundDownGB };
