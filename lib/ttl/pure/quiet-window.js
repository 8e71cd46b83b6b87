'use strict';

/**
 * Moves a moment into the quiet hours of a day, twice the same: for an application in JavaScript,
 * and for the server in operators that every release since 4.2 has. A moment in quiet hours stays;
 * any other moves to the next quiet hours, to the place there that it had in its day. So nothing is
 * deleted earlier than it was due, and at most a day later.
 *
 */

const { HOUR_MS, DAY_MS } = require('./ttl');

/**
 * @import { Quiet, TtlIndex } from './ttl'
 */

/** @param {Quiet} quiet @returns {string} */
const quietFunction = ({ hour, hours }) =>
  `(due) => { const at = (due - ${hour * HOUR_MS}) % ${DAY_MS}; return at < ` +
  `${hours * HOUR_MS} ? due : new Date(due - at + ${DAY_MS} + Math.trunc(at * ${hours} / 24)); }`;

/** @param {object} due an expression of a date @param {Quiet} quiet @returns {object} */
function quietExpression(due, { hour, hours }) {
  const moved = {
    $add: [
      { $subtract: ['$$due', '$$at'] },
      DAY_MS,
      { $trunc: { $divide: [{ $multiply: ['$$at', hours] }, 24] } },
    ],
  };
  return {
    $let: {
      vars: { due },
      in: {
        $let: {
          vars: { at: { $mod: [{ $subtract: [{ $toLong: '$$due' }, hour * HOUR_MS] }, DAY_MS] } },
          in: { $cond: [{ $lt: ['$$at', hours * HOUR_MS] }, '$$due', moved] },
        },
      },
    },
  };
}

/**
 * When a document is deleted: by the first of the indexes.
 * @param {readonly TtlIndex[]} indexes
 * @returns {object} null where none has a date
 */
function dueExpression(indexes) {
  const dues = indexes.map(({ field, expireAfterSeconds }) => ({
    $cond: [
      { $eq: [{ $type: `$${field}` }, 'date'] },
      { $add: [`$${field}`, Number(expireAfterSeconds) * 1000] },
      null,
    ],
  }));
  return dues.length === 1 ? dues[0] : { $min: dues };
}

module.exports = { quietFunction, quietExpression, dueExpression };
