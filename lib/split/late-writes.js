'use strict';

const { interrupted } = require('../base/context');
const { TuneError } = require('../base/pure/errors');
const { callText } = require('../base/pure/printable');
const { many } = require('../base/pure/units');
const { endAt } = require('./cut-mark');
const { differing } = require('./digest');
const { nsOf } = require('./directions');
const { idOf, keyOf } = require('./ids');
const { BatchSize } = require('./pure/batch-size');
const { wasDone } = require('./permit');
const { ownId } = require('./pure/split-names');
const { majorityAt, majorityTime, nameByUuid } = require('./server');
const { tryAgain } = require('./server-lock');
const { POSITION_FIELDS, watchSource } = require('./stream');
const { asPassing, overrun } = require('./stream-errors');
const { compare } = require('./verify');
const { waitsForPerson } = require('./where-it-stands');

/**
 * @import { Direction } from './directions'
 * @import { Id } from './ids'
 * @import { SplitJob } from './split-job'
 */

/**
 * Finds writes that the source took after its last drain, where another session gave the copy its
 * name: that session may have undone the cut before, and done it again.
 */

/** Number of documents above which everything is compared; heuristic. */
const MAX_LATE = 100_000;

/**
 * Checks for late writes before the collection counts as moved. It only reads: what is written to
 * the copy now must not be overwritten.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @throws {TuneError} TUNE-35004
 */
async function checkNothingLate(job, direction) {
  const { port, split, again } = job;
  const { from, to } = direction;
  const name = await again(() => nameByUuid(port, from.db, from.uuid));
  // Without the source nothing can be applied any more.
  if (name === undefined || isUntouched(split, name)) return;
  const both = {
    ...direction,
    from: { ...from, renamedTo: name },
    to: { ...to, stagingName: to.name },
  };
  const since = await seenSinceCut(job, direction);
  const late = await countDiffering(job, both, since);
  if (late === 0) return;
  const { isEnough, isBack, isLost } = since;
  // A change that a person makes now is no switch of tune.
  const { permit } = split;
  if (permit?.ns) await job.save({ permit: { ...permit, ns: null } });
  if (isEnough) throw await waitsForPerson(job, direction, lateText(direction, late), { isBack });
  // The next drain would not show the missing writes either.
  if (!isLost && split.mode === 'online') await job.compareAllNext();
  throw differsUnseen(job, both, { late, isLost });
}

/**
 * Says whether the source got a write or another name since its last drain. While a transaction
 * holds the source, its name stays.
 * @param {SplitJob} job @param {Direction} direction
 * @param {{ limitMs?: number }} [options] the longest time
 * @returns {Promise<boolean>}
 * @throws {Error} an error after which the step is tried again, where its time is over
 */
async function wasTouched(job, direction, { limitMs } = {}) {
  const { drainedUntil } = job;
  const beganMs = performance.now();
  const end = await streamUntilNow(job, direction, { token: null, startAt: drainedUntil, limitMs });
  const isTouch = (/** @type {any} */ event) =>
    isSince(event, drainedUntil) && isOfSource(event, direction);
  try {
    for (;;) {
      job.throwIfInterrupted();
      const event = await end.stream.tryNext();
      if (event && isTouch(event)) return true;
      if (await isPast(event, end)) break;
      if (performance.now() - beganMs > (limitMs ?? Infinity)) throw tooLong();
    }
  } catch (error) {
    throw overrun(error, direction) ?? asPassing(error);
  } finally {
    await end.stream.close().catch(() => undefined);
  }
  job.drainedUntil = end.until;
  return false;
}

/**
 * Opens a stream of the source, to be read up to now.
 * @typedef {{ stream: any, until: any, isOver: ReturnType<typeof endAt> }} End
 * @param {SplitJob} job @param {Direction} direction @param {Parameters<typeof watchSource>[3]} at
 * @returns {Promise<End>}
 */
async function streamUntilNow({ port, split }, direction, at) {
  const until = await majorityTime(port);
  const isOver = endAt((time) => majorityAt(port, time), until);
  return { until, isOver, stream: watchSource(port, split, direction, at) };
}

const tooLong = () => tryAgain('reading the last changes took too long');

/**
 * Says whether a stream has shown all up to a time.
 * @param {any} event null: there is none for the moment
 * @param {End} end
 */
const isPast = async (event, { stream, until, isOver }) =>
  event ? isSince(event, until) : isOver(stream.resumeToken);

/** @param {any} event @param {any} time */
const isSince = ({ clusterTime }, time) => !time.greaterThanOrEqual(clusterTime);

/**
 * Says whether an event is of the source while that is cut off.
 * @param {any} event @param {Direction} direction
 */
const isOfSource = ({ ns, to }, { from: { renamedTo } }) =>
  ns?.coll === renamedTo || to?.coll === renamedTo;

/** @param {Direction} direction @param {number} late documents */
const lateText = ({ from, to }, late) =>
  `${many(late, 'document')} that another session wrote to ${nsOf(from)} after its cut ` +
  `${late === 1 ? 'is' : 'are'} not the same in ${nsOf(to)}.`;

/** @param {SplitJob} job @param {Direction} direction */
async function seenSinceCut(job, direction) {
  const since = await idsSinceCut(job, direction);
  return { ...since, isEnough: since.isWhole || (await isOwnSwitch(job, direction)) };
}

/**
 * Says whether a step of tune gave the copy its name: the source was held, and the differences of
 * now were written to the copy since.
 * @param {SplitJob} job @param {Direction} direction
 */
async function isOwnSwitch({ port, split: { permit }, again }, { to }) {
  return permit?.ns === nsOf(to) && again(() => wasDone(port, permit.id));
}

