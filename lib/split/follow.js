'use strict';

const { callText } = require('../base/pure/printable');
const { HELLO } = require('../server/pure/commands');
const { TuneError } = require('../base/pure/errors');
const { MiB, count } = require('../base/pure/units');
const { reconcile } = require('./reconcile');
const { makeStream, keyOf, POSITION_FIELDS } = require('./stream');
const { nsOf } = require('./directions');
const { ownId } = require('./pure/split-names');
const { checkStaging, sourceName } = require('./target');

/**
 * @import { Direction } from './directions'
 * @import { Id } from './ids'
 * @import { SplitJob } from './split-job'
 * @import { Batch, Split } from './types'
 */

/**
 * @typedef {{ lagMs: number, idle: boolean, cut: boolean }} Progress `lagMs`: age of the newest
 *   event that was applied; `idle`: no event was left; `cut`: the source was cut off, and
 *   everything before that is applied
 */

/**
 * Number of ids applied last, which are compared once more before the new name opens; heuristic.
 */
const RECENT = 1000;
/**
 * Milliseconds between two saved positions; after a crash the changes since then are applied again.
 */
const SAVE_EVERY_MS = 3_000;
/**
 * Ids of a conflicting group that is not divided further: swapped unique values block many
 * documents until the next event, so the group waits as a whole until the stream is empty;
 * heuristic.
 */
const SMALLEST_GROUP = 64;
/** Milliseconds between two tries with ids that wait, where the stream has no end; heuristic. */
const SETTLE_EVERY_MS = 3_000;
/**
 * Bytes of ids that wait: the state is one document of at most 16 MB, and holds other values too.
 */
const MAX_PENDING_BYTES = 14 * MiB;
/**
 * Bytes of an element of an array besides its value: type, index, length and kind of the binary.
 */
const ELEMENT_BYTES = 16;

/** Applies the changes of the source. Only ids pass through the shell. */
class Follower {
  /** @param {SplitJob} job @param {Direction} direction @param {any} [cutBy] as in stream.js */
  constructor(job, direction, cutBy) {
    this.job = job;
    this.direction = direction;
    this.fields = POSITION_FIELDS[direction.way];
    this.token = job.split[this.fields.token];
    this.savedAtMs = 0;
    /** The number of changes that were applied, by all shells. */
    this.applied = job.split.reconciled;
    /** Ids that wait for a value of a unique index that another document still has. */
    this.pending = byKey(job.split.pendingConflicts);
    this.settledAtMs = Date.now();
    /** The time of the last event that was applied. */
    this.time = /** @type {any} */ (null);
    this.undoneCuts = direction.undoneCuts;
    this.clock = makeClock(job);
    /** All writes until this time are applied. */
    this.appliedAt = job.split.appliedAt ?? null;
    /** All writes until this time were read: ids that wait for another document need no oplog. */
    this.readUntil = job.split.readUntil ?? this.appliedAt;
    this.stream = makeStream(job, direction, {
      token: () => this.token,
      now: this.clock.now,
      cutBy,
    });
  }

  /** @returns {Promise<Progress>} */
  async applyNext() {
    const { job } = this;
    job.throwIfInterrupted();
    await this.clock.set();
    if (job.noted) await this.apply(job.noted);
    job.forgetNoted();
    const batch = await job.again(this.stream.next);
    await this.apply(batch);
    if (batch.unseen) await job.compareAllNext();
    this.note(batch);
    if (batch.idle || batch.cut || Date.now() - this.settledAtMs > SETTLE_EVERY_MS)
      await this.settle(SMALLEST_GROUP);
    if (batch.cut || Date.now() - this.savedAtMs > SAVE_EVERY_MS) await this.save(batch.cut);
    return { lagMs: batch.lagMs, idle: batch.idle, cut: batch.cut };
  }

  /**
   * @param {(now: Progress) => boolean} done
   * @param {string} label
   * @returns {Promise<Progress>} the last progress
   * @throws {TuneError} TUNE-35008
   */
  async until(done, label) {
    let now = await this.applyNext();
    for (; !done(now) && !now.cut; now = await this.applyNext())
      this.job.say(
        `${label}: ${count(this.applied)} changes applied, lag ${(now.lagMs / 1000).toFixed(1)} s`,
      );
    await this.settle(1);
    await this.save(now.cut);
    if (now.cut && this.pending.size > 0)
      throw doNotFit(this.direction, [...this.pending.values()]);
    return now;
  }

  /** @param {Pick<Batch, 'ids' | 'gone' | 'time' | 'token'>} batch */
  async apply({ ids, gone, time, token }) {
    if (ids.length > 0) {
      const some = { ids, gone, time, smallest: Infinity };
      const left = await reconcile(this.job, this.direction, some);
      for (const id of ids) this.pending.delete(keyOf(id));
      for (const id of left) this.pending.set(keyOf(id), id);
    }
    this.time = time ?? this.time;
    this.applied += ids.length;
    remember(this.job.recent, ids);
    this.token = token ?? this.token;
  }

