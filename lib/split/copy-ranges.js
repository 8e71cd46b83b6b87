'use strict';

const { MAX_TIME_MS_EXPIRED, IMMUTABLE_FIELD } = require('../base/pure/server-codes');
const { TuneError } = require('../base/pure/errors');
const { rate, shareAndLeft } = require('./progress');
const { forward } = require('./directions');
const { majorityTime, CALL_MS } = require('./server');
const { reconcile } = require('./reconcile');
const { edgeOf, NULL_ID, rangeOf, typesOf } = require('./ids');
const { mergeSelected, removeFromCopy } = require('./merge');
const { sourceName, stagingUuid } = require('./target');
const { atMostEvery } = require('../base/timing');
const { makeGuardrail } = require('./guardrail');

/**
 * @import { Id } from './ids'
 * @import { SplitJob } from './split-job'
 */

/** @typedef {{ from: Id | null, edge: Id | null }} Range `edge`: the first id after the range */

/**
 * Milliseconds between two catch-ups, so that little is left at the end; more often, opening the
 * change stream costs more than it gains; heuristic.
 */
const CATCH_UP_EVERY_MS = 10_000;

/**
 * Copies in ranges of `_id`, of every type of it. Between two ranges the server gets a pause, and
 * meanwhile writes are applied.
 * @param {SplitJob} job
 * @param {() => Promise<unknown>} catchUp
 */
async function copyRanges(job, catchUp) {
  if (job.split.phase !== 'copying') await begin(job);
  await reconcile(job, forward(job.split), { ids: [NULL_ID], gone: [], time: await timeOf(job) });
  const guardrail = await makeGuardrail(job);
  const say = progressOf(job);
  const throttledBeforeMs = job.split.throttledMs ?? 0;
  const keepUp = atMostEvery(CATCH_UP_EVERY_MS, job.split.mode === 'online' ? catchUp : null);
  for (let [size, last] = [FIRST, false]; !last;) {
    job.throwIfInterrupted();
    const range = await nextRange(job, size);
    const { done, ms } = await guardrail.measure(() => inTime(job, range, size));
    last = done && !range.edge;
    if (done && !last) {
      const copied = job.split.copied + size;
      await job.save({
        copiedTo: { id: range.edge },
        copied,
        throttledMs: throttledBeforeMs + guardrail.throttledMs,
      });
    }
    say(null);
    await keepUp();
    size = done
      ? nextSize(size, { ms, isThrottled: !last && (await guardrail.rest(say)) })
      : Math.ceil(size / 2);
  }
}

/** @param {SplitJob} job */
async function begin(job) {
  await job.save({
    phase: 'copying',
    startAt: await timeOf(job),
    token: null,
    copiedTo: null,
    copied: 0,
    throttledMs: 0,
    stagingUuid: await job.again(() => stagingUuid(job)),
  });
}

/**
 * Returns the cluster time to read at: a new primary may lack writes that were applied already, and
 * would restore what was deleted.
 * @param {SplitJob} job
 */
const timeOf = async ({ port, split, again }) =>
  split.mode === 'online' ? again(() => majorityTime(port)) : null;

/**
 * @param {SplitJob} job
 * @returns {(why: string | null) => void} prints the progress of the copy, and what throttles it
 */
function progressOf(job) {
  const since = new Date();
  const before = job.split.copied;
  return (why) => {
    const { copied, documents } = job.split;
    job.say(
      why === null
        ? `copying: ${rate(copied, documents, since, before)}`
        : `copying${shareAndLeft(copied, documents, since, before)}, throttled: ${why}`,
    );
  };
}

/**
 * Copies a range in time, or says that it took too long: documents of 16 MB may follow each other,
 * and then a range is made smaller until one call copies it.
 * @param {SplitJob} job
 * @param {Range} range
 * @param {number} size
 * @returns {Promise<boolean>} false: it took too long
 */
async function inTime(job, range, size) {
  try {
    await copyRange(job, range);
    return true;
  } catch (error) {
    if (/** @type {any} */ (error).code !== MAX_TIME_MS_EXPIRED) throw error;
    if (size === 1)
      throw new TuneError(
        'TUNE-20008',
        `Copying two documents of ${job.split.source} takes the server longer than ` +
          `the timeout of ${CALL_MS / 1000} s.`,
        { value: job.split.source, cause: error },
      );
    return false;
  }
}

/** @param {SplitJob} job @param {number} size @returns {Promise<Range>} */
async function nextRange(job, size) {
  const { port, split } = job;
  const from = split.copiedTo?.id ?? null;
  const edge = await job.again(async () =>
    edgeOf(job, [split.from.db, await sourceName(port, forward(split))], { from, size }),
  );
  return { from, edge };
}

/** @param {SplitJob} job @param {Range} range */
async function copyRange(job, { from, edge }) {
  const types = await typesOf(job);
  // $merge refuses an _id that is null; that document is copied separately.
  const filter = { $and: [{ _id: { $ne: null } }, rangeOf(from, edge, types)] };
  const time = await timeOf(job);
  const some = { filter, time, hint: { _id: 1 }, maxTimeMS: CALL_MS };
  const direction = forward(job.split);
  await mergeSelected(job, direction, some, types).catch(async (error) => {
    if (error.code !== IMMUTABLE_FIELD) throw error;
    await removeFromCopy(job, direction, filter);
    await mergeSelected(job, direction, some, types);
  });
}

/**
 * Chooses how many documents a range of a copy has: so many that it takes the server half a second,
 * and its overhead (an edge, a state written by majority) is small against it; fewer while the
 * clients are spared, since a running range cannot be slowed down.
 */

/** Milliseconds for a range; heuristic. */
const RANGE_MS = 500;
/**
 * Documents of the first range. The number is doubled from this small beginning: a document may
 * have 16 MB.
 */
const FIRST = 500;
const MAX = 16_000;
/**
 * Fewest documents while the clients are spared: with fewer there would be only overhead;
 * heuristic.
 */
const FEWEST_SPARING = 250;

/** @param {number} size @param {{ ms: number, isThrottled: boolean }} last @returns {number} */
function nextSize(size, { ms, isThrottled }) {
  if (isThrottled) return Math.min(size, Math.max(FEWEST_SPARING, Math.ceil(size / 2)));
  if (ms > 2 * RANGE_MS) return Math.ceil(size / 2);
  return ms < RANGE_MS / 2 ? Math.min(MAX, 2 * size) : size;
}

module.exports = { copyRanges, nextSize, FIRST };
