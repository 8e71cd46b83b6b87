'use strict';

const { DIAGNOSTIC_DATA } = require('./pure/commands');
const { systemMetricsOf } = require('./pure/system-counters');

/**
 * @import { Port } from '../base/context'
 */

/**
 * The machine in the server's own diagnostic data. mongod keeps its last sample
 * ready, so asking costs it less than a status does; the reply holds a whole status too, 60 kB on
 * 6.0.5 (docs/evidence/machine.md).
 * @typedef {() => Promise<{ systemMetrics?: unknown }>} Machine
 */

/**
 * Do not delay a sample longer than this for getDiagnosticData: it would mask a stall.
 */
const PATIENCE_MS = 200;

/**
 * @param {Port} port
 * @returns {Machine} nothing where it is refused (it needs further privileges; Atlas and mongos
 *   have none of it), switched off,
 *   or not Linux; a refusal is not asked for again
 */
function machineOf(port) {
  let isAvailable = true;
  /** @type {Promise<{ systemMetrics?: unknown }> | null} */
  let asked = null;
  const ask = async () => {
    try {
      const found = systemMetricsOf(await port.adminCommand(DIAGNOSTIC_DATA));
      return found ? { systemMetrics: found } : {};
    } catch (_refused) {
      isAvailable = false;
      return {};
    } finally {
      asked = null;
    }
  };
  // Reuse the request that is still in flight.
  return async () => (isAvailable ? (asked ??= ask()) : {});
}

/**
 * A status with diagnostic data of the machine, asked at the same time.
 * @param {Promise<any>} status @param {Machine} machine @returns {Promise<any>}
 */
async function withMachine(status, machine) {
  const alongside = machine();
  const reported = await status;
  return { ...reported, ...(await soon(alongside)) };
}

/** @template T @param {Promise<T>} answer @returns {Promise<T | {}>} */
async function soon(answer) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, {});
  });
  return Promise.race([answer, /** @type {Promise<{}>} */ (late)]).finally(() =>
    clearTimeout(timer),
  );
}

module.exports = { machineOf, withMachine, PATIENCE_MS };
