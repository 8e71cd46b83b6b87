'use strict';

/**
 * @param {ArrayLike<number>} values not changed; what is not a number does not count
 * @param {number} share 0 to 1
 * @returns {number} NaN where there is none
 */
function quantile(values, share) {
  const known = Float64Array.from(values)
    .filter((value) => !Number.isNaN(value))
    .sort();
  return known.length === 0
    ? NaN
    : known[Math.min(known.length - 1, Math.floor(share * known.length))];
}

module.exports = { quantile };
