'use strict';

const { TuneError } = require('../errors');
const { between, below } = require('./copy-ranges');
const { converge } = require('./converge');
const { keyOf } = require('./stream');
const { everySoOften } = require('./every-so-often');
const { READ } = require('./server');
const { atOnce, differing, digests, placesOf } = require('./digest');
const { sleep } = require('../context');
const { rate } = require('./rate');

/**
 * Compares both sides of a leg byte by byte, the order of fields too. Both are read in the order of `_id`, and only their hashes kept.
 * dbHash would do it on the server, and hold up every writer of the database meanwhile.
 *
 * @typedef {import('./work').Work} Work @typedef {import('./names').Leg} Leg
 * @typedef {{ documents: number, ranges: number, differences: { id: any, where: 'source' | 'target' | 'both' }[], repaired: number, moving: number }} Verified
 *   `differences`: still there after the document was brought over again; `moving`: changed so often that no two readings agreed
 */

/** @typedef {'same' | 'moving' | 'source' | 'target' | 'both'} Outcome */

const RANGE = 2_000;
/** Milliseconds. What is written meanwhile is brought over so often, or the later ranges would differ in all of it; ours. */
const CATCH_UP_EVERY_MS = 2_000;
/** Rounds in which all that differs in a range is brought over together, before it is looked at one by one; ours. */
const TOGETHER = 3;
/** Of a document that is written all the time two readings differ; one that really differs stays as it is. */
const ROUNDS = 6;
const PAUSE_MS = 50;
/** A comparison reads both collections whole; this leaves the disk and the cache to others for half the time. */
const REST_RATIO = 1;
const LONGEST_REST_MS = 1_000;
/** Milliseconds. Writers wait meanwhile; ours. */
const TAIL_MS = 200;
/** Documents of 16 MB may be among them. */
const TAIL_STEP = 50;

/**
 * @param {Work} work @param {Leg} leg @param {(() => Promise<unknown>) | null} catchUp null: nothing moves
 * @returns {Promise<Verified>}
 */
async function compare(work, leg, catchUp) {
  /** @type {Verified} */
  const result = { documents: 0, ranges: 0, differences: [], repaired: 0, moving: 0 };
  const since = new Date();
  const keepUp = everySoOften(CATCH_UP_EVERY_MS, catchUp);
  /** @type {{ id: any } | null} */ let from = null;
  for (let last = false; !last;) {
    work.safePoint();
    await keepUp();
    const began = Date.now();
    /** @type {{ id: any } | null} */ const start = from;
    const places = await placesOf(work, leg);
    /** @type {any} */ const edge = await work.again(() => edgeOf(work, places, start));
    const range = rangeOf(start, edge);
    const [ours, theirs] = await digests(work, places, range);
    if (ours.hash !== theirs.hash) await settle(work, leg, { range, catchUp, result });
    result.documents += ours.documents;
    result.ranges += 1;
    work.say(`verifying: ${rate(result.documents, work.split.documents, since)}`);
    await sleep(Math.min(LONGEST_REST_MS, REST_RATIO * (Date.now() - began)), work.signal);
    from = edge ? { id: edge._id } : null;
    last = !edge;
  }
  return result;
}

/**
 * What differs in a range: brought over again, all at once and then one by one, and compared again.
 * @param {Work} work @param {Leg} leg @param {{ range: object, catchUp: (() => Promise<unknown>) | null, result: Verified }} into
 */
async function settle(work, leg, { range, catchUp, result }) {
  const ids = await differing(work, leg, await idsOf(work, leg, range));
  let left = ids;
  for (let round = 0; round < TOGETHER && left.length > 1; round += 1) {
    if (round > 0) await catchUp?.();
    await converge(work, leg, { ids: left, gone: left, time: null });
    left = await differing(work, leg, left);
  }
  result.repaired += ids.length - left.length;
  for (const [id, outcome] of await settleEach(work, leg, left, catchUp)) {
    if (outcome === 'same') result.repaired += 1;
    else if (outcome === 'moving') result.moving += 1;
    else result.differences.push({ id, where: outcome });
  }
}

/**
 * Each is looked at by itself; what moves between two looks is brought over for all of them at once, or a range of documents that are written all the time takes minutes.
 * @param {Work} work @param {Leg} leg @param {any[]} ids @param {(() => Promise<unknown>) | null} catchUp @returns {Promise<[any, Outcome][]>}
 */
