'use strict';

const { callText } = require('../base/pure/literal');
const { DUPLICATE_KEY } = require('../base/pure/server-codes');
const { TuneError } = require('../base/pure/errors');
const { concurrentBuilds } = require('./concurrent-builds');
const { textOf } = require('./pure/definitions');
const { forward } = require('./directions');
const { dropSurplus } = require('./sync-indexes');
const { readNow, stagingUuid } = require('./target');
const { makeIndexes } = require('./ttl');
const { withProgress } = require('./with-progress');

/**
 * @import { SplitJob } from './split-job'
 */

const UNIQUE_TRIES = 20;

/**
 * Over the finished copy: by far faster than to keep them up to date meanwhile.
 * @param {SplitJob} job
 * @param {() => Promise<void>} catchUp
 */
async function buildIndexes(job, catchUp) {
  await checkCopyExists(job);
  await refreshIndexes(job);
  if (job.split.indexes.length === 0) return;
  const commands = await concurrentBuilds(job);
  for (let tries = 1; !(await build(job, commands, tries)); tries += 1) {
    await catchUp();
    await checkCopyExists(job);
    await refreshIndexes(job);
  }
}

/**
 * One that was dropped since may be why the documents do not fit.
 * @param {SplitJob} job
 */
async function refreshIndexes(job) {
  const direction = forward(job.split);
  await dropSurplus(job, direction);
  const { indexes } = await job.again(() => readNow(job.port, direction));
  if (textOf(indexes) !== textOf(job.split.indexes)) await job.save({ indexes });
}

/** Where the copy is gone, the command would make it again, empty. @param {SplitJob} job */
const checkCopyExists = (job) => job.again(() => stagingUuid(job));

/**
 * @param {SplitJob} job
 * @param {number} commands in flight at once
 * @param {number} tries
 * @returns {Promise<boolean>} false: it is worth another try
 */
async function build(job, commands, tries) {
  const parts = Array.from({ length: commands }, (_, part) =>
    job.split.indexes.filter((_one, i) => i % commands === part),
  ).filter(({ length }) => length > 0);
  try {
    await job.again(() =>
      withProgress(
        job,
        together(parts.map((indexes) => createIndexes(job, indexes))),
        () => indexProgress(job),
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
        `The unique indexes of ${job.split.source} could not be built in ${UNIQUE_TRIES} ` +
          'tries: each time two documents had the same value for a moment. ' +
          `${callText('split.resume', job.split.planId, { confirm: true })} retries, best while ` +
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

/** @param {SplitJob} job @param {any[]} indexes */
const createIndexes = ({ port, split: { into, mode } }, indexes) =>
  makeIndexes(
    port,
    { db: into.db, name: into.stagingName },
    indexes,
    mode === 'online' ? { commitQuorum: 'majority' } : {},
  );

/**
 * The builder of indexes has no user, so that only who may see all operations sees it.
 * @param {SplitJob} job
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
