'use strict';

const { showRatio } = require('./interval');

/**
 * What is expected of a change: `×1.54 (×0.95 to ×2.10)`, or `×0.95 to ×1.24` where the
 * estimate is the most that it can be.
 * @param {{ ratio: number, low: number, high: number }} expected
 */
const expectedWords = ({ ratio, low, high }) =>
  high > ratio
    ? `${showRatio(ratio)} (${showRatio(low)} to ${showRatio(high)})`
    : `${showRatio(low)} to ${showRatio(high)}`;

module.exports = { expectedWords };
