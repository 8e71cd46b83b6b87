'use strict';

const { total } = require('../testing/lanes');

/**
 * @import { Result } from '../testing/suites'
 */

/**
 * @typedef {{ name: string, why: string }} Missing
 */

/**
 * One line for each thing that was tested, and the sum.
 * @param {string} head
 * @param {(Result | Missing)[]} results
 * @returns {{ text: string, code: number }} `code`: also 1 when nothing at all could be had
 */
function matrixTable(head, results) {
  const width = Math.max(head.length, ...results.map(({ name }) => name.length)) + 2;
  const numbers = (/** @type {(string | number)[]} */ cells) =>
    cells.map((cell) => String(cell).padStart(9)).join('');
  const rows = results.map(
    (result) =>
      result.name.padEnd(width) +
      ('why' in result
        ? `  not to be had: ${result.why}`
        : numbers([result.passed, result.failed, result.skipped, Math.round(result.ms / 1000)])),
  );
  const ran = /** @type {Result[]} */ (results.filter((result) => !('why' in result)));
  const { failed, line } = total(ran);
  return {
    text: [
      '',
      head.padEnd(width) + numbers(['passed', 'failed', 'skipped', 'seconds']),
      ...rows,
      '',
      `${ran.length} of ${results.length}, ${results.length - ran.length} not to be had`,
      line,
    ].join('\n'),
    code: failed > 0 || ran.length === 0 ? 1 : 0,
  };
}

module.exports = { matrixTable };
