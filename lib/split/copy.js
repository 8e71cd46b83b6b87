'use strict';

const { DUPLICATE_KEY } = require('../base/pure/server-codes');
const { readAhead } = require('./read-ahead');
const { majorityTime, write } = require('./server');
const { reconcile } = require('./reconcile');
const { NULL_ID, typesOf } = require('./ids');
const { hasEmpty, mergeKeepingEmptyTimestamps, readAt } = require('./merge');
const { forward } = require('./directions');
const { sourceName } = require('./target');
const { rate, withProgress } = require('./progress');
const { killOwnOperations } = require('./running-operations');

/**
 * @import { SplitJob } from './split-job'
 */

/** A read in this order reads no document twice; it takes longer. */
const BY_ID = Object.freeze({ hint: Object.freeze({ _id: 1 }) });

/**
 * Copies the whole collection in one command of the server. The changes are read from where the
 * copy began.
 * @param {SplitJob} job
 */
async function copyOut(job) {
  const { port } = job;
  await killOwnOperations(job);
  const startAt = job.split.mode === 'online' ? await job.again(() => majorityTime(port)) : null;
  await job.save({ phase: 'copying', startAt, token: null });
  job.forgetNoted();
  const ahead = startAt ? readAhead(job, forward(job.split)) : null;
  try {
    await outAsItIs(job, startAt);
  } catch (error) {
    // The next copy begins later, and reads the change stream from there.
    await ahead?.stop();
    job.forgetNoted();
    throw error;
  }
  await ahead?.stop();
}

/** @param {SplitJob} job @param {any} startAt */
async function outAsItIs(job, startAt) {
  const direction = forward(job.split);
  const types = await typesOf(job);
  const name = await job.again(() => sourceName(job.port, direction));
  // This read runs during the copy, which takes eight times as long; what changes meanwhile makes
  // events.
  const asked = hasEmpty(job, direction, { name, filter: {}, time: startAt }, types);
  asked.catch(() => undefined);
  await job
    .write(() => out(job, { name, startAt }))
    .catch((error) => {
      if (error.code !== DUPLICATE_KEY) throw error;
      return job.write(() => out(job, { name, startAt, how: BY_ID }));
    });
  if (!(await asked)) return;
  const some = { filter: { _id: { $ne: null } }, time: startAt };
  await withProgress(
    job,
    mergeKeepingEmptyTimestamps(job, direction, some, types),
    async () => 'copying: empty timestamps',
  );
  await reconcile(job, direction, { ids: [NULL_ID], gone: [], time: startAt });
}

/** @param {SplitJob} job @param {{ name: string, startAt: any, how?: object }} source */
async function out(job, { name, startAt, how = {} }) {
  const {
    port,
    split: { from, into, _id },
  } = job;
  await withProgress(
    job,
    write(port, from.db, {
      aggregate: name,
      pipeline: [{ $out: { db: into.db, coll: into.stagingName } }],
      cursor: {},
      bypassDocumentValidation: true,
      readConcern: readAt(startAt),
      comment: `mongosh-tune ${_id}`,
      ...how,
    }),
    () => outProgress(job),
  );
}

/** Reports the progress of $out, which fills a temporary collection first. @param {SplitJob} job */
async function outProgress({ port, split }) {
  const { cursor } = await port.command(split.into.db, {
    listCollections: 1,
    filter: { name: /^tmp\.agg_out\./ },
    nameOnly: true,
  });
  if (cursor.firstBatch.length !== 1) return null;
  const { n } = await port.command(split.into.db, {
    count: cursor.firstBatch[0].name,
    maxTimeMS: 1000,
  });
  return `copying: ${rate(Number(n), split.documents, split.history[split.history.length - 1].at)}`;
}

module.exports = { copyOut };
