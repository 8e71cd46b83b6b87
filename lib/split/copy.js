'use strict';

const { TuneError } = require('../errors');
const { sleep } = require('../context');
const { majorityTime, write } = require('./server');
const { readAt } = require('./converge');
const { forth } = require('./names');
const { sourceName, workingUuid } = require('./target');
const { rate } = require('./rate');
const { killOurs } = require('./left-running');

/** @typedef {import('./work').Work} Work */

const LOOK_EVERY_MS = 2_000;

/**
 * The whole collection in one command of the server. Following begins where the copy began.
 * @param {Work} work
 */
async function copyOut(work) {
  const { port } = work;
  await killOurs(work);
  const startAt = work.split.mode === 'online' ? await work.again(() => majorityTime(port)) : null;
  await work.save({ phase: 'copying', startAt, token: null });
  await work.again(async () => {
    const { from, into, _id } = work.split;
    await watched(work, write(port, from.db, {
      aggregate: await sourceName(port, forth(work.split)), pipeline: [{ $out: { db: into.db, coll: into.working } }], cursor: {}, bypassDocumentValidation: true, readConcern: readAt(startAt), comment: `mongosh-tune ${_id}`,
    }), () => outProgress(work));
  });
}

/**
 * Shows how far a long command is, and ends it after Ctrl-C; or leaves it to itself, where the server goes on with it and whoever does it again only waits.
 * @template T @param {Work} work @param {Promise<T>} command @param {() => Promise<string | null>} look @param {'ended' | 'left'} [afterwards]
 * @returns {Promise<T>}
 */
async function watched(work, command, look, afterwards = 'ended') {
  const state = { over: false };
  const settled = command.finally(() => { state.over = true; });
  settled.catch(() => undefined);
  const end = settled.then(() => undefined, () => undefined);
  while (!state.over) {
    await Promise.race([end, sleep(LOOK_EVERY_MS, work.signal).catch(() => undefined)]);
    if (state.over) break;
    if (work.signal.aborted && afterwards === 'left') work.safePoint();
    if (work.signal.aborted) await killOurs(work);
    else work.say(await look().catch(() => null) ?? 'copying');
  }
  // After Ctrl-C it is we who ended it. Otherwise its own error says more than a lease that ran out while the server was silent.
  if (work.signal.aborted) work.safePoint();
  const done = await settled;
  work.safePoint();
  return done;
}

/** $out fills a collection of its own first. @param {Work} work */
async function outProgress({ port, split }) {
  const { cursor } = await port.command(split.into.db, { listCollections: 1, filter: { name: /^tmp\.agg_out\./ }, nameOnly: true });
  if (cursor.firstBatch.length !== 1) return null;
  const { n } = await port.command(split.into.db, { count: cursor.firstBatch[0].name, maxTimeMS: 1000 });
  return `copying: ${rate(Number(n), split.documents, split.history[split.history.length - 1].at)}`;
}

/** The builder of indexes has no user, so that only who may see all operations sees it. @param {Work} work */
async function indexProgress({ port, split }) {
  const { cursor } = await port.adminCommand({ aggregate: 1, pipeline: [{ $currentOp: { allUsers: true } }, { $match: { msg: /^Index Build/, 'command.createIndexes': split.into.working } }, { $project: { msg: 1 } }], cursor: {} });
  return `building ${split.indexes.length} indexes: ${cursor.firstBatch[0]?.msg ?? 'under way'}`;
}

/** All at once, over the finished copy: by far faster than to keep them up to date meanwhile. @param {Work} work @param {() => Promise<void>} catchUp */
async function buildIndexes(work, catchUp) {
  const { port, split: { into, indexes, mode } } = work;
  // Where it is gone, the command would make it again, empty.
  await work.again(() => workingUuid(work));
  const build = () => write(port, into.db, { createIndexes: into.working, indexes, ...(mode === 'online' && { commitQuorum: 'majority' }) });
  for (let tries = 1, built = indexes.length === 0; !built; tries += 1) {
    built = await work.again(() => watched(work, build(), () => indexProgress(work), 'left').then(() => true, (error) => {
      // The copy is not of one moment: a value that went from one document to another may be in both, until what happened meanwhile is brought over.
      if (error.code !== DUPLICATE_KEY) throw error;
      if (tries === UNIQUE_TRIES) throw new TuneError('TUNE-35008', `The unique indexes of ${work.split.source} could not be built in ${UNIQUE_TRIES} tries: each time two documents had the same value for a moment. tune.split.resume("${work.split.planId}") tries again, best while less is written.`, { value: error.keyValue, cause: error });
      return false;
    }));
    if (!built) await catchUp();
  }
}

const DUPLICATE_KEY = 11000;
const UNIQUE_TRIES = 20;

module.exports = { copyOut, buildIndexes };
