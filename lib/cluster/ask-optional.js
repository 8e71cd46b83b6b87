'use strict';

const { mapServerError, isRefusal } = require('../base/server-errors');

/**
 * @import { Port } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 */

/**
 * @param {Port} port @param {Record<string, unknown>} command
 * @returns {Promise<any>} null where the user may not, or the server does not know it
 * @throws {TuneError} TUNE-20006
 */
async function ask(port, command) {
  const [what] = Object.keys(command);
  try {
    return await port.adminCommand(command);
  } catch (cause) {
    const error = mapServerError(cause, what);
    if (!isRefusal(error)) throw error;
    return null;
  }
}

module.exports = { ask };
