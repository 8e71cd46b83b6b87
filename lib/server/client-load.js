'use strict';

const { SMALL_STATUS } = require('./pure/commands');
const { clientOperationsIn, allOf } = require('./pure/client-operations');
const { toNumber } = require('../base/pure/numbers');
const { sleep } = require('../base/context');

/**
 * @import { Context } from '../base/context'
 */

/**
 * What clients ask for; getmore and command are busy by themselves on replica sets and where
 * anybody looks. A batch counts each of its documents.
 */
const COUNTED = Object.freeze(['insert', 'query', 'update', 'delete']);

/**
 * Operations a second that the server does for others, while nothing of ours runs.
 * @param {Context} ctx @param {number} ms how long to look
 * @returns {Promise<number | null>} null where the server does not tell
 */
async function otherClientsLoad({ port, signal }, ms) {
  const count = async () => {
    const status = await port.adminCommand(SMALL_STATUS);
    const { opcounters = {} } = status;
    return {
      at: performance.now(),
      ops: COUNTED.reduce((sum, name) => sum + (toNumber(opcounters[name]) ?? NaN), 0),
      timed: (allOf(clientOperationsIn(status)) ?? NaN) - getmoresOf(opcounters),
    };
  };
  const before = await count();
  await sleep(ms, signal);
  const after = await count();
  const perSec = [after.ops - before.ops, after.timed - before.timed]
    .filter(Number.isFinite)
    .map((ops) => (ops / (after.at - before.at)) * 1000);
  return perSec.length === 0 ? null : Math.max(0, ...perSec);
}

/**
 * Aggregations and counts are commands to the counters, but reads to the latencies; getmores, which
 * those have among them, are taken out.
 * @param {any} opcounters
 * @returns {number} NaN where the server does not tell
 */
const getmoresOf = ({ getmore }) => toNumber(getmore) ?? NaN;

module.exports = { otherClientsLoad };
