'use strict';

const { TuneError } = require('../errors');

const UNAUTHORIZED = 13;
/** No collection has this name: nothing can happen to it. */
const NOBODYS = 'mongosh_tune_asks_whether_it_may';

/**
 * Whether this user may rename and make a view in one step. Where an applyOps has several operations, one of which renames or
 * creates, the server wants a user who may do everything: root may not (seen on 6.0). Better to know before the copy than after it.
 * @param {import('./server').Port} port @param {string} db
 * @throws {TuneError} TUNE-20005
 */
async function checkMayCut(port, db) {
  const op = { op: 'c', ns: `${db}.$cmd`, o: { renameCollection: `${db}.${NOBODYS}`, to: `${db}.${NOBODYS}_either` } };
  try {
    await port.adminCommand({ applyOps: [op, op] });
  } catch (error) {
    if (/** @type {any} */ (error).code !== UNAUTHORIZED) return;
    throw new TuneError('TUNE-20005', 'The user you are logged in as may not cut a collection off: two steps of applyOps at once need the action anyAction on anyResource, which not even the role root has.', { value: 'applyOps', allowed: 'anyAction on anyResource', cause: error });
  }
}

module.exports = { checkMayCut };
