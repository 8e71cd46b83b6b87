'use strict';

const { count, duration, roughly } = require('../base/pure/units');

/**
 * `120,000 of about 2 M documents, 41,000/s, 46 s left`
 * @param {number} done
 * @param {number} all an estimate; 0 is not known
 * @param {Date} since
 * @param {number} [before] of those done, what was done then
 */
function rate(done, all, since, before = 0) {
  const left = leftMs(done - before, all - before, since);
  return (
    `${count(done)}${all > 0 ? ` of about ${roughly(all)}` : ''} documents, ` +
    `${count(Math.round(perMs(done - before, since) * 1000))}/s${left === null ? '' : `, ${duration(left)} left`}`
  );
}

/**
 * ` 6%, 5 min 40 s left`; nothing where it is not known.
 * @param {number} done
 * @param {number} all
 * @param {Date} since
 * @param {number} before
 */
function shareAndLeft(done, all, since, before) {
  const left = leftMs(done - before, all - before, since);
  return left === null ? '' : ` ${((100 * done) / all).toFixed(0)}%, ${duration(left)} left`;
}

/** @param {number} done @param {Date} since */
const perMs = (done, since) => done / Math.max(1, Date.now() - since.getTime());

/**
 * Whole seconds: it is an estimate.
 * @param {number} done
 * @param {number} all
 * @param {Date} since
 * @returns {number | null}
 */
const leftMs = (done, all, since) =>
  all > done && done > 0 ? Math.ceil((all - done) / perMs(done, since) / 1000) * 1000 : null;

module.exports = { rate, shareAndLeft };
