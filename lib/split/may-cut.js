'use strict';

const { TuneError } = require('../errors');
const { eachAlone, nothing } = require('./one-step');

const UNAUTHORIZED = 13;

/**
 * Whether this user may rename by applyOps: asked with names that nobody has. Better to know before the copy than after it.
 * @param {import('./server').Port} port @param {string} db
 * @throws {TuneError} TUNE-20005
 */
async function checkMayCut(port, db) {
  try {
    await port.adminCommand({ applyOps: eachAlone([nothing(db)]) });
  } catch (error) {
    if (/** @type {any} */ (error).code !== UNAUTHORIZED) return;
    throw new TuneError('TUNE-20005', `The user you are logged in as may not cut a collection off: that takes readWrite on ${db} and the cluster action applyOps, which no built-in role but root has; a role of your own gives it.`, { value: 'applyOps', allowed: `readWrite on ${db}, applyOps on the cluster`, cause: error });
  }
}

module.exports = { checkMayCut };
