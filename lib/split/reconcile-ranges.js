'use strict';

const { reconcile } = require('./reconcile');
const { expressionFor, filterOf, idOf, once, typesOf } = require('./ids');
const { LONG_READ } = require('./server');
const { AT_ONCE, differing, digest, digests, placesOf } = require('./digest');
const { mapConcurrent } = require('../base/timing');
const { sleep } = require('../base/context');

/**
 * @import { Place, Places } from './digest'
 * @import { Direction } from './directions'
 * @import { Id } from './ids'
 * @import { PendingChanges } from './pending-changes'
 * @import { SplitJob } from './split-job'
 */

/**
 * Decides whether a difference of a first comparison was only written meanwhile.
 * @typedef {'source' | 'target' | 'both'} Where the only side that has the document; `both`: both
 *   have one, and these differ
 * @typedef {'same' | 'moving' | Where} Outcome `moving`: the source changed from check to check
 * @typedef {{
 *   repaired: number, moving: number, pending: number,
 *   differences: { id: Id | null, where: Where }[]
 * }} Found `id` null: a range differs in none of the visible documents
 * @typedef {{
 *   catchUp: (() => Promise<unknown>) | null, repair: boolean,
 *   pending?: PendingChanges
 * }} How `repair` false: nothing is written; `pending`: reports changes that are only not applied
 *   yet
 */

/**
 * Number of rounds in which documents are applied together before they are checked one by one;
 * heuristic.
 */
const TOGETHER = 3;
/**
 * Number of rounds until a document that is the same in the source, and still differs, is a
 * difference; heuristic.
 */
const ROUNDS = Object.freeze({ repair: 6, check: 2 });
const PAUSE_MS = 50;
/** @param {How} how */
const roundsOf = ({ repair }) => (repair ? ROUNDS.repair : ROUNDS.check);

/**
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {object} range a filter
 * @param {How} how
 * @returns {Promise<Found>}
 */
async function reconcileRange(job, direction, range, how) {
  await how.pending?.begin();
  const ids = await differing(job, direction, await idsOf(job, direction, range));
  let left = await notPending(ids, how);
  const pending = ids.length - left.length;
  for (let round = 0; round < TOGETHER && left.length > 1; round += 1) {
    if (round > 0) await how.catchUp?.();
    await apply(job, direction, left, how);
    left = await differing(job, direction, left);
  }
  /** @type {[Id | null, Outcome][]} */
  const settled = await reconcileEach(job, direction, left, how);
  if (pending === 0 && settled.every(([, outcome]) => outcome === 'same'))
    settled.push([null, await reconcileWhole(job, direction, range, how)]);
  return withoutPending({ ...foundOf(ids, settled, how), pending }, how);
}

/** @param {Id[]} ids the ids that differ @param {How} how @returns {Promise<Id[]>} */
async function notPending(ids, { pending }) {
  if (!pending || ids.length === 0) return ids;
  const isPending = await pending.readOn();
  return ids.filter((id) => !isPending(id));
}

/**
 * Removes pending changes: a document written while documents were checked again differs, too.
 * @param {Found} found @param {How} how
 * @returns {Promise<Found>}
 */
async function withoutPending(found, { pending }) {
  if (!pending || found.differences.length === 0) return found;
  const isPending = await pending.readOn();
  const differences = found.differences.filter(({ id }) => !isPending(id));
  const more = found.differences.length - differences.length;
  return { ...found, differences, pending: found.pending + more };
}

/**
 * @param {Id[]} ids the ids that differed at first
 * @param {[Id | null, Outcome][]} settled the outcome of the remaining ones
 * @param {How} how
 * @returns {Omit<Found, 'pending'>}
 */
function foundOf(ids, settled, { repair }) {
  const named = settled.filter(([id, outcome]) => id !== null && outcome !== 'same');
  return {
    repaired: repair ? ids.length - named.length : 0,
    moving: settled.filter(([, outcome]) => outcome === 'moving').length,
    differences: settled.flatMap(([id, where]) =>
      where === 'same' || where === 'moving' ? [] : [{ id, where }],
    ),
  };
}

/**
 * Checks a range in which each document is the same now. If it differs nevertheless, that is a
 * difference only where the source stalled while all its ids were compared: otherwise it was
 * written between two checks.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {object} range
 * @param {How} how
 * @returns {Promise<'same' | 'moving' | 'both'>}
 */
