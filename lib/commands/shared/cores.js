'use strict';

const { toNumber } = require('../../model/sample');
const { mapServerError, isRefusal } = require('../../server-errors');

/**
 * @param {import('../../context').Context} ctx
 * @returns {Promise<number | null>} of the server's host; null without the privilege to ask
 */
async function collectCores({ port, signal }) {
  try {
    const { system } = await port.adminCommand({ hostInfo: 1 });
    return toNumber(system?.numCores) ?? null;
  } catch (cause) {
    const error = mapServerError(cause, 'hostInfo', signal);
    if (isRefusal(error)) return null;
    throw error;
  }
}

module.exports = { collectCores };
