'use strict';

const { BUILD_INFO } = require('../server/pure/commands');
const { collectOptions } = require('./start-options');
const { mapServerError } = require('../base/server-errors');

/**
 * @import { Context } from '../base/types'
 */

/**
 * The configuration that one server reports.
 * @typedef {import('./start-options').ReportedOptions & { host: string, version: string |
 *   null, notes: string[] }} ReportedOptions
 */

/**
 * @param {Context} ctx
 * @param {string} host the name to show
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
            `The start-up options of ${host} cannot be read (getCmdLineOpts, role ` +
              'clusterMonitor).',
          ]
        : []),
      ...(reported.parameters === null
        ? [`The parameters of ${host} cannot be read (getParameter, role clusterMonitor).`]
        : []),
    ];
    return { host, version, ...reported, notes };
  } catch (error) {
    throw mapServerError(error, 'getCmdLineOpts', signal);
  }
}

module.exports = { reportedOptions };
