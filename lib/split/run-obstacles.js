'use strict';

const { checkServer } = require('./begin');
const { isAllowed, notAllowed } = require('./each-split');
const { blockedNow } = require('./preconditions');
const { findOccupant } = require('./server');
const { alreadyRun, checkFree, findSplits } = require('./state');
const { exists, isSplitView } = require('./target');

/**
 * @import { Context } from './split-command'
 * @import { Split, SplitCommand } from './types'
 */

/**
 * Lists reasons to refuse a run, as far as a dry run can see them: it writes nothing, so it does
 * not try whether this user may.
 * @param {Context} ctx
 * @param {SplitCommand} command
 * @param {Split[]} splits the splits of one plan
 * @returns {Promise<string[][]>} the reasons for each of them, a sentence each
 */
async function runObstacles({ port, signal }, command, splits) {
  const all = [
    ...(await blockedNow(() => checkServer({ port, signal }, splits))),
    ...(await blockedNow(() => checkFree(port, splits))),
  ];
  return Promise.all(
    splits.map(async (split) => [
      ...all,
      ...(await blockedNow(async () => {
        const [own] = await findSplits(port, { _id: split._id });
        if (!own) return checkTarget(port, split);
        if (!own.active) throw alreadyRun(split, own);
        if (!isAllowed(command, own)) throw notAllowed(command, [own]);
      })),
    ]),
  );
}

/** @param {Context['port']} port @param {Split} split @throws {TuneError} TUNE-35004 */
async function checkTarget(port, { into }) {
  // Where the list of its database is refused, the plan says so.
  const there = await findOccupant(port, into).catch(() => null);
  if (there && !isSplitView(there)) throw exists(into, there);
}

module.exports = { runObstacles };
