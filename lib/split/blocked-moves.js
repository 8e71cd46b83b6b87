'use strict';

const { readNames } = require('./blocked-names');
const { phasesThatBlock } = require('./pure/phase-table');

/**
 * @import { Port } from '../base/context'
 */

/** Largest number of moves that are named. */
const MAX = 20;

/**
 * Lists collections that an unfinished move keeps from taking writes.
 * @param {Port} port
 * @returns {Promise<{ id: string, from: string, into: string, phase: string }[] | null>} null: this
 *   user may not read tune.splits
 */
async function collectBlockedMoves(port) {
  const surely = {
    $or: [
      { mode: 'online', phase: { $in: phasesThatBlock('online', true) } },
      { mode: 'offline', phase: { $in: phasesThatBlock('offline', true) } },
      { reopened: { $ne: null } },
    ],
  };
  try {
    const find = async (/** @type {object} */ filter) =>
      (
        await port.command('tune', {
          find: 'splits',
          filter,
          limit: MAX,
          singleBatch: true,
          projection: {
            source: 1,
            target: 1,
            phase: 1,
            mode: 1,
            from: 1,
            into: 1,
            sourceUuid: 1,
            stagingUuid: 1,
          },
        })
      ).cursor.firstBatch;
    const perhaps = await find({ $nor: [surely], phase: { $in: phasesThatBlock('online', null) } });
    const namesBlocked = await Promise.all(
      perhaps.map((/** @type {any} */ one) => readNames(/** @type {any} */ (port), one)),
    );
    const moves = [
      ...(await find(surely)),
      ...perhaps.filter(
        (/** @type {any} */ _one, /** @type {number} */ i) => namesBlocked[i].namesBlocked,
      ),
    ];
    return moves.map((/** @type {any} */ { _id, source, target, phase }) => ({
      id: _id,
      from: source,
      into: target,
      phase,
    }));
  } catch (_refused) {
    return null;
  }
}

module.exports = { collectBlockedMoves };