/**
 * Says whether an offline source is untouched: without a stream of changes its name shows that.
 * @param {SplitJob['split']} split @param {string} name the present name of the source
 */
const isUntouched = ({ mode, from }, name) => mode === 'offline' && name === from.renamedTo;

/**
 * Makes the error of differing sides: applications may have written to the copy since, too, so
 * neither side is known to be right.
 * @param {SplitJob} job @param {Direction} direction @param {{ late: number, isLost: boolean }} seen
 */
function differsUnseen({ split }, { from, to }, { late, isLost }) {
  const data = `${from.db}.${from.renamedTo}`;
  const unseen = isLost ? 'The oplog no longer has' : 'It is not known';
  return new TuneError(
    'TUNE-35004',
    `${unseen} what ${nsOf(from)} took since its cut. ${many(late, 'document')} of ` +
      `${data} ${late === 1 ? 'is' : 'are'} not the same in ${nsOf(to)}; which is newer is not known. ` +
      `Write the right one to both, then ${callText('split.resume', ownId(split), { confirm: true })}.`,
    { value: data, waitsForPerson: true },
  );
}

/**
 * Counts the documents that differ; where the stream does not show all, everything is compared.
 * Only the stream shows deletes: to a comparison they are documents which only the copy has.
 * @param {SplitJob} job @param {Direction} direction @param {Late & { isEnough: boolean }} since
 */
async function countDiffering(job, direction, { ids, gone, isEnough }) {
  if (isEnough) return (await differing(job, direction, ids)).length;
  const deleted = (await differing(job, direction, gone)).length;
  return Math.max(deleted, await differences(job, direction));
}

/**
 * Compares everything; documents that only the copy has were written there since. A source that
 * changes takes writes.
 * @param {SplitJob} job @param {Direction} direction
 */
async function differences(job, direction) {
  if (job.wasInterrupted) throw interrupted();
  const found = await compare(job, direction, null, { repair: false });
  return found.differences.filter(({ where }) => where !== 'target').length + found.moving;
}

/**
 * @typedef {{ ids: Id[], gone: Id[], isWhole: boolean, isBack: boolean }} Late `gone`: ids with a
 *   delete; `isWhole`: the stream shows all that was written; `isBack`: the cut was undone, and
 *   done again
 */

/** The result where no stream shows the late writes. @type {Late} */
const UNSEEN = Object.freeze({ ids: [], gone: [], isWhole: false, isBack: false });

/**
 * @param {SplitJob} job
 * @param {Direction} direction
 * @returns {Promise<Late & { isLost: boolean }>} `isLost`: the oplog has lost it
 */
async function idsSinceCut(job, direction) {
  if (job.split.mode === 'offline') return { ...UNSEEN, isLost: false };
  const batches = new BatchSize();
  return job.again(async () => {
    const position = positionOf(job, direction);
    const end = await streamUntilNow(job, direction, { ...position, batchSize: batches.size });
    try {
      return { ...(await read(job, direction, end)), isLost: false };
    } catch (error) {
      batches.failed();
      if (overrun(error, direction)) return { ...UNSEEN, isLost: true };
      throw asPassing(error);
    } finally {
      await end.stream.close().catch(() => undefined);
    }
  });
}

/**
 * Returns the position before the cut, or, where the stream was lost, after what was compared.
 * @param {SplitJob} job @param {Direction} direction
 */
const positionOf = ({ split, isStreamLost, drainedUntil }, { way }) =>
  isStreamLost
    ? { token: null, startAt: drainedUntil }
    : { token: split[POSITION_FIELDS[way].token] };

/**
 * @param {SplitJob} job @param {Direction} direction
 * @param {End} end the end of the read, also where events never end
 * @returns {Promise<Late>}
 */
async function read(job, { from, undoneCuts }, end) {
  const watched = [from.name, from.renamedTo, ...undoneCuts.map(({ name }) => name)];
  const name = job.isStreamLost ? from.renamedTo : from.name;
  const seen = { from, name, ids: new Map(), gone: new Map(), isBack: false };
  for (let isWhole = true; ;) {
    job.throwIfInterrupted();
    const event = await end.stream.tryNext();
    const isEnd = await isPast(event, end);
    if (event && !isEnd) take(seen, event);
    // Under another name no event shows what was written.
    isWhole &&= watched.includes(seen.name) && seen.ids.size <= MAX_LATE;
    if (isEnd || seen.gone.size > MAX_LATE) {
      const [ids, gone] = [seen.ids, seen.gone].map((some) => [...some.values()]);
      return { ids, gone, isWhole, isBack: seen.isBack };
    }
  }
}

/**
 * @typedef {Record<'ids' | 'gone', Map<string, Id>> & {
 *   from: Direction['from'], name: string, isBack: boolean }} Seen `name`: the present name of the
 *   source
 */

/**
 * Takes an event: while the source is cut off, its first name is that of another collection.
 * @param {Seen} seen
 * @param {any} event
 */
function take(seen, { isDocument, operationType, ns, to, rawKey }) {
  const { from, name } = seen;
  if (isDocument && (ns?.coll !== from.name || name !== from.renamedTo))
    takeId(seen, idOf(rawKey[0]), operationType === 'delete');
  else if (operationType === 'rename' && ns?.coll === name) {
    seen.isBack ||= name === from.renamedTo && to.coll === from.name;
    seen.name = to.coll;
  }
}

/** @param {Seen} seen @param {Id} id @param {boolean} isGone */
function takeId({ ids, gone }, id, isGone) {
  const key = keyOf(id);
  if (ids.size <= MAX_LATE) ids.set(key, id);
  if (isGone) gone.set(key, id);
}

module.exports = { checkNothingLate, wasTouched };
