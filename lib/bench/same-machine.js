'use strict';

const { HOST_INFO } = require('../server/pure/commands');

const os = require('node:os');

/**
 * @import { Port } from '../base/context'
 */

/**
 * Whether the server runs on the machine of this shell.
 * @param {Port} port
 * @returns {Promise<boolean>} false also where it does not tell
 */
async function sameMachine(port) {
  try {
    const { system } = await port.adminCommand(HOST_INFO);
    return String(system?.hostname ?? '').split(':')[0] === os.hostname();
  } catch (_missingPrivilege) {
    return false;
  }
}

module.exports = { sameMachine };
