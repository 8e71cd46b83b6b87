'use strict';

const { callText } = require('../base/pure/printable');
const { DUPLICATE_KEY } = require('../base/pure/server-codes');
const { TuneError } = require('../base/pure/errors');
const { textOf } = require('./pure/definitions');
const { forward } = require('./directions');
const { ownId } = require('./pure/split-names');
const { dropSurplus } = require('./sync-indexes');
const { readNow, stagingUuid } = require('./target');
const { makeIndexes } = require('./ttl');
const { withProgress } = require('./progress');
const { SMALL_STATUS, HOST_INFO } = require('../server/pure/commands');
const { sleep } = require('../base/context');
const { clientOperationsIn, allOf, UNUSED_PER_SEC } = require('../server/pure/client-operations');

/**
 * @import { SplitJob } from './split-job'
 */

const UNIQUE_TRIES = 20;

/**
 * Builds the indexes over the finished copy: that is much faster than to maintain them meanwhile.
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
 * Reads the source's indexes again: an index dropped since may be why the documents do not fit.
 * @param {SplitJob} job
 */
async function refreshIndexes(job) {
  const direction = forward(job.split);
  await dropSurplus(job, direction);
  const { indexes } = await job.again(() => readNow(job.port, direction));
  if (textOf(indexes) !== textOf(job.split.indexes)) await job.save({ indexes });
}

/**
 * Checks that the copy exists: otherwise the command would make it again, empty.
 * @param {SplitJob} job
 */
const checkCopyExists = (job) => job.again(() => stagingUuid(job));

/**
 * @param {SplitJob} job
 * @param {number} commands number of commands in flight at once
 * @param {number} tries
 * @returns {Promise<boolean>} false: another try may succeed
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
    // The copy is not of one moment: a value that moved from one document to another may be in
    // both, until the writes of that time are applied.
    if (code !== DUPLICATE_KEY) throw error;
    if (tries === UNIQUE_TRIES)
      throw new TuneError(
        'TUNE-35008',
        `The unique indexes of ${job.split.source} could not be built in ` +
          `${UNIQUE_TRIES} tries: each time two documents briefly had the same value. ` +
          `${callText('split.resume', ownId(job.split), { confirm: true })} retries, ` +
          'best while writes are few.',
        { value: keyValue, cause: error },
      );
    return false;
  }
}

/**
 * Waits until all commands have ended, with or without an error, before any of them is begun again.
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
 * Reports the progress of index builds. The builder of indexes has no user, so that only a user who
 * may see all operations sees it.
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

const SAMPLE_MS = 500;
/**
 * Largest number of builds that the server begins at a time (maxNumActiveUserIndexBuilds of 4.4 and
 * later).
 */
const MAX = 3;
/**
 * Megabytes in which each build sorts (maxIndexBuildMemoryUsageMegabytes); all together may use a
 * tenth of the memory; heuristic.
 */
const BUILD_MB = 200;
const MEMORY_RATIO = 0.1;

/**
 * Returns the number of commands in which the indexes are built at the same time. A command uses
 * one CPU: on an idle server three indexes took 10.0 s in three commands on two CPUs, and 17.6 and
 * 16.3 s in one (docs/evidence/split.md). It is one command where the server is busy, or where that
 * is not known.
 * @param {SplitJob} job
 * @returns {Promise<number>}
 */
async function concurrentBuilds(job) {
  const { indexes } = job.split;
  if (indexes.length === 1) return 1;
  const host = await job.port.adminCommand(HOST_INFO).catch(() => null);
  const max = Math.floor(
    Math.min(
      indexes.length,
      MAX,
      host?.system?.numCores ?? 1,
      (MEMORY_RATIO * Number(host?.system?.memLimitMB ?? 0)) / BUILD_MB,
    ),
  );
  return max > 1 && (await isQuiet(job)) ? max : 1;
}

/** @param {SplitJob} job */
async function isQuiet(job) {
  const sample = () =>
    job.port.adminCommand(SMALL_STATUS).then(
      (status) => allOf(clientOperationsIn(status)),
      () => null,
    );
  const before = await sample();
  await sleep(SAMPLE_MS, job.signal);
  const after = await sample();
  // The server does not report it, or this user lacks the privilege.
  if (before === null || after === null) return false;
  const seen = after - before;
  // The value is negative where another server answers.
  return seen >= 0 && seen * (1000 / SAMPLE_MS) < UNUSED_PER_SEC;
}

module.exports = { buildIndexes };
