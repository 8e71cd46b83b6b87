'use strict';

/**
 * In these neither name of a collection that is being moved takes writes; offline the copy itself
 * is one of them.
 */
const ONLINE = Object.freeze(['draining', 'switching', 'draining-back', 'switching-back']);
const OFFLINE = Object.freeze(['created', 'copying', 'indexing', 'switching']);
/** More are not named. */
const MOST = 20;

/**
 * Collections that an unfinished move keeps from taking writes.
 * @param {import('../context').Port} port
 * @returns {Promise<{ id: string, from: string, into: string, phase: string }[] | null>} null: this
 *   user may not read tune.splits
 */
async function collectBlockedMoves(port) {
  const filter = {
    $or: [
      { mode: 'online', phase: { $in: ONLINE } },
      { mode: 'offline', phase: { $in: OFFLINE } },
      { reopened: { $ne: null } },
    ],
  };
  try {
    const { cursor } = await port.command('tune', {
      find: 'splits',
      filter,
      limit: MOST,
      singleBatch: true,
      projection: { source: 1, target: 1, phase: 1 },
    });
    return cursor.firstBatch.map((/** @type {any} */ { _id, source, target, phase }) => ({
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
