'use strict';

const { collectServer } = require('../server/facts');
const { mapServerError } = require('../base/server-errors');
const { collectSettings } = require('./settings');

/**
 * @import { Context } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Facts } from '../server/pure/facts'
 * @import { Settings } from './settings'
 */

/**
 * What a command about settings needs to know of its server.
 * @param {Context} ctx
 * @returns {Promise<{ facts: Facts, settings:
 *   Settings }>}
 * @throws {TuneError} TUNE-2xxxx
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
