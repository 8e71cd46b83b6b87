'use strict';

const { toMs, toNumber } = require('../model/sample');

/** serverStatus without its large sections: who the server is, and what its clock says. */
const IDENTITY_COMMAND = Object.freeze({ serverStatus: 1, metrics: 0, wiredTiger: 0, locks: 0, tcmalloc: 0, repl: 0 });

/**
 * Which run of which server this is, and what its clock says.
 * @param {import('../context').Port} port
 * @returns {Promise<import('../model/journal').Run & { version: string | null, clockMs: number | null }>} `clockMs`: the server's
 *   clock less ours, at the least: a moment reckoned with it is never later than the server's own note of what came after it
 */
async function readServerRun(port) {
  const hello = await port.adminCommand({ hello: 1 });
  const { host = null, version = null, pid, localTime, uptimeMillis } = await port.adminCommand(IDENTITY_COMMAND);
  // The server read its clock before it answered. Reckoned from when it was asked, a busy server would seem ahead by its delay.
  const answeredAtMs = Date.now();
  const nowMs = toMs(localTime) ?? null;
  return {
    host, version, pid: toNumber(pid) ?? null, processId: hello.topologyVersion?.processId?.toString() ?? null,
    startedAtMs: less(nowMs, toNumber(uptimeMillis)), clockMs: less(nowMs, answeredAtMs),
  };
}

/** @param {number | null} a @param {number | undefined} b */
const less = (a, b) => (a === null || b === undefined ? null : a - b);

module.exports = { readServerRun, IDENTITY_COMMAND };
