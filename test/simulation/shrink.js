'use strict';

const { runSchedule } = require('./schedule');

/**
 * @import { Outcome } from './schedule'
 */

/**
 * The same fault with as little as possible: whatever can be left out of a schedule is left out.
 * @param {number} seed
 * @param {any} setting
 * @param {Outcome} outcome
 * @param {object} [options]
 * @returns {Promise<{ outcome: Outcome, disabled: Set<string> }>}
 */
async function shrink(seed, setting, outcome, options = {}) {
  let best = outcome;
  let disabled = new Set();
  const tryWithout = async (/** @type {string[]} */ names) => {
    const wider = new Set([...disabled, ...names]);
    const again = await runSchedule(seed, setting, { ...options, disabled: wider });
    if (again.verdict !== outcome.verdict) return false;
    [best, disabled] = [again, wider];
    return true;
  };
  for (
    let size = Math.ceil(best.taken.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < best.taken.length;) {
      const names = best.taken.slice(from, from + size).map((one) => one.split(' ')[0]);
      if (!(await tryWithout(names))) from += size;
    }
  }
  return { outcome: best, disabled };
}

module.exports = { shrink };
