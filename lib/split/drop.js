'use strict';

const { command, isNoCollection, isThere } = require('./operations');
const { retryAsViewsChange } = require('./dependents');
const { answersReads } = require('./old-reads');
const { closing } = require('./replace-view');
const { findCollection, findOccupant, sameUuid } = require('./server');
const { runAtomicStep } = require('./atomic-step');
const { isSplitView } = require('./target');

/**
 * @import { Closed } from './replace-view'
 * @import { AtomicStep } from './atomic-step'
 * @import { CollectionId } from './server'
 * @import { SplitJob } from './split-job'
 */

/**
 * Drops what is not needed any more, in one step that proves first that what stays is there.
 *
 * @typedef {{
 *   keeps: CollectionId | null, view: { db: string, name: string } | null,
 *   copies: readonly CollectionId[], closed?: Closed | null
 * }} Dropped `keeps`: where the data is, null where none is dropped;
 *   `view`: a name that becomes free; `copies`: each is dropped by what it is, whatever it is
 *   called by then; `closed`: a name that is to refuse everything from then on
 */

/** @param {SplitJob} job @param {Dropped} what */
async function dropStep(job, { keeps, view, copies, closed = null }) {
  const { port } = job;
  const isView = async (/** @type {{ db: string, name: string }} */ { db, name }) =>
    isSplitView(await findOccupant(port, { db, name }));
  const left = async () => {
    const there = await Promise.all(
      copies.map(async ({ db, name }) => (await findCollection(port, db, name))?.info?.uuid),
    );
    return copies.filter(({ uuid }, i) => sameUuid(there[i], uuid));
  };
  const isOpen = async () =>
    closed !== null &&
    ((await findOccupant(port, closed.place))?.type !== 'view' ||
      (await answersReads(port, { from: closed.place })));
  /** @type {AtomicStep} */ const step = {
    place: /** @type {{ db: string, name: string }} */ (keeps ?? view ?? closed?.place),
    touches: [
      ...copies.filter(({ uuid }) => uuid),
      ...(view ? [view] : []),
      ...(closed ? [closed.place] : []),
    ],
    pinned: left,
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
 * Everything in the target's database that this split made: of a staging copy there may be some
 * under names that it had.
 * @param {SplitJob} job
 */
const copiesOf = (job) => collectionsOf(job, job.split.into.db, job.split.into.stagingName);
/**
 * In the source's database: another session can give the name to a collection of its own.
 * @param {SplitJob} job
 * @returns {Promise<CollectionId[]>}
 */
async function oldDataOf(job) {
  const found = await collectionsOf(job, job.split.from.db, job.split.from.renamedTo);
  return found.filter(({ uuid }) => sameUuid(uuid, job.split.sourceUuid));
}

/**
 * @param {SplitJob} job @param {string} db @param {string} current name, besides those it had
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

module.exports = { copiesOf, dropStep, oldDataOf };
