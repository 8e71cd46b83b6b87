'use strict';

const BARS = '▁▂▃▄▅▆▇█';
const NOTHING = ' ';

/**
 * A row of small bars from zero to the greatest value, the last `width` values.
 * @param {readonly (number | undefined)[]} values @param {{ width: number, top?: number }} options
 *   `top`: value of a full bar, when the scale is not to follow the values
 * @returns {string} exactly `width` characters, the newest at the right
 */
function spark(values, { width, top }) {
  const shown = values.slice(-width);
  const highest =
    top ?? shown.reduce((/** @type {number} */ best, value) => Math.max(best, value ?? 0), 0);
  return shown
    .map((value) => bar(value, highest))
    .join('')
    .padStart(width, NOTHING);
}

/** @param {number | undefined} value @param {number} highest */
function bar(value, highest) {
  if (value === undefined) return NOTHING;
  if (highest <= 0) return BARS[0];
  return BARS[
    Math.max(0, Math.min(BARS.length - 1, Math.round((value / highest) * (BARS.length - 1))))
  ];
}

module.exports = { spark };
