'use strict';

const { findCollection } = require('./server');

/** In these neither name takes writes: applications wait for whoever goes on. */
const BLOCKED = Object.freeze({
  online: Object.freeze(['draining', 'switching', 'draining-back', 'switching-back']),
  offline: Object.freeze(['created', 'copying', 'indexing', 'switching']),
});
/** In these it is not written down whether the name that answered is cut off. */
const UNSAID = Object.freeze(['cutting', 'cutting-back', 'aborting']);

/**
 * Whether neither name has data, where the phase does not tell.
 * @param {import('./server').Port} port
 * @param {Pick<import('./state').Split, 'phase' | 'from' | 'into'>} split
 * @returns {Promise<boolean>} false also where it is not known
 */
async function isShut(port, { phase, from, into }) {
  if (!UNSAID.includes(phase)) return false;
  const there = await Promise.all(
    [from, into].map(({ db, name }) => findCollection(port, db, name)),
  ).catch(() => []);
  return there.length > 0 && there.every((one) => one?.type !== 'collection');
}

module.exports = { isShut, BLOCKED, UNSAID };
