'use strict';

const { SMALL_STATUS } = require('./pure/commands');
const { clientOperationsIn } = require('./pure/client-operations');

/**
 * @import { Context } from '../base/context'
 */

/**
 * How often clients write.
 * @typedef {{ server: string, writes: number, uptimeMs: number }} WritesSeen `server`: which one,
 *   and since which start
 */

/** @param {any} status of serverStatus @returns {WritesSeen | null} null: not told */
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
 * @param {WritesSeen | null} before
 * @param {WritesSeen | null} after
 * @returns {number | null} null: not known
 */
function perSec(before, after) {
  if (
    before === null ||
    after === null ||
    before.server !== after.server ||
    after.uptimeMs <= before.uptimeMs ||
    after.writes < before.writes
  )
    return null;
  return (1000 * (after.writes - before.writes)) / (after.uptimeMs - before.uptimeMs);
}

module.exports = { writesIn, seeWrites, perSec };
