'use strict';

const { SMALL_STATUS, HELLO } = require('./pure/commands');
const { toMs, toNumber } = require('../base/pure/numbers');

/**
 * @import { Port } from '../base/context'
 * @import { Run } from './types'
 */

/**
 * @typedef {Run & { version: string | null, clockMs: number | null }}
 *   ServerRun `clockMs`: the server's
 *   clock less ours, at the least: a moment computed with it is never later than the server's own
 *   note of what came after it
 */

/**
 * Which run of which server this is, and its clock.
 * @param {Port} port
 * @returns {Promise<ServerRun>}
 */
async function readServerRun(port) {
  const hello = await port.adminCommand(HELLO);
  const status = await port.adminCommand(SMALL_STATUS);
  // The server read its clock before it answered. Computed from the time of the question, a busy
  // server would seem ahead by its delay.
  return serverRunOf({ hello, status, answeredAtMs: Date.now() });
}

/**
 * @param {{ hello: any, status: any, answeredAtMs: number }} reported `status`: the answer to
 *   SMALL_STATUS; `answeredAtMs`: when it came, by our clock
 * @returns {ServerRun}
 */
function serverRunOf({
  hello,
  status: { host = null, version = null, pid, localTime, uptimeMillis },
  answeredAtMs,
}) {
  const nowMs = toMs(localTime) ?? null;
  return {
    host,
    version,
    pid: toNumber(pid) ?? null,
    processId: processIdOf(hello),
    me: hello.me ?? null,
    startedAtMs: less(nowMs, toNumber(uptimeMillis)),
    clockMs: less(nowMs, answeredAtMs),
  };
}

/** @param {any} hello @returns {string | null} new at each start; null: a release before 4.4 */
const processIdOf = ({ topologyVersion }) => topologyVersion?.processId?.toString() ?? null;

/** @param {number | null} a @param {number | undefined} b */
const less = (a, b) => (a === null || b === undefined ? null : a - b);

module.exports = { readServerRun, serverRunOf, processIdOf };
