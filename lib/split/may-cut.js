'use strict';

const { TuneError } = require('../errors');
const { takeLock } = require('./one-step');

const UNAUTHORIZED = 13;
const COMMAND_NOT_FOUND = 59;

/**
 * Whether this user may rename by applyOps: asked with names that nobody has. Better to know before the copy than after it.
 * @param {import('./server').Port} port @param {string} db
 * @throws {TuneError} TUNE-20005, TUNE-20003
 */
async function checkMayCut(port, db) {
  try {
    await takeLock(port, db);
  } catch (error) {
    const { code } = /** @type {any} */ (error);
    if (code === COMMAND_NOT_FOUND) throw new TuneError('TUNE-20003', 'A collection can not be cut off through a mongos: it has no applyOps.', { value: 'mongos', allowed: ['mongod'], cause: error });
    if (code !== UNAUTHORIZED) return;
    throw new TuneError('TUNE-20005', `The user you are logged in as may not cut a collection off: that takes readWrite on ${db} and the cluster action applyOps, which no built-in role but root has; a role of your own gives it.`, { value: 'applyOps', allowed: `readWrite on ${db}, applyOps on the cluster`, cause: error });
  }
}

module.exports = { checkMayCut };
