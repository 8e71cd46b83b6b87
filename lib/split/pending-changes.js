'use strict';

const { bracketOf, isNameable, keyOf, typesOf } = require('./ids');
const { endAt } = require('./cut-mark');
const { makeStream, POSITION_FIELDS } = require('./stream');
const { directionOf } = require('./directions');
const { sleep } = require('../base/context');
const { HELLO } = require('../server/pure/commands');
const { TuneError } = require('../base/pure/errors');
const { MS_PER_SECOND, count } = require('../base/pure/units');
const { PATIENCE_MS, isPassing } = require('./retry');
const { majorityAt, majorityTime } = require('./server');
const { findSplits } = require('./state');

/**
 * @import { Direction } from './directions'
 * @import { Id } from './ids'
 * @import { SplitJob } from './split-job'
 * @import { Stream } from './stream'
 * @import { Batch, Split } from './types'
 */

/**
 * @typedef {(id: Id | null) => boolean} IsPending whether a difference in this document can be a
 *   write that is not applied yet; null: in a document that was not found
 * @typedef {{ begin(): Promise<void>, readOn(): Promise<IsPending> }} PendingChanges
 */

/** Number of documents whose ids are held in memory; heuristic. */
const MAX_CHANGED = 200_000;
/** Milliseconds between two questions for the time of the majority; heuristic. */
const POLL_EVERY_MS = 100;

/**
 * Distinguishes differences from writes that are only not applied yet. The record of the split,
 * read before documents are compared, says what is applied, so `begin` comes before that, and
 * `readOn` after it.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @returns {PendingChanges}
 */
function pendingChanges(job, direction) {
  const field = POSITION_FIELDS[direction.way].token;
  const seen = {
    /** @type {Map<string, Id>} the ids written after `from` */ ids: new Map(),
    from: job.split[field],
    token: job.split[field],
    split: job.split,
  };
  return {
    async begin() {
      const [split = seen.split] = await job.again(() =>
        findSplits(job.port, { _id: job.split._id }),
      );
      seen.split = split;
      if (sameToken(split[field], seen.from)) return;
      // Another shell has applied more: writes before that are not pending any longer.
      seen.ids.clear();
      seen.from = seen.token = split[field];
    },
    async readOn() {
      await readUntilNow(job, direction, seen);
      const types = await typesOf(job);
      const ids = [...seen.ids.values(), ...seen.split.pendingConflicts];
      const keys = new Set(ids.map(keyOf));
      // An id that no command can name is applied with all of its type.
      const wholeTypes = new Set(ids.filter((id) => !isNameable(id, types)).map(typeOf));
      return (id) =>
        id === null ? wholeTypes.size > 0 : keys.has(keyOf(id)) || wholeTypes.has(typeOf(id));
    },
  };
}

/** @param {Id} id */
const typeOf = (id) => JSON.stringify(bracketOf(id));

/** @param {any} one @param {any} other resume tokens */
const sameToken = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * Reads all that was written until now. Where clients write all the time the stream has no end.
 * @param {SplitJob} job
 * @param {Direction} direction
 * @param {{ ids: Map<string, Id>, token: any, split: Split }} seen
 * @throws {TuneError} TUNE-35021
 */
async function readUntilNow(job, direction, seen) {
  const end = await job.again(() => majorityTime(job.port));
  await untilMajority(job, end);
  const at = { token: () => seen.token, now: Date.now, cutBy: end };
  const { port } = job;
  const { split } = seen;
  const stream = makeStream({ port, split }, directionOf(split, direction.way), at);
  const isLast = lastBatch(port, end);
  try {
    for (let isOver = false; !isOver;) {
      job.throwIfInterrupted();
      const batch = await job.again(stream.next);
      for (const id of batch.ids) seen.ids.set(keyOf(id), id);
      seen.token = batch.token ?? seen.token;
      if (seen.ids.size > MAX_CHANGED) throw tooManyPending(job.split);
      isOver = await isLast(batch, stream);
    }
  } finally {
    await stream.close();
  }
}

/**
 * Says whether a batch is the last one. An empty stream may be one of a member that is no longer
 * primary: then it is opened again.
 * @param {SplitJob['port']} port @param {any} end
 * @returns {(batch: Batch, stream: Stream) => Promise<boolean>}
 */
function lastBatch(port, end) {
  const newEnd = () => endAt((time) => majorityAt(port, time), end);
  let isOver = newEnd();
  return async ({ idle, cut, time, token }, stream) => {
    if (cut || time?.greaterThanOrEqual(end)) return true;
    if (!idle) return false;
    try {
      return await isOver(token);
    } catch (error) {
      await stream.close();
      isOver = newEnd();
      if (isPassing(error)) return false;
      throw error;
    }
  };
}

/**
 * Waits until most members have a time: before that no change stream shows a write, but a read of
 * the primary does.
 * @param {SplitJob} job @param {any} time
 * @throws {TuneError} TUNE-35021
 */
async function untilMajority(job, time) {
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const { lastWrite } = await job.again(() => job.port.adminCommand(HELLO));
    if (lastWrite.majorityOpTime.ts.greaterThanOrEqual(time)) return;
    job.throwIfInterrupted();
    if (Date.now() > until) throw majorityLags(job.split);
    job.say('waiting until most members have the newest writes');
    await sleep(POLL_EVERY_MS, job.signal);
  }
}

/** @param {Split} split */
const tooManyPending = ({ source }) =>
  new TuneError(
    'TUNE-35021',
    `More than ${count(MAX_CHANGED)} documents of ${source} were written since the last ` +
      'tune.split.resume(), or while they were compared: a comparison would report pending ' +
      'writes as differences.',
    { value: source, allowed: MAX_CHANGED },
  );

/** @param {Split} split */
const majorityLags = ({ source }) =>
  new TuneError(
    'TUNE-35021',
    `Most members do not have the newest writes of ${source} after ` +
      `${PATIENCE_MS / MS_PER_SECOND} s: a comparison would report them as differences.`,
    { value: source },
  );

/**
 * The result for a place where no application writes: nothing is pending.
 * @type {PendingChanges}
 */
const NOTHING_PENDING = Object.freeze({ begin: async () => {}, readOn: async () => () => false });

module.exports = { pendingChanges, NOTHING_PENDING };
