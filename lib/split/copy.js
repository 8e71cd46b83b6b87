'use strict';

const { readAhead } = require('./read-ahead');
const { majorityTime, write } = require('./server');
const { reconcile } = require('./reconcile');
const { NULL_ID, typesOf } = require('./ids');
const { hasEmpty, keepEmpty, readAt } = require('./merge');
const { forward } = require('./directions');
const { sourceName } = require('./target');
const { rate } = require('./rate');
const { killOwnOperations } = require('./left-running');
const { withProgress } = require('./with-progress');

/**
 * @import { Work } from './work'
 */

/** A document that was deleted and inserted again meanwhile was read twice. */
const DUPLICATE_KEY = 11000;
/** In this order none is read twice; it takes longer. */
const BY_ID = Object.freeze({ hint: Object.freeze({ _id: 1 }) });

/**
 * The whole collection in one command of the server. Following begins where the copy began.
 * @param {Work} work
 */
async function copyOut(work) {
  const { port } = work;
  await killOwnOperations(work);
  const startAt = work.split.mode === 'online' ? await work.again(() => majorityTime(port)) : null;
  await work.save({ phase: 'copying', startAt, token: null });
  work.noted = null;
  const ahead = startAt ? readAhead(work, forward(work.split)) : null;
  try {
    await outAsItIs(work, startAt);
  } catch (error) {
    // The next copy begins later, and reads the stream anew.
    await ahead?.stop();
    work.noted = null;
    throw error;
  }
  await ahead?.stop();
}

/** @param {Work} work @param {any} startAt */
async function outAsItIs(work, startAt) {
  const direction = forward(work.split);
  const types = await typesOf(work);
  const name = await work.again(() => sourceName(work.port, direction));
  // Beside the copy, which takes eight times as long; what changes meanwhile makes events.
  const asked = hasEmpty(work, direction, { name, filter: {}, time: startAt }, types);
  asked.catch(() => undefined);
  await work
    .write(() => out(work, { name, startAt }))
    .catch((error) => {
      if (error.code !== DUPLICATE_KEY) throw error;
      return work.write(() => out(work, { name, startAt, how: BY_ID }));
    });
  if (!(await asked)) return;
  const some = { filter: { _id: { $ne: null } }, time: startAt };
  await withProgress(
    work,
    keepEmpty(work, direction, some, types),
    async () => 'copying: empty timestamps',
  );
  await reconcile(work, direction, { ids: [NULL_ID], gone: [], time: startAt });
}

/** @param {Work} work @param {{ name: string, startAt: any, how?: object }} source */
async function out(work, { name, startAt, how = {} }) {
  const {
    port,
    split: { from, into, _id },
  } = work;
  await withProgress(
    work,
    write(port, from.db, {
      aggregate: name,
      pipeline: [{ $out: { db: into.db, coll: into.stagingName } }],
      cursor: {},
      bypassDocumentValidation: true,
      readConcern: readAt(startAt),
      comment: `mongosh-tune ${_id}`,
      ...how,
    }),
    () => outProgress(work),
  );
}

/** $out fills a collection of its own first. @param {Work} work */
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
