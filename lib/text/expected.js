'use strict';

const { showRatio } = require('./interval');

/**
 * What is expected of a change: `×1.54 (×0.95 to ×2.10)`, or `at most ×1.24 (from ×0.95)`.
 * @param {{ ratio: number, low: number, high: number }} expected
 */
const expectedWords = ({ ratio, low, high }) =>
  high > ratio
    ? `${showRatio(ratio)} (${showRatio(low)} to ${showRatio(high)})`
    : `at most ${showRatio(ratio)} (from ${showRatio(low)})`;

module.exports = { expectedWords };
