'use strict';

const { TuneError } = require('../base/pure/errors');
const { atMostEvery } = require('../base/timing');
const { edgeOf, rangeOf, typesOf } = require('./ids');
const { pendingChanges, NOTHING_PENDING } = require('./pending-changes');
const { shownOf, textOfId } = require('./id-text');
const { differing, digests, placesOf } = require('./digest');
const { reconcileEach, reconcileRange } = require('./reconcile-ranges');
const { sleep } = require('../base/context');
const { cutWayOf } = require('./pure/phase-table');
const { rate } = require('./progress');
const { findSplits } = require('./state');
const { checkStaging, isStaging } = require('./target');

/**
 * @import { Places } from './digest'
 * @import { Direction } from './directions'
 * @import { Id } from './ids'
 * @import { How, Where } from './reconcile-ranges'
 * @import { Port } from './server'
 * @import { SplitJob } from './split-job'
 * @import { Phase } from './state'
 * @import { Split, Types } from './types'
 */

/**
 * Compares both sides of a direction byte by byte, including the order of fields. Both are read in
 * the order of `_id`, and only their hashes are kept. dbHash would do it on the server, and block
 * every writer of the database meanwhile.
 *
 * @typedef {{
 *   documents: number, ranges: number, differences: { id: any, where: Where }[], repaired: number,
 *   moving: number, pending: number
 * }} Verified `differences`: those that remain after the document was applied again; `id`: as a
 *   JavaScript value where that is exact, otherwise as text; null: a range differs, and the
 *   document was not found; `moving`: documents that changed from check to check; `pending`:
 *   documents written and not applied yet, so not compared
 */

const RANGE = 2_000;
/**
 * Milliseconds between two catch-ups: without them the later ranges would differ everywhere;
 * heuristic.
 */
const CATCH_UP_EVERY_MS = 2_000;
/**
 * Length of a pause, as a share of the time before it. A comparison reads both collections whole;
 * this leaves the disk and the cache to others for half the time.
 */
const REST_RATIO = 1;
const LONGEST_REST_MS = 1_000;
/** Options of a comparison when no write can come any more. */
const REPAIR = Object.freeze({ catchUp: null, repair: true });
/** Milliseconds for the comparison of the newest writes; writers wait meanwhile; heuristic. */
const TAIL_MS = 200;
/** Number of documents in a step: they may have 16 MB each. */
const TAIL_STEP = 50;

/**
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {(() => Promise<unknown>) | null} catchUp null: nothing changes, or nothing has to be
 *   applied
 * @param {{ repair?: boolean }} [options] `repair` false: nothing is written; a document that
 *   differs is checked again, and is moving where the source changes meanwhile
 * @returns {Promise<Verified>}
 */
async function compare(job, direction, catchUp, { repair = true } = {}) {
  const types = await typesOf(job);
  const found = await compareIds(job, direction, { catchUp, repair });
  return { ...found, differences: shownDifferences(found.differences, types) };
}

/**
 * Compares without writing. A document that differs because it was written since the last catch-up
 * is pending.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @returns {Promise<Verified>}
 * @throws {TuneError} TUNE-35021
 */
async function compareOnly(job, direction) {
  const pending = job.split.mode === 'offline' ? NOTHING_PENDING : pendingChanges(job, direction);
  const found = await compareIds(job, direction, { catchUp: null, repair: false, pending });
  return { ...found, differences: shownDifferences(found.differences, await typesOf(job)) };
}

/**
 * @param {SplitJob} job @param {Direction} direction
 * @param {How} how
 * @returns {Promise<Verified>} the result with ids as bytes
 */
async function compareIds(job, direction, how) {
  /** @type {Verified} */
  const result = { documents: 0, ranges: 0, differences: [], repaired: 0, moving: 0, pending: 0 };
  const since = new Date();
  const keepUp = atMostEvery(CATCH_UP_EVERY_MS, how.catchUp);
  const types = await typesOf(job);
  /** @type {Id | null} */ let from = null;
  do {
    job.throwIfInterrupted();
    await keepUp();
    const began = Date.now();
    from = await compareRange(job, direction, { how, from, result, types });
    job.say(`verifying: ${rate(result.documents, job.split.documents, since)}`);
    await sleep(Math.min(LONGEST_REST_MS, REST_RATIO * (Date.now() - began)), job.signal);
  } while (from !== null);
  return result;
}

/**
 * Compares the next documents, and counts the results.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {{
 *   how: How, from: Id | null, result: Verified,
 *   types: Awaited<ReturnType<typeof typesOf>>
 * }} range `from`: its first id; null: from the beginning
 * @returns {Promise<Id | null>} the first id after it; null: that was the last range
 */
async function compareRange(job, direction, { how, from, result, types }) {
  const places = await placesOf(job, direction);
  const edge = await nextEdge(job, places, from);
  const range = rangeOf(from, edge, types);
  const [ours, foreign] = await digests(job, places, range);
  const reconcileDocument = how.repair ? reconcileRange : recheck;
  if (ours.hash !== foreign.hash) add(result, await reconcileDocument(job, direction, range, how));
  result.documents += ours.documents;
  result.ranges += 1;
  return edge;
}

