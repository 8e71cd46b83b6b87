'use strict';

const { toMs, toNumber } = require('../model/sample');

/**
 * Which run of which server this is, and what its clock says.
 * @param {import('../context').Port} port
 * @returns {Promise<import('../model/journal').Run & { version: string | null, clockMs: number | null }>} `clockMs`: the server's
 *   clock less ours
 */
async function readServerRun(port) {
  const hello = await port.adminCommand({ hello: 1 });
  const askedAtMs = Date.now();
  const { host = null, version = null, pid, localTime, uptimeMillis } = await port.adminCommand({ serverStatus: 1, metrics: 0, wiredTiger: 0, locks: 0, tcmalloc: 0, repl: 0 });
  const nowMs = toMs(localTime) ?? null;
  return {
    host, version, pid: toNumber(pid) ?? null, processId: hello.topologyVersion?.processId?.toString() ?? null,
    startedAtMs: less(nowMs, toNumber(uptimeMillis)), clockMs: less(nowMs, askedAtMs),
  };
}

/** @param {number | null} a @param {number | undefined} b */
const less = (a, b) => (a === null || b === undefined ? null : a - b);

module.exports = { readServerRun };
