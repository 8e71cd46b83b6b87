'use strict';

const { showRatio } = require('./interval');

/**
 * What is expected of a change: `×1.54 (×0.95 to ×2.10)`.
 * @param {{ ratio: number, low: number, high: number }} expected
 */
const expectedWords = ({ ratio, low, high }) =>
  `${showRatio(ratio)} (${showRatio(low)} to ${showRatio(high)})`;

module.exports = { expectedWords };
