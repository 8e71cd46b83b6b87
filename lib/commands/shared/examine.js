'use strict';

const { collectServer } = require('../../collect/facts');
const { mapServerError } = require('../../server-errors');
const { collectSettings } = require('./settings');

/**
 * What a command about settings needs to know of its server.
 * @param {import('../../context').Context} ctx
 * @returns {Promise<{ facts: import('../../model/facts').Facts, settings:
 *   import('./settings').Settings }>}
 * @throws {import('../../errors').TuneError} TUNE-2xxxx
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