  /**
   * Notes how far the writes are applied: with an empty stream, all that a majority had when it was
   * asked.
   * @param {Batch} batch
   */
  note({ idle, cut, time, undoneCuts }) {
    this.undoneCuts = undoneCuts;
    const until =
      idle || cut ? this.clock.committedAt() : time && new Date(time.getHighBits() * 1000);
    if (!until) return;
    this.readUntil = laterOf(this.readUntil, until);
    if (this.pending.size === 0) this.appliedAt = laterOf(this.appliedAt, until);
  }

  /**
   * Tries the waiting ids once more, all of them at once.
   * @param {number} smallest as in reconcile
   */
  async settle(smallest) {
    const ids = [...this.pending.values()];
    if (ids.length > 0) {
      const some = { ids, gone: ids, time: this.time, smallest };
      this.pending = byKey(await reconcile(this.job, this.direction, some));
    }
    this.settledAtMs = Date.now();
  }

  /**
   * Saves the position. The stream of a collection that another one has replaced may only have no
   * more events.
   * @param {boolean} isCut the source is cut off, and its writers must not wait for one more
   *   question
   * @throws {TuneError} TUNE-35005, TUNE-35008
   */
  async save(isCut) {
    const { job, direction, pending } = this;
    if (bytesOfAll(pending) > MAX_PENDING_BYTES) throw tooMany(job.split, direction, pending.size);
    await job.again(() => checkStaging(job, direction));
    if (!isCut) await job.again(() => sourceName(job.port, direction));
    this.savedAtMs = Date.now();
    await job.save({
      [this.fields.token]: this.token,
      undoneCuts: this.undoneCuts,
      reconciled: this.applied,
      pendingConflicts: [...pending.values()],
      ...(job.split.needsFullCompare
        ? {}
        : { appliedAt: this.appliedAt, readUntil: this.readUntil }),
    });
    this.clock.expire();
  }

  close() {
    return this.stream.close();
  }
}

/** @param {Date | null} one @param {Date} other */
const laterOf = (one, other) => (one !== null && one > other ? one : other);

/** @param {readonly Id[]} ids @returns {Map<unknown, Id>} */
const byKey = (ids) => new Map(ids.map((id) => [keyOf(id), id]));

/** Returns the bytes of ids in the state. @param {ReadonlyMap<unknown, Id>} ids by their bytes */
function bytesOfAll(ids) {
  let bytes = 0;
  for (const key of ids.keys()) bytes += String(key).length + ELEMENT_BYTES;
  return bytes;
}

/** @param {Split} split @param {Direction} direction @param {number} count */
const tooMany = (split, { from }, count) =>
  new TuneError(
    'TUNE-35008',
    `${count} documents of ${nsOf(from)} are pending (unique conflict): more ids ` +
      `than the state of a split can hold (${MAX_PENDING_BYTES / MiB} MiB). When such ` +
      'values change less often, ' +
      `${callText('split.resume', ownId(split), { restart: true, confirm: true })} restarts ` +
      'with a new copy.',
    { value: count, allowed: MAX_PENDING_BYTES },
  );

/** @param {Direction} direction @param {readonly any[]} pendingConflicts ids */
function doNotFit({ from, to }, pendingConflicts) {
  return new TuneError(
    'TUNE-35008',
    `${pendingConflicts.length} documents of ${nsOf(from)} cannot be applied to ` +
      `${nsOf(to)}: another document has their value in a unique index.`,
    { value: pendingConflicts },
  );
}

/**
 * Adds ids at the end, and removes the oldest.
 * @param {Map<unknown, any>} recent @param {any[]} ids
 */
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
 * Makes a clock of the server's time, by which events are dated: this machine's may differ, and
 * then the lag would never be small, or always.
 * @param {SplitJob} job
 */
function makeClock(job) {
  /** @type {number | null} */ let aheadMs = null;
  /** @type {Date | null} */ let committedAt = null;
  let isFresh = false;
  const ask = async () => {
    const { localTime, lastWrite } = await job.again(() => job.port.adminCommand(HELLO));
    const isFirst = aheadMs === null;
    aheadMs = localTime.getTime() - Date.now();
    committedAt = lastWrite.majorityOpTime.ts.greaterThanOrEqual(lastWrite.opTime.ts)
      ? localTime
      : (lastWrite.majorityWriteDate ?? null);
    isFresh = true;
    if (isFirst) job.catchesUp(localTime.getTime());
  };
  return {
    now: () => Date.now() + (aheadMs ?? 0),
    /** A majority had all writes until this time when the server was asked; null: not known. */
    committedAt: () => committedAt,
    /**
     * A later step asks for what it needs itself: between the cut and the switch no further
     * question comes.
     */
    expire() {
      isFresh = false;
    },
    async set() {
      if (!isFresh) await ask();
    },
  };
}

module.exports = { Follower };
