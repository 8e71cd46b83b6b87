'use strict';

const { TuneError } = require('../base/pure/errors');
const { concurrentBuilds } = require('./concurrent-builds');
const { textOf } = require('./pure/definitions');
const { forward } = require('./directions');
const { dropSurplus } = require('./sync-indexes');
const { readNow, stagingUuid } = require('./target');
const { makeIndexes } = require('./ttl');
const { withProgress } = require('./with-progress');

/**
 * @import { Work } from './work'
 */

const DUPLICATE_KEY = 11000;
const UNIQUE_TRIES = 20;

/**
 * Over the finished copy: by far faster than to keep them up to date meanwhile.
 * @param {Work} work
 * @param {() => Promise<void>} catchUp
 */
async function buildIndexes(work, catchUp) {
  await mustBeThere(work);
  await asOfNow(work);
  if (work.split.indexes.length === 0) return;
  const mapConcurrent = await concurrentBuilds(work);
  for (let tries = 1; !(await build(work, mapConcurrent, tries)); tries += 1) {
    await catchUp();
    await mustBeThere(work);
    await asOfNow(work);
  }
}

/**
 * One that was dropped since may be why the documents do not fit.
 * @param {Work} work
 */
async function asOfNow(work) {
  const direction = forward(work.split);
  await dropSurplus(work, direction);
  const { indexes } = await work.again(() => readNow(work.port, direction));
  if (textOf(indexes) !== textOf(work.split.indexes)) await work.save({ indexes });
}

/** Where the copy is gone, the command would make it again, empty. @param {Work} work */
const mustBeThere = (work) => work.again(() => stagingUuid(work));

/**
 * @param {Work} work
 * @param {number} mapConcurrent commands
 * @param {number} tries
 * @returns {Promise<boolean>} false: it is worth another try
 */
async function build(work, mapConcurrent, tries) {
  const parts = Array.from({ length: mapConcurrent }, (_, part) =>
    work.split.indexes.filter((_one, i) => i % mapConcurrent === part),
  ).filter(({ length }) => length > 0);
  try {
    await work.again(() =>
      withProgress(
        work,
        together(parts.map((indexes) => createIndexes(work, indexes))),
        () => indexProgress(work),
        'left',
      ),
    );
    return true;
  } catch (error) {
    const { code, keyValue } = /** @type {any} */ (error);
    // The copy is not of one moment: a value that went from one document to another may be in both,
    // until what happened meanwhile is brought over.
    if (code !== DUPLICATE_KEY) throw error;
    if (tries === UNIQUE_TRIES)
      throw new TuneError(
        'TUNE-35008',
        `The unique indexes of ${work.split.source} could not be built in ${UNIQUE_TRIES} ` +
          'tries: each time two documents had the same value for a moment. ' +
          `tune.split.resume("${work.split.planId}", { confirm: true }) retries, best while ` +
          'less is written.',
        { value: keyValue, cause: error },
      );
    return false;
  }
}

/**
 * All have ended, one way or the other, before any of them is begun again.
 * @param {Promise<unknown>[]} commands
 */
async function together(commands) {
  const failed = (await Promise.allSettled(commands)).find(({ status }) => status === 'rejected');
  if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
}

/** @param {Work} work @param {any[]} indexes */
const createIndexes = ({ port, split: { into, mode } }, indexes) =>
  makeIndexes(
    port,
    { db: into.db, name: into.stagingName },
    indexes,
    mode === 'online' ? { commitQuorum: 'majority' } : {},
  );

/**
 * The builder of indexes has no user, so that only who may see all operations sees it.
 * @param {Work} work
 */
async function indexProgress({ port, split }) {
  const { cursor } = await port.adminCommand({
    aggregate: 1,
    pipeline: [
      { $currentOp: { allUsers: true } },
      { $match: { msg: /^Index Build/, 'command.createIndexes': split.into.stagingName } },
      { $project: { msg: 1 } },
    ],
    cursor: {},
  });
  return `building ${split.indexes.length} indexes: ${cursor.firstBatch[0]?.msg ?? 'under way'}`;
}

module.exports = { buildIndexes };
