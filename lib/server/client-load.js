'use strict';

const { MS_PER_SECOND } = require('../base/pure/units');
const { SMALL_STATUS } = require('./pure/commands');
const { clientOperationsIn, allOf } = require('./pure/client-operations');
const { growth, perSecond } = require('./pure/growth');
const { toNumber } = require('../base/pure/numbers');
const { sleep } = require('../base/context');

/**
 * @import { Context } from '../base/types'
 */

/**
 * The writes of clients since a server was started.
 * @typedef {{ server: string, writes: number, uptimeMs: number }} WritesSeen `server`: which one,
 *   and since which start
 */

/**
 * Operations of clients; getmore and command are busy by themselves on replica sets and under
 * monitoring. A batch counts each of its documents.
 */
const COUNTED = Object.freeze(['insert', 'query', 'update', 'delete']);

/**
 * Operations a second that the server does for other clients, while tune itself does nothing.
 * @param {Context} ctx @param {number} ms how long to sample
 * @returns {Promise<number | null>} null: not reported
 */
async function otherClientsLoad({ port, signal }, ms) {
  const count = async () => {
    const status = await port.adminCommand(SMALL_STATUS);
    const { opcounters = {} } = status;
    return {
      at: performance.now(),
      ops: COUNTED.reduce((sum, name) => sum + (toNumber(opcounters[name]) ?? NaN), 0),
      // Aggregations and counts are commands to the counters, but reads to the latencies; getmores,
      // which those have among them, are taken out.
      timed: (allOf(clientOperationsIn(status)) ?? NaN) - (toNumber(opcounters.getmore) ?? NaN),
    };
  };
  const before = await count();
  await sleep(ms, signal);
  const after = await count();
  const seconds = (after.at - before.at) / MS_PER_SECOND;
  const known = [after.ops - before.ops, after.timed - before.timed].filter(Number.isFinite);
  return known.length === 0 ? null : Math.max(0, ...known) / seconds;
}

/** @param {any} status of serverStatus @returns {WritesSeen | null} null: not reported */
function writesIn(status) {
  const { server, writes, uptimeMs } = clientOperationsIn(status);
  return writes.ops === null || uptimeMs === null ? null : { server, writes: writes.ops, uptimeMs };
}

/**
 * @param {Context} ctx
 * @returns {Promise<WritesSeen | null>} null: this user may not see it
 */
const seeWrites = ({ port }) => port.adminCommand(SMALL_STATUS).then(writesIn, () => null);

/**
 * Writes a second between two moments of the same run of a server.
 * @param {WritesSeen | null} before
 * @param {WritesSeen | null} after
 * @returns {number | null} null: not known
 */
function writesPerSec(before, after) {
  if (before === null || after === null || before.server !== after.server) return null;
  const seconds = (after.uptimeMs - before.uptimeMs) / MS_PER_SECOND;
  return perSecond(growth(before.writes, after.writes), seconds) ?? null;
}

module.exports = { otherClientsLoad, writesIn, seeWrites, writesPerSec };
