'use strict';

/**
 * @import { Facts } from './facts'
 */

/**
 * A live server that cannot be examined is refused with an error; a recording of one is read, and
 * this is the answer.
 * @param {Pick<Facts, 'role' | 'engine'>} facts
 * @returns {string | null} why nothing can be said of its cache
 */
function whyNotExaminable({ role, engine }) {
  if (role === 'mongos')
    return (
      'This is a recording of a mongos, which has no storage engine; look at the mongod that ' +
      'is slow.'
    );
  if (role === 'arbiter') return 'This is a recording of an arbiter, which stores no data.';
  if (engine !== null && engine !== 'wiredTiger')
    return `This server stored its data with "${engine}", which has no WiredTiger cache.`;
  return null;
}

module.exports = { whyNotExaminable };
