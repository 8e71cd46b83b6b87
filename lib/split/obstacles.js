'use strict';

const { SMALL_STATUS } = require('../server/pure/commands');
const { TuneError } = require('../base/pure/errors');
const { checkReady } = require('./preconditions');
const { reverse, forward } = require('./directions');

/**
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * @param {Port} port
 * @param {Split} split
 * @returns {Promise<string[]>} what stands in the way of a cutover now, or of a rollback, a
 *   sentence each
 */
async function obstaclesOf(port, split) {
  if (split.mode !== 'online' || (split.phase !== 'following' && split.phase !== 'switched'))
    return [];
  const [direction, what] =
    split.phase === 'following' ? [forward(split), 'cutover'] : [reverse(split), 'rollback'];
  const found = await checkReady({ port, split }, direction, { indexes: false }).then(
    () => [],
    (error) => {
      if (error instanceof TuneError)
        return [`In its way now: ${error.message.replace(/^\[[^\]]*\] /, '')}`];
      throw error;
    },
  );
  const open = await openTransactions(port);
  if (!open) return found;
  return [
    ...found,
    `${open} ${open === 1 ? 'transaction is' : 'transactions are'} open on this server: the ` +
      `${what} waits for each, also for those that only read, and gives up after half a minute.`,
  ];
}

/** @param {Port} port @returns {Promise<number | null>} null: not known */
async function openTransactions(port) {
  const status = await port.adminCommand(SMALL_STATUS).catch(() => null);
  return status?.transactions ? Number(status.transactions.currentOpen) : null;
}

module.exports = { obstaclesOf };