/**
 * @param {SplitJob} job @param {Places} places @param {Id | null} from
 * @returns {Promise<Id | null>}
 */
const nextEdge = (job, { source }, from) =>
  job.again(() => edgeOf(job, source, { from, size: RANGE }));

/**
 * Checks a range again, without a lease. If another shell cuts over or restarts the copy meanwhile,
 * the collection is gone, and every document would seem to differ.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {object} range
 * @param {How} how
 */
async function recheck(job, direction, range, how) {
  await checkComparable(job, direction);
  const found = await reconcileRange(job, direction, range, how);
  if (found.differences.length > 0) await checkComparable(job, direction);
  return found;
}

/** @param {SplitJob} job @param {Direction} direction @throws {TuneError} TUNE-35005, TUNE-35010 */
async function checkComparable(job, direction) {
  const {
    port,
    split: { _id, source, revision },
    again,
  } = job;
  if (await again(() => isStaging(port, direction.to))) return;
  const [now] = await again(() => findSplits(port, { _id }));
  if (now && now.revision !== revision) throw continued(source, now.phase);
  await again(() => checkStaging(job, direction));
}

/**
 * Returns the error for names that another shell changed, where it seems that another session did.
 * @param {Port} port @param {any} error @param {Split} split the split when the comparison began
 * @returns {Promise<any>} the error to throw
 */
async function namingOther(port, error, split) {
  if (error?.code !== 'TUNE-35005') return error;
  const [now] = await findSplits(port, { _id: split._id }).catch(() => []);
  const namesOf = (/** @type {Split} */ { phase, from, into }) =>
    [phase, from.renamedTo, into.stagingName].join();
  return now && namesOf(now) !== namesOf(split) ? continued(split.source, now.phase) : error;
}

const DOES = Object.freeze({ forward: 'is cutting over', reverse: 'is rolling back' });

/** @param {string} source @param {Phase} phase */
function continued(source, phase) {
  const way = cutWayOf(phase);
  const what = way ? `${DOES[way]} ${source}` : `continued the split of ${source}`;
  return new TuneError(
    'TUNE-35010',
    `Another shell ${what} (${phase}) during the comparison: compare again${way ? ' after that' : ''}.`,
    { value: phase },
  );
}

/** @param {Verified} result @param {Awaited<ReturnType<typeof reconcileRange>>} found */
function add(result, { repaired, moving, pending, differences }) {
  result.repaired += repaired;
  result.moving += moving;
  result.pending += pending;
  result.differences.push(...differences);
}

/**
 * Compares the newest writes byte by byte, after the cut and before the new name opens, for as long
 * as writers can wait. Documents that differ are copied again.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @throws {TuneError} TUNE-35015
 */
async function compareTail(job, direction) {
  const ids = [...job.recent.values()].reverse();
  const until = Date.now() + TAIL_MS;
  for (let first = 0; first < ids.length && Date.now() < until; first += TAIL_STEP) {
    for (const id of await differing(job, direction, ids.slice(first, first + TAIL_STEP))) {
      const [[, outcome]] = await reconcileEach(job, direction, [id], REPAIR);
      if (outcome !== 'same')
        throw await differs(job, [{ id, where: outcome === 'moving' ? 'both' : outcome }]);
    }
  }
}

/**
 * Compares everything where the stream of changes is lost after the cut: no write can come any
 * more, so that this applies the rest, too.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {(() => Promise<unknown>) | null} [meanwhile] runs now and then
 * @throws {TuneError} TUNE-35015
 */
async function compareInstead(job, direction, meanwhile = null) {
  const { differences } = await compareIds(job, direction, { ...REPAIR, catchUp: meanwhile });
  if (differences.length > 0) throw await differs(job, differences);
}

/**
 * @param {{ id: Id | null, where: Where }[]} differences
 * @param {Types} types
 */
const shownDifferences = (differences, types) =>
  differences.map(({ id, where }) => ({ id: id && shownOf(id, types), where }));

/** @param {SplitJob} job @param {{ id: Id | null, where: Where }[]} differences */
async function differs(job, differences) {
  const {
    split: { source, target },
  } = job;
  const types = await typesOf(job);
  const [{ id: first }] = differences;
  const number = differences.length === 1 ? '1 document' : `${differences.length} documents`;
  const which = first
    ? `the first with _id ${textOfId(first)}`
    : 'the first could not be found by its _id';
  const message = `${number} of ${source} and ${target} still differ after being copied again, ${which}.`;
  return new TuneError('TUNE-35015', message, { value: shownDifferences(differences, types) });
}

/** @param {Verified} found as it is saved */
const verifiedOf = ({ documents, differences, repaired, moving }) => ({
  at: new Date(),
  documents,
  differences: differences.length,
  repaired,
  moving,
  ids: differences.slice(0, MAX_IDS),
});
/** Number of ids that are kept; the rest is only counted. */
const MAX_IDS = 100;

module.exports = { compare, compareOnly, namingOther, verifiedOf, compareTail, compareInstead };
