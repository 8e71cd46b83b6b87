'use strict';

/**
 * @import { Result } from './suites'
 */

/**
 * The last line of a run: suites count their tests, every other check counts as one.
 * @param {Pick<Result, 'passed' | 'failed' | 'skipped'>[]} results
 * @returns {{ failed: number, line: string }}
 */
function total(results) {
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ what) =>
    results.reduce((all, result) => all + result[what], 0);
  const skipped = sum('skipped');
  return {
    failed: sum('failed'),
    line:
      `${sum('passed')} passed, ${sum('failed')} ` +
      `failed${skipped > 0 ? `, ${skipped} skipped` : ''}`,
  };
}

module.exports = { total };
