'use strict';

const { HELLO } = require('../server/pure/commands');
const { TuneError } = require('../base/pure/errors');
const { reconcile } = require('./reconcile');
const { makeStream, keyOf, FIELDS } = require('./stream');
const { nsOf } = require('./directions');
const { checkStaging } = require('./target');

/**
 * @import { Direction } from './directions'
 * @import { Batch } from './stream'
 * @import { SplitJob } from './split-job'
 */

/**
 * @typedef {{ lagMs: number, idle: boolean, cut: boolean }} Step `lagMs`: age of the newest event
 *   that was brought over; `idle`: there
 *   was none left; `cut`: the source was cut off, and everything before that is over
 * @typedef {{
 *   step(): Promise<Step>, until(done: (step: Step) => boolean, label: string): Promise<Step>,
 *   close(): Promise<void>
 * }} Follower
 */

/**
 * Ids that were applied last, which are compared once more before the new name opens; heuristic.
 */
const RECENT = 1000;
/** What comes again after a crash is done again; so rarely that it costs nothing. */
const SAVE_EVERY_MS = 3_000;

/**
 * Brings over what happens in the source. Only ids come through the shell.
 * @param {SplitJob} job @param {Direction} direction
 * @returns {Follower}
 */
function makeFollower(job, direction) {
  const at = FIELDS[direction.way];
  const seen = {
    token: job.split[at.token],
    savedAt: 0,
    brought: job.split.reconciled,
    pendingConflicts: job.split.pendingConflicts,
  };
  const clock = makeClock(job);
  const stream = makeStream(job, direction, { token: () => seen.token, now: clock.now });
  const bringOver = async (/** @type {Pick<Batch, 'ids' | 'gone' | 'time' | 'token'>} */ batch) => {
    const ids = [...batch.ids, ...seen.pendingConflicts];
    if (ids.length > 0)
      seen.pendingConflicts = await reconcile(job, direction, {
        ids,
        gone: [...batch.gone, ...seen.pendingConflicts],
        time: batch.time,
      });
    seen.brought += batch.ids.length;
    remember(job.recent, batch.ids);
    seen.token = batch.token ?? seen.token;
  };
  const save = async () => {
    await job.again(() => checkStaging(job, direction));
    seen.savedAt = Date.now();
    await job.save({
      [at.token]: seen.token,
      reconciled: seen.brought,
      pendingConflicts: seen.pendingConflicts,
      ...(job.split.needsFullCompare ? {} : { appliedAt: new Date() }),
    });
  };

  /** @returns {Promise<Step>} */
  async function step() {
    job.throwIfInterrupted();
    await clock.set();
    if (job.noted) await bringOver(job.noted);
    job.noted = null;
    const batch = await job.again(stream.next);
    await bringOver(batch);
    if (batch.cut || Date.now() - seen.savedAt > SAVE_EVERY_MS) await save();
    return { lagMs: batch.lagMs, idle: batch.idle, cut: batch.cut };
  }

  return {
    step,
    close: stream.close,
    async until(done, label) {
      let now = await step();
      for (; !done(now) && !now.cut; now = await step())
        job.say(
          `${label}: ${seen.brought} changes brought over, ${(now.lagMs / 1000).toFixed(1)} ` +
            's behind',
        );
      await save();
      if (now.cut && seen.pendingConflicts.length > 0)
        throw doNotFit(direction, seen.pendingConflicts);
      return now;
    },
  };
}

/** @param {Direction} direction @param {readonly any[]} pendingConflicts ids */
function doNotFit({ from, to }, pendingConflicts) {
  return new TuneError(
    'TUNE-35008',
    `${pendingConflicts.length} documents of ${nsOf(from)} do not fit into ` +
      `${nsOf(to)}: another one has their value in a unique index.`,
    { value: pendingConflicts },
  );
}

/** The newest come last, and the oldest go. @param {Map<unknown, any>} recent @param {any[]} ids */
function remember(recent, ids) {
  for (const id of ids) {
    recent.delete(keyOf(id));
    recent.set(keyOf(id), id);
  }
  for (const key of recent.keys()) {
    if (recent.size <= RECENT) return;
    recent.delete(key);
  }
}

/**
 * The server's clock, by which events are dated: this machine's may be another, and then it would
 * never be close behind, or always.
 * @param {SplitJob} job
 */
function makeClock(job) {
  /** @type {number | null} */ let aheadMs = null;
  return {
    now: () => Date.now() + (aheadMs ?? 0),
    async set() {
      if (aheadMs !== null) return;
      const { localTime } = await job.again(() => job.port.adminCommand(HELLO));
      aheadMs = localTime.getTime() - Date.now();
      job.freshAtMs = localTime.getTime();
    },
  };
}

module.exports = { makeFollower };
