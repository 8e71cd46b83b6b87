'use strict';

const { BUILD_INFO } = require('../server/pure/commands');
const { collectOptions } = require('./start-options');
const { mapServerError } = require('../base/server-errors');

/**
 * @import { Context } from '../base/types'
 */

/**
 * What one server reports of its configuration.
 * @typedef {import('./start-options').ReportedOptions & { host: string, version: string |
 *   null, notes: string[] }} ReportedOptions
 */

/**
 * @param {Context} ctx
 * @param {string} host as it is to be called
 * @returns {Promise<ReportedOptions>}
 */
async function reportedOptions({ port, signal }, host) {
  try {
    const [{ version = null }, reported] = await Promise.all([
      port.adminCommand(BUILD_INFO),
      collectOptions(port),
    ]);
    const notes = [
      ...(reported.options === null
        ? [
            `${host} may not be asked for the options of its start (getCmdLineOpts, role ` +
              'clusterMonitor).',
          ]
        : []),
      ...(reported.parameters === null
        ? [`${host} may not be asked for its parameters (getParameter, role clusterMonitor).`]
        : []),
    ];
    return { host, version, ...reported, notes };
  } catch (error) {
    throw mapServerError(error, 'getCmdLineOpts', signal);
  }
}

module.exports = { reportedOptions };
