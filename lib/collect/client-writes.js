'use strict';

const { toNumber } = require('../model/sample');

/**
 * How often clients write. What $merge and $out write is not among it, nor what a member replicates (seen on 6.0.5).
 * @typedef {{ server: string, writes: number, uptimeMs: number }} WritesSeen `server`: which one, and since which start
 */

/** @param {any} status of serverStatus @returns {WritesSeen | null} null: not told */
function writesIn({ host, pid, uptimeMillis, opLatencies }) {
  const [writes, uptimeMs] = [toNumber(opLatencies?.writes?.ops), toNumber(uptimeMillis)];
  return writes === undefined || uptimeMs === undefined ? null : { server: `${host} ${pid}`, writes, uptimeMs };
}

/** @param {import('../context').Context} ctx @returns {Promise<WritesSeen | null>} null: this user may not see it */
const seeWrites = ({ port }) => port.adminCommand({ serverStatus: 1, metrics: 0, locks: 0, wiredTiger: 0 }).then(writesIn, () => null);

/** @param {WritesSeen | null} before @param {WritesSeen | null} after @returns {number | null} null: not known */
function perSec(before, after) {
  if (before === null || after === null || before.server !== after.server || after.uptimeMs <= before.uptimeMs || after.writes < before.writes) return null;
  return (1000 * (after.writes - before.writes)) / (after.uptimeMs - before.uptimeMs);
}

module.exports = { writesIn, seeWrites, perSec };
