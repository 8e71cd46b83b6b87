'use strict';

/**
 * @import { TimeSeries } from './line'
 */

/**
 * What stands one below the other. What has the highest rank goes first where there are too few
 * rows.
 * @typedef {{ rank: number, lines: readonly TimeSeries[] }} Block
 */

/** @param {readonly Block[]} blocks @param {number} rows @returns {TimeSeries[]} not more than that */
function stack(blocks, rows) {
  const kept = [...blocks];
  const taken = () => kept.reduce((total, { lines }) => total + lines.length, 0);
  while (taken() > rows && kept.length > 1)
    kept.splice(kept.indexOf(kept.reduce((a, b) => (b.rank >= a.rank ? b : a))), 1);
  return kept.flatMap(({ lines }) => lines).slice(0, rows);
}

module.exports = { stack };
