'use strict';

const { collectOptions } = require('./options');
const { mapServerError } = require('../base/server-errors');

/**
 * What one server tells of its own configuration.
 * @typedef {import('./options').Told & { host: string, version: string |
 *   null, notes: string[] }} Told
 */

/**
 * @param {import('../base/context').Context} ctx
 * @param {string} host as it is to be called
 * @returns {Promise<Told>}
 */
async function toldBy({ port, signal }, host) {
  try {
    const [{ version = null }, told] = await Promise.all([
      port.adminCommand({ buildInfo: 1 }),
      collectOptions(port),
    ]);
    const notes = [
      ...(told.options === null
        ? [
            `${host} may not be asked for the options of its start (getCmdLineOpts, role ` +
              'clusterMonitor).',
          ]
        : []),
      ...(told.parameters === null
        ? [`${host} may not be asked for its parameters (getParameter, role clusterMonitor).`]
        : []),
    ];
    return { host, version, ...told, notes };
  } catch (error) {
    throw mapServerError(error, 'getCmdLineOpts', signal);
  }
}

module.exports = { toldBy };
