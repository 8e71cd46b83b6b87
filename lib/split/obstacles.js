'use strict';

const { SMALL_STATUS } = require('../server/pure/commands');
const { TuneError } = require('../base/pure/errors');
const { checkReady } = require('./preconditions');
const { currentDirection } = require('./directions');
const { canCatchUp } = require('./pure/phase-table');
const { checkSame } = require('./recopy');

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
  if (!canCatchUp(split)) return [];
  const direction = currentDirection(split);
  const found = [
    ...(await inTheWay(async () => {
      if (!split.needsFullCompare) checkSame(split, direction.way);
    })),
    ...(await inTheWay(() => checkReady({ port, split }, direction, { indexes: false }))),
  ];
  const open = await openTransactions(port);
  if (!open) return found;
  return [
    ...found,
    `${open} ${open === 1 ? 'transaction is' : 'transactions are'} open on this server: the ` +
      `${direction.way === 'forward' ? 'cutover' : 'rollback'} waits for each, also for those that only read, and gives up after half a minute.`,
  ];
}

/** @param {() => Promise<unknown>} check @returns {Promise<string[]>} */
async function inTheWay(check) {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof TuneError)) throw error;
    return [`In its way now: ${error.message.replace(/^\[[^\]]*\] /, '')}`];
  }
}

/** @param {Port} port @returns {Promise<number | null>} null: not known */
async function openTransactions(port) {
  const status = await port.adminCommand(SMALL_STATUS).catch(() => null);
  return status?.transactions ? Number(status.transactions.currentOpen) : null;
}

module.exports = { obstaclesOf };