async function settleEach(work, leg, ids, catchUp) {
  /** @type {[any, Outcome][]} */ const settled = [];
  let open = ids.map((id) => ({ id, seen: new Set() }));
  for (let round = 0; open.length > 0; round += 1) {
    const places = await placesOf(work, leg);
    const outcomes = await atOnce(open, (one) => lookAt(work, places, one));
    const isOver = (/** @type {number} */ i) => outcomes[i] === 'same' || round === ROUNDS;
    settled.push(...open.flatMap(({ id }, i) => (isOver(i) ? [/** @type {[any, Outcome]} */ ([id, outcomes[i]])] : [])));
    open = open.filter((_, i) => !isOver(i));
    if (open.length === 0) break;
    if (catchUp) await catchUp();
    await converge(work, leg, { ids: open.map(({ id }) => id), gone: open.map(({ id }) => id), time: null });
    await sleep(PAUSE_MS, work.signal);
  }
  return settled;
}

/** @param {Work} work @param {import('./digest').Places} places @param {{ id: any, seen: Set<string> }} one `seen`: what it was at each look @returns {Promise<Outcome>} */
async function lookAt(work, places, { id, seen }) {
  const [ours, theirs] = await digests(work, places, { _id: { $in: [id] } });
  if (ours.hash === theirs.hash) return 'same';
  seen.add(ours.hash);
  return seen.size > 1 ? 'moving' : ours.documents === 0 ? 'target' : theirs.documents === 0 ? 'source' : 'both';
}

/** Of both sides: a document may be on one only. @param {Work} work @param {Leg} leg @param {object} range */
async function idsOf(work, leg, range) {
  const both = await Promise.all(Object.values(await placesOf(work, leg)).map((place) => work.again(async () => (
    work.port.aggregate(...place, [{ $match: range }, { $project: { _id: 1 } }], { ...READ, hint: { _id: 1 } }).toArray()))));
  // The same id may come from both: that one is compared twice in the worst case.
  return dedupe(both.flat().map(({ _id }) => _id));
}

/** @param {any[]} ids */
const dedupe = (ids) => [...new Map(ids.map((id) => [keyOf(id), id])).values()];

/** @param {Work} work @param {import('./digest').Places} places @param {{ id: any } | null} from @returns {Promise<any>} */
async function edgeOf(work, { source }, from) {
  const [edge] = await work.port.aggregate(...source, [
    ...(from ? [{ $match: between(from.id) }] : []), { $sort: { _id: 1 } }, { $skip: RANGE }, { $limit: 1 }, { $project: { _id: 1 } },
  ], { ...READ, hint: { _id: 1 } }).toArray();
  return edge;
}

/** @param {{ id: any } | null} from @param {any} edge */
const rangeOf = (from, edge) => (from ? between(from.id, edge) : edge ? below(edge) : {});

/**
 * Once more, after the cut and before the new place opens, what was written last: byte by byte, the newest first, and no longer than
 * writers can wait. What differs is brought over again.
 * @param {Work} work @param {Leg} leg
 * @throws {TuneError} TUNE-35015
 */
async function compareTail(work, leg) {
  const ids = [...work.recent.values()].reverse();
  const until = Date.now() + TAIL_MS;
  for (let first = 0; first < ids.length && Date.now() < until; first += TAIL_STEP) {
    for (const id of await differing(work, leg, ids.slice(first, first + TAIL_STEP))) {
      const [[, outcome]] = await settleEach(work, leg, [id], null);
      if (outcome !== 'same') throw differs(work, [{ id, where: outcome === 'moving' ? 'both' : outcome }]);
    }
  }
}

/**
 * Where the stream of changes is lost after the cut, nothing moves any more: then comparing everything brings the rest over, too.
 * @param {Work} work @param {Leg} leg
 * @throws {TuneError} TUNE-35015
 */
async function compareInstead(work, leg) {
  const { differences } = await compare(work, leg, null);
  if (differences.length > 0) throw differs(work, differences);
}

/** @param {Work} work @param {Verified['differences']} differences */
const differs = ({ split: { source, target } }, differences) => new TuneError('TUNE-35015', `${differences.length} ${differences.length === 1 ? 'document' : 'documents'} of ${source} and ${target} still differ after being brought over again, the first with _id ${JSON.stringify(differences[0].id)}.`, { value: differences });

/** @param {Verified} found as it is written down */
const verifiedOf = ({ documents, differences, repaired, moving }) => ({ at: new Date(), documents, differences: differences.length, repaired, moving, ids: differences.slice(0, MOST_IDS) });
/** The rest is counted only. */
const MOST_IDS = 100;

module.exports = { compare, verifiedOf, compareTail, compareInstead };
