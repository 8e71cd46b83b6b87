'use strict';

const crypto = require('node:crypto');
const { callText } = require('../base/pure/printable');
const { TuneError } = require('../base/pure/errors');
const { ownId } = require('./pure/split-names');
const { saveSplit } = require('./state');
const { isInDoubt, retrying } = require('./retry');
const { interrupted } = require('../base/context');

/**
 * @import { Lease } from './lease'
 * @import { Noted } from './read-ahead'
 * @import { Port } from './server'
 * @import { Split } from './types'
 */

/**
 * The error of a write that may still run on the server although its answer was lost: its target
 * must get another name before anything else is written.
 */
class InDoubt extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super(`the outcome of a write is unknown: ${/** @type {any} */ (cause)?.message}`, { cause });
    this.name = 'InDoubt';
  }
}

/**
 * The doubt of a lease that was taken over: commands of its last owner may still run or be in
 * transit.
 */
const TAKEN_OVER = new InDoubt(null);

/** @typedef {{ port: Port, signal: AbortSignal, progress(text: string | null): void }} Context */

/** An unfinished split in this shell: what it knows, and how it reads, writes and saves. */
class SplitJob {
  /** Ids applied last, which are compared once more before the new name answers. */
  recent = /** @type {Map<unknown, any>} */ (new Map());
  /** Changes that were read ahead of the stream, and are not applied yet. */
  noted = /** @type {Noted | null} */ (null);
  /** The server's time at which the last catch-up began, ms. */
  freshAtMs = /** @type {number | null} */ (null);
  /** The name for a cut that this shell chose, and has not sent yet. @type {string | null} */
  unusedName = null;
  /** Whether this shell has read the stream up to the mark of the cut, and applied it. */
  hasDrained = false;
  /** The server's time up to which it read, or saw that no event came. @type {any} */
  drainedUntil = null;
  /** Whether the stream was lost after the cut, and everything compared instead. */
  isStreamLost = false;
  /** Whether Ctrl-C came before work that must be completed in any case. */
  wasInterrupted = false;
  /** Whether the guardian that this command requires has ended. @type {() => boolean} */
  isUnguarded = () => false;
  /** The last permit of this shell. */
  lastPermit = /** @type {string | null} */ (null);
  /** The last permit that is known to be used up or withdrawn. */
  usedPermit = /** @type {string | null} */ (null);

  /**
   * @param {Context} ctx
   * @param {Split} split
   * @param {Lease} lease
   */
  constructor({ port, signal, progress }, split, lease) {
    this.port = port;
    this.signal = signal;
    this.progress = progress;
    this.split = split;
    this.lease = lease;
    /** A write that may still run, until the staging copy has another name. @type {unknown} */
    this.doubt = lease.tookOver ? TAKEN_OVER : null;
  }

  /** @param {string} text */
  say(text) {
    this.progress(`${this.split.source}  ${text}`);
  }

  /** Throws after Ctrl-C or without the lease. */
  throwIfInterrupted() {
    if (this.signal.aborted) throw interrupted();
    this.checkLease();
  }

  /**
   * Runs a read again after a fault that passes.
   * @template T
   * @param {() => Promise<T>} doIt
   * @returns {Promise<T>}
   */
  again = (doIt) => {
    /** @type {any} */ let last = null;
    return retrying(this.signal, async () => {
      this.checkLease(last);
      try {
        return await doIt();
      } catch (error) {
        throw (last = error);
      }
    });
  };

  /**
   * Runs a write the same way; it throws InDoubt where the server may still execute it. The doubt
   * is saved at once: the code that releases the lease must know it, whatever becomes of the error.
   * @template T
   * @param {() => Promise<T>} doIt
   * @returns {Promise<T>}
   */
  write = (doIt) =>
    this.again(async () => {
      try {
        return await doIt();
      } catch (error) {
        if (!isInDoubt(error)) throw error;
        this.comesInDoubt(error);
        throw new InDoubt(error);
      }
    });

  /** @param {Partial<Split>} changes */
  save = async (changes) => {
    const saving = crypto.randomUUID();
    this.split = await this.again(() =>
      saveSplit(this.port, this.split, { owner: this.lease.owner, saving, changes }),
    );
  };

  /** Requires that all documents are compared before the next cut. */
  async compareAllNext() {
    if (!this.split.needsFullCompare) await this.save({ needsFullCompare: true });
  }

  /** Saves that no comparison of everything is due any more. */
  async allCompared() {
    if (this.split.needsFullCompare) await this.save({ needsFullCompare: false });
  }

  /** Ignores Ctrl-C, which must not leave the following work half done. */
  ignoreInterrupt() {
    this.wasInterrupted ||= this.signal.aborted;
    this.signal = new AbortController().signal;
  }

  /** @param {unknown} cause a write that may still run */
  comesInDoubt(cause) {
    this.doubt = cause;
  }

  /** Notes that the staging copy has another name: no earlier write can do harm. */
  isCertain() {
    this.doubt = null;
    this.forgetNoted();
  }

  /** @param {Noted} noted */
  readAhead(noted) {
    this.noted = noted;
  }

  /** Forgets the noted changes, which are applied, or will be read once more. */
  forgetNoted() {
    this.noted = null;
  }

  /** @param {number} atMs the time by the server's clock */
  catchesUp(atMs) {
    this.freshAtMs = atMs;
  }

  /** @param {string} permit */
  permitSent(permit) {
    this.lastPermit = permit;
  }

  /** Notes that no part of a step with this permit can begin any more. @param {string} permit */
  permitUsed(permit) {
    this.usedPermit = permit;
  }

  /** Whether no message of this shell, or of one before it, can still do anything. */
  get isQuiet() {
    return !this.doubt && (this.lastPermit === null || this.lastPermit === this.usedPermit);
  }

  /**
   * Checks the lease. Where it ran out because the server was unreachable, throws that fault
   * instead.
   * @param {any} [last] the last fault
   */
  checkLease(last) {
    try {
      this.lease.check();
    } catch (error) {
      const cause = last ?? /** @type {any} */ (error).cause;
      throw cause ? silent(this.split, cause) : error;
    }
  }
}

/** @param {Split} split @param {any} cause */
const silent = (split, cause) =>
  new TuneError(
    'TUNE-20006',
    `The split of ${split.source} stopped (${split.phase}): the server did not respond in time ` +
      `(${cause.message}). Nothing is lost; when it responds again, ` +
      `${callText('split.resume', ownId(split), { confirm: true })} continues.`,
    { cause, value: split.phase },
  );

/**
 * Starts a job that only reads: it needs no lease, and can save nothing.
 * @param {Context} ctx
 * @param {Split} split
 */
function startReader(ctx, split) {
  const refuse = async () => {
    throw new TypeError('this only reads');
  };
  const job = new SplitJob(ctx, split, {
    owner: '',
    tookOver: false,
    check() {},
    renewals: () => 0,
    release: async () => undefined,
    leave: async () => undefined,
  });
  return Object.assign(job, { save: refuse, write: refuse });
}

module.exports = { SplitJob, startReader, silent, InDoubt };
