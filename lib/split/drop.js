'use strict';

const { command, isNoCollection, isThere } = require('./operations');
const { retryAsViewsChange } = require('./dependents');
const { answersReads } = require('./old-reads');
const { closing } = require('./replace-view');
const { findCollection, findOccupant, sameUuid } = require('./server');
const { runAtomicStep } = require('./atomic-step');
const { HOLD_MS } = require('./server-lock');
const { isSplitView } = require('./target');

/**
 * @import { Closed } from './replace-view'
 * @import { AtomicStep } from './atomic-step'
 * @import { CollectionId, CollectionName, Port } from './server'
 * @import { SplitJob } from './split-job'
 */

/**
 * Drops what is not needed any more, in one step that proves first that the data which stays
 * exists.
 *
 * @typedef {{
 *   keeps: CollectionId | null, view: { db: string, name: string } | null,
 *   copies: readonly CollectionId[], empty?: readonly CollectionId[], closed?: Closed | null
 * }} Dropped `keeps`: the collection with the data, null where no data is dropped; `view`: a name
 *   that becomes free; `copies`: dropped by UUID, whatever their names are then; `empty`: dropped
 *   only without a document; `closed`: a name that refuses everything from then on
 */

/** @param {SplitJob} job @param {Dropped} what */
async function dropStep(job, { keeps, view, copies, empty = [], closed = null }) {
  const { port } = job;
  const isView = async (/** @type {{ db: string, name: string }} */ { db, name }) =>
    isSplitView(await findOccupant(port, { db, name }));
  const left = () => stillThere(port, { copies, empty });
  const isOpen = async () =>
    closed !== null &&
    ((await findOccupant(port, closed.place))?.type !== 'view' ||
      (await answersReads(port, { from: closed.place })));
  /** @type {AtomicStep} */ const step = {
    place: /** @type {{ db: string, name: string }} */ (keeps ?? view ?? closed?.place),
    touches: [
      ...[...copies, ...empty].filter(({ uuid }) => uuid),
      ...(view ? [view] : []),
      ...(closed ? [closed.place] : []),
    ],
    pinned: async () => (await left()).map((one) => asSeen(port, one, empty)),
    isDone: async () =>
      (await left()).length === 0 && !(view && (await isView(view))) && !(await isOpen()),
    operations: async () => {
      const { proof, made, opened } = await closing(port, closed);
      return [
        ...(keeps ? [isThere(keeps)] : []),
        ...proof,
        ...(view && (await isView(view))
          ? [isNoCollection(view), command(view.db, { drop: view.name })]
          : []),
        ...made,
        ...opened,
        ...(await left()).map(({ db, name, uuid }) => command(db, { drop: name }, uuid)),
      ];
    },
  };
  await retryAsViewsChange(() => runAtomicStep(job, step));
}

/**
 * @param {Port} port
 * @param {{ copies: readonly CollectionId[], empty: readonly CollectionId[] }} what
 * @returns {Promise<CollectionId[]>} the collections that are still to be dropped
 */
async function stillThere(port, { copies, empty }) {
  const all = [...copies, ...empty];
  const there = await Promise.all(
    all.map(async ({ db, name }) => (await findCollection(port, db, name))?.info?.uuid),
  );
  const left = all.filter(({ uuid }, i) => sameUuid(there[i], uuid));
  const isDue = await Promise.all(left.map((one) => !empty.includes(one) || isEmpty(port, one)));
  return left.filter((_one, i) => isDue[i]);
}

/**
 * Checks that a collection is as seen: a document that came meanwhile stays. A session that waits
 * for tune's transaction may delay the check.
 * @param {Port} port @param {CollectionId} one @param {readonly CollectionId[]} empty
 */
const asSeen = (port, one, empty) =>
  empty.includes(one)
    ? { ...one, isAsSeen: () => isEmpty(port, one, { maxTimeMS: HOLD_MS }) }
    : one;

/** @param {Port} port @param {CollectionName} place @param {{ maxTimeMS?: number }} [more] */
async function isEmpty(port, { db, name }, more = {}) {
  const { cursor } = await port.command(db, {
    find: name,
    limit: 1,
    singleBatch: true,
    projection: { _id: 1 },
    readConcern: { level: 'local' },
    ...more,
  });
  return cursor.firstBatch.length === 0;
}

/**
 * Lists everything in the target's database that this split made: staging copies may exist under
 * their former names.
 * @param {SplitJob} job
 */
const copiesOf = (job) => collectionsOf(job, job.split.into.db, job.split.into.stagingName);
/**
 * Lists the old data in the source's database: another session can give the name to another
 * collection.
 * @param {SplitJob} job
 * @returns {Promise<CollectionId[]>}
 */
async function oldDataOf(job) {
  return (await besideSource(job)).filter(({ uuid }) => sameUuid(uuid, job.split.sourceUuid));
}

/**
 * Lists empty collections that a late request for an index made after the old data got another
 * name.
 * @param {SplitJob} job
 * @returns {Promise<CollectionId[]>}
 */
async function madeLate(job) {
  const { sourceUuid, stagingUuid } = job.split;
  const own = [sourceUuid, stagingUuid];
  return (await besideSource(job)).filter(({ uuid }) => !own.some((one) => sameUuid(one, uuid)));
}

/** @param {SplitJob} job */
const besideSource = (job) => collectionsOf(job, job.split.from.db, job.split.from.renamedTo);

/**
 * @param {SplitJob} job
 * @param {string} db
 * @param {string} current its present name, besides its former ones
 * @returns {Promise<CollectionId[]>}
 */
async function collectionsOf({ port, split, again }, db, current) {
  return again(async () => {
    const { cursor } = await port.command(db, {
      listCollections: 1,
      filter: { name: { $in: [current, ...split.formerNames] } },
    });
    return cursor.firstBatch
      .filter((/** @type {any} */ { type }) => type === 'collection')
      .map((/** @type {any} */ { name, info }) => ({ db, name, uuid: info.uuid }));
  });
}

module.exports = { copiesOf, dropStep, madeLate, oldDataOf };
