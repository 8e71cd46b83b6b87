'use strict';

const os = require('node:os');

/**
 * Whether the server runs on the machine of this shell.
 * @param {import('../base/context').Port} port
 * @returns {Promise<boolean>} false also where it does not tell
 */
async function sameMachine(port) {
  try {
    const { system } = await port.adminCommand({ hostInfo: 1 });
    return String(system?.hostname ?? '').split(':')[0] === os.hostname();
  } catch (_missingPrivilege) {
    return false;
  }
}

module.exports = { sameMachine };
