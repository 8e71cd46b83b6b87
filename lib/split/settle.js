'use strict';

const { converge } = require('./converge');
const { expressionFor, filterOf, idOf, once, typesOf } = require('./ids');
const { READ } = require('./server');
const { atOnce, differing, digest, digests, placesOf } = require('./digest');
const { sleep } = require('../context');

/**
 * What differs at a first comparison: moved meanwhile, or really another.
 * @typedef {import('./work').Work} Work @typedef {import('./names').Leg} Leg @typedef {import('./ids').Id} Id
 * @typedef {'same' | 'moving' | 'source' | 'target' | 'both'} Outcome `moving`: no two looks agreed
 * @typedef {{ catchUp: (() => Promise<unknown>) | null, repair: boolean }} How `repair`: what differs is brought over again; otherwise it is only read
 */

/** Rounds in which all that differs in a range is brought over together, before it is looked at one by one, and after it; ours. */
const TOGETHER = 3;
/** Of a document that is written all the time two readings differ; one that really differs stays as it is. Only looked at, nothing changes but what is written. */
const ROUNDS = Object.freeze({ repair: 6, look: 2 });
const PAUSE_MS = 50;
/** @param {How} how */
const roundsOf = ({ repair }) => (repair ? ROUNDS.repair : ROUNDS.look);

/** @typedef {{ repaired: number, moving: number, differences: { id: Id | null, where: 'source' | 'target' | 'both' }[] }} Found `id` null: the document was not found */

/**
 * All that differs in a range, at first together and then one by one.
 * @param {Work} work @param {Leg} leg @param {object} range filter @param {How} how @returns {Promise<Found>}
 */
async function settleRange(work, leg, range, how) {
  const ids = await differing(work, leg, await idsOf(work, leg, range));
  let left = ids;
  for (let round = 0; round < TOGETHER && left.length > 1; round += 1) {
    if (round > 0) await how.catchUp?.();
    await bringOver(work, leg, left, how);
    left = await differing(work, leg, left);
  }
  const settled = await settleEach(work, leg, left, how);
  if (settled.some(([, outcome]) => outcome !== 'same')) return foundOf(ids, settled, how);
  return foundOf(ids, [...settled, [null, await settleWhole(work, leg, range, how)]], how);
}

/** @param {Id[]} ids that differed at first @param {[Id | null, Outcome][]} settled what became of the last of them @param {How} how @returns {Found} */
function foundOf(ids, settled, { repair }) {
  const still = settled.flatMap(([id, where]) => (where === 'same' || where === 'moving' ? [] : [{ id, where }]));
  const moving = settled.filter(([, outcome]) => outcome === 'moving').length;
  const named = settled.filter(([id, outcome]) => id !== null && outcome !== 'same').length;
  return { repaired: repair ? ids.length - named : 0, moving, differences: still };
}

/**
 * Each of its documents is the same now. Where the range is not, one is there that we do not see, or it changed between two looks: only a source that stood still
 * while all its ids were compared, and the target was read, says which.
 * @param {Work} work @param {Leg} leg @param {object} range @param {How} how @returns {Promise<'same' | 'moving' | 'both'>}
 */
async function settleWhole(work, leg, range, how) {
  for (let [round, within] = [0, range]; round < TOGETHER; round += 1) {
    const places = await placesOf(work, leg);
    const read = (/** @type {import('./digest').Place} */ place) => work.again(() => digest(work, place, within));
    const [before, target, now] = [await read(places.source), await read(places.target), await read(places.source)];
    if (now.hash === target.hash) return 'same';
    if (before.hash === now.hash) {
      const isLeft = await leftIn(work, leg, within, how);
      const [again, after] = [await read(places.target), await read(places.source)];
      if (after.hash === again.hash) return 'same';
      if (!isLeft && before.hash === after.hash) return 'both';
    }
    within = await untilLast(work, places, range);
    await sleep(PAUSE_MS, work.signal);
  }
  return 'moving';
}

/** @param {Work} work @param {Leg} leg @param {object} range @param {How} how @returns {Promise<boolean>} whether a document is still another when all that are were brought over */
async function leftIn(work, leg, range, how) {
  const ids = await differing(work, leg, await idsOf(work, leg, range));
  await bringOver(work, leg, ids, how);
  return (await differing(work, leg, ids)).length > 0;
}

/** Up to the last document there is: where more are inserted behind it, the last range never stands still. @param {Work} work @param {import('./digest').Places} places @param {object} range @returns {Promise<object>} */
async function untilLast(work, { source }, range) {
  const [last] = await work.again(() => work.port.aggregate(...source, [{ $match: range }, { $sort: { _id: -1 } }, { $limit: 1 }, { $project: { _id: 1 } }], { ...READ, raw: true, hint: { _id: 1 } }).toArray());
  const end = last ? expressionFor(idOf(last), await typesOf(work)) : null;
  return end === null ? range : { $and: [range, { $expr: { $lte: ['$_id', end] } }] };
}

/** @param {Work} work @param {Leg} leg @param {Id[]} ids @param {How} how */
async function bringOver(work, leg, ids, { repair }) {
  if (repair && ids.length > 0) await converge(work, leg, { ids, gone: ids, time: null });
}

/**
 * Each is looked at by itself; what moves between two looks is brought over for all of them at once, or a range of documents that are written all the time takes minutes.
 * @param {Work} work @param {Leg} leg @param {Id[]} ids @param {How} how @returns {Promise<[Id, Outcome][]>}
 */
async function settleEach(work, leg, ids, how) {
  /** @type {[Id, Outcome][]} */ const settled = [];
  const last = roundsOf(how);
  let open = ids.map((id) => ({ id, seen: new Set() }));
  for (let round = 0; open.length > 0; round += 1) {
    const places = await placesOf(work, leg);
    const outcomes = await atOnce(open, (one) => lookAt(work, places, one));
    const isOver = (/** @type {number} */ i) => outcomes[i] === 'same' || round === last;
    settled.push(...open.flatMap(({ id }, i) => (isOver(i) ? [/** @type {[Id, Outcome]} */ ([id, outcomes[i]])] : [])));
    open = open.filter((_, i) => !isOver(i));
    if (open.length === 0) break;
    await how.catchUp?.();
    await bringOver(work, leg, open.map(({ id }) => id), how);
    await sleep(PAUSE_MS, work.signal);
  }
  return settled;
}

/** @param {Work} work @param {import('./digest').Places} places @param {{ id: Id, seen: Set<string> }} one `seen`: what it was at each look @returns {Promise<Outcome>} */
async function lookAt(work, places, { id, seen }) {
  const [ours, theirs] = await digests(work, places, filterOf([id], await typesOf(work)));
  if (ours.hash === theirs.hash) return 'same';
  seen.add(ours.hash);
  return seen.size > 1 ? 'moving' : ours.documents === 0 ? 'target' : theirs.documents === 0 ? 'source' : 'both';
}

/** Of both sides: a document may be on one only. @param {Work} work @param {Leg} leg @param {object} range @returns {Promise<Id[]>} */
async function idsOf(work, leg, range) {
  const both = await Promise.all(Object.values(await placesOf(work, leg)).map((place) => work.again(async () => (
    work.port.aggregate(...place, [{ $match: range }, { $project: { _id: 1 } }], { ...READ, raw: true, hint: { _id: 1 } }).toArray()))));
  // The same id may come from both in two types: that one is compared twice.
  return once(both.flat().map(idOf));
}

module.exports = { settleRange, settleEach };
