'use strict';

const { toNumber } = require('../model/sample');
const { sleep } = require('../context');

/** What clients ask for; getmore and command are busy by themselves on replica sets and where anybody looks. */
const COUNTED = Object.freeze(['insert', 'query', 'update', 'delete']);
const ASK = Object.freeze({ serverStatus: 1, wiredTiger: 0, metrics: 0, locks: 0, tcmalloc: 0, repl: 0, storageEngine: 0, transactions: 0 });

/**
 * Operations a second that the server does for others, while nothing of ours runs.
 * @param {import('../context').Context} ctx @param {number} ms how long to look
 * @returns {Promise<number | null>} null where the server does not tell
 */
async function othersLoad({ port, signal }, ms) {
  const count = async () => {
    const { opcounters = {} } = await port.adminCommand(ASK);
    return { at: performance.now(), ops: COUNTED.reduce((sum, name) => sum + (toNumber(opcounters[name]) ?? NaN), 0) };
  };
  const before = await count();
  await sleep(ms, signal);
  const after = await count();
  const perSec = ((after.ops - before.ops) / (after.at - before.at)) * 1000;
  return Number.isFinite(perSec) ? Math.max(0, perSec) : null;
}

module.exports = { othersLoad };
