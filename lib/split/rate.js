'use strict';

/**
 * `120,000 of 2,000,000 documents, 41,000/s, 46 s left`
 * @param {number} done @param {number} all an estimate; 0 is not known @param {Date} since
 */
function rate(done, all, since) {
  const perSec = done / Math.max(0.001, (Date.now() - since.getTime()) / 1000);
  const left = all > done && perSec > 0 ? `, ${Math.ceil((all - done) / perSec)} s left` : '';
  return `${number(done)}${all > 0 ? ` of about ${number(all)}` : ''} documents, ${number(Math.round(perSec))}/s${left}`;
}

/** @param {number} value */
const number = (value) => value.toLocaleString('en-US');

module.exports = { rate };