async function reconcileWhole(job, direction, range, how) {
  for (let [round, compared] = [0, range]; round < TOGETHER; round += 1) {
    const places = await placesOf(job, direction);
    const read = (/** @type {Place} */ place) => job.again(() => digest(job, place, compared));
    const [before, target, now] = [
      await read(places.source),
      await read(places.target),
      await read(places.source),
    ];
    if (now.hash === target.hash) return 'same';
    if (before.hash === now.hash) {
      const isLeft = await isAnyLeft(job, direction, compared, how);
      const [again, after] = [await read(places.target), await read(places.source)];
      if (after.hash === again.hash) return 'same';
      if (!isLeft && before.hash === after.hash) return 'both';
    }
    compared = await untilLast(job, places, range);
    await sleep(PAUSE_MS, job.signal);
  }
  return 'moving';
}

/**
 * @param {SplitJob} job @param {Direction} direction @param {object} range @param {How} how
 * @returns {Promise<boolean>} whether a document still differs
 */
async function isAnyLeft(job, direction, range, how) {
  const ids = await differing(job, direction, await idsOf(job, direction, range));
  await apply(job, direction, ids, how);
  return (await differing(job, direction, ids)).length > 0;
}

/**
 * Ends a range at its last document: while clients insert after it, the last range would always
 * change.
 * @param {SplitJob} job
 * @param {Places} places
 * @param {object} range
 * @returns {Promise<object>}
 */
async function untilLast(job, { source }, range) {
  const pipeline = [
    { $match: range },
    { $sort: { _id: -1 } },
    { $limit: 1 },
    { $project: { _id: 1 } },
  ];
  const options = { ...LONG_READ, raw: true, hint: { _id: 1 } };
  const [last] = await job.again(() => job.port.aggregate(...source, pipeline, options).toArray());
  const end = last ? expressionFor(idOf(last), await typesOf(job)) : null;
  return end === null ? range : { $and: [range, { $expr: { $lte: ['$_id', end] } }] };
}

/** @param {SplitJob} job @param {Direction} direction @param {Id[]} ids @param {How} how */
async function apply(job, direction, ids, { repair }) {
  if (!repair || ids.length === 0) return;
  // They are removed first, and no event restores them where this shell dies then: only a
  // comparison of everything does.
  await job.compareAllNext();
  await reconcile(job, direction, { ids, gone: ids, time: null });
}

/**
 * Checks each document separately, and applies those that still differ together: one by one, a
 * range that is written all the time takes minutes.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {Id[]} ids
 * @param {How} how
 * @returns {Promise<[Id, Outcome][]>}
 */
async function reconcileEach(job, direction, ids, how) {
  /** @type {[Id, Outcome][]} */ const settled = [];
  let open = ids.map((id) => ({ id, seen: new Set() }));
  for (let round = 0; open.length > 0; round += 1) {
    const places = await placesOf(job, direction);
    const outcomes = await mapConcurrent(open, (one) => checkOne(job, places, one), AT_ONCE);
    const isOver = (/** @type {number} */ i) => outcomes[i] === 'same' || round === roundsOf(how);
    open.forEach(({ id }, i) => {
      if (isOver(i)) settled.push([id, outcomes[i]]);
    });
    open = open.filter((_, i) => !isOver(i));
    if (open.length === 0) break;
    await how.catchUp?.();
    await apply(
      job,
      direction,
      open.map(({ id }) => id),
      how,
    );
    await sleep(PAUSE_MS, job.signal);
  }
  return settled;
}

/**
 * @param {SplitJob} job @param {Places} places
 * @param {{ id: Id, seen: Set<string> }} one `seen`: the hashes of the source so far
 * @returns {Promise<Outcome>}
 */
async function checkOne(job, places, { id, seen }) {
  const [source, target] = await digests(job, places, filterOf([id], await typesOf(job)));
  if (source.hash === target.hash) return 'same';
  seen.add(source.hash);
  if (seen.size > 1) return 'moving';
  if (source.documents === 0) return 'target';
  return target.documents === 0 ? 'source' : 'both';
}

/**
 * Lists the ids of both sides, because a document may be on one only.
 * @param {SplitJob} job @param {Direction} direction @param {object} range
 * @returns {Promise<Id[]>}
 */
async function idsOf(job, direction, range) {
  const pipeline = [{ $match: range }, { $project: { _id: 1 } }];
  const options = { ...LONG_READ, raw: true, hint: { _id: 1 } };
  const { source, target } = await placesOf(job, direction);
  const read = (/** @type {Place} */ place) =>
    job.again(() => job.port.aggregate(...place, pipeline, options).toArray());
  const both = await Promise.all([read(source), read(target)]);
  return once(both.flat().map(idOf));
}

module.exports = { reconcileRange, reconcileEach };
