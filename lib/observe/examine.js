'use strict';

const { collectServer } = require('../server/facts');
const { mapServerError } = require('../base/server-errors');
const { collectSettings } = require('./settings');

/**
 * What a command about settings needs to know of its server.
 * @param {import('../base/context').Context} ctx
 * @returns {Promise<{ facts: import('../server/pure/facts').Facts, settings:
 *   import('./settings').Settings }>}
 * @throws {import('../base/pure/errors').TuneError} TUNE-2xxxx
 */
async function examine(ctx) {
  try {
    const { facts, run } = await collectServer(ctx.port);
    return { facts, settings: await collectSettings(ctx, { ...facts, run }) };
  } catch (error) {
    throw mapServerError(error, 'serverStatus', ctx.signal);
  }
}

module.exports = { examine };
