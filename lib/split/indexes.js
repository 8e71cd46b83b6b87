'use strict';

const { TuneError } = require('../base/pure/errors');
const { buildsAtOnce } = require('./builds-at-once');
const { textOf } = require('./pure/definitions');
const { forth } = require('./names');
const { dropSurplus } = require('./same-indexes');
const { readNow, workingUuid } = require('./target');
const { makeIndexes } = require('./ttl');
const { watched } = require('./watched');

/** @typedef {import('./work').Work} Work */

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
  const atOnce = await buildsAtOnce(work);
  for (let tries = 1; !(await build(work, atOnce, tries)); tries += 1) {
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
  const leg = forth(work.split);
  await dropSurplus(work, leg);
  const { indexes } = await work.again(() => readNow(work.port, leg));
  if (textOf(indexes) !== textOf(work.split.indexes)) await work.save({ indexes });
}

/** Where the copy is gone, the command would make it again, empty. @param {Work} work */
const mustBeThere = (work) => work.again(() => workingUuid(work));

/**
 * @param {Work} work
 * @param {number} atOnce commands
 * @param {number} tries
 * @returns {Promise<boolean>} false: it is worth another try
 */
async function build(work, atOnce, tries) {
  const parts = Array.from({ length: atOnce }, (_, part) =>
    work.split.indexes.filter((_one, i) => i % atOnce === part),
  ).filter(({ length }) => length > 0);
  try {
    await work.again(() =>
      watched(
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
    { db: into.db, name: into.working },
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
      { $match: { msg: /^Index Build/, 'command.createIndexes': split.into.working } },
      { $project: { msg: 1 } },
    ],
    cursor: {},
  });
  return `building ${split.indexes.length} indexes: ${cursor.firstBatch[0]?.msg ?? 'under way'}`;
}

module.exports = { buildIndexes };
