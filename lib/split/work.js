'use strict';

const crypto = require('node:crypto');
const { TuneError } = require('../base/pure/errors');
const { saveSplit } = require('./state');
const { isInDoubt, retrying } = require('./retry');
const { interrupted } = require('../base/context');

/**
 * @import { Lease } from './lease'
 * @import { Noted } from './read-ahead'
 * @import { Port } from './server'
 * @import { Split } from './state'
 */

/**
 * One split under way in this shell.
 * @typedef {{
 *   port: Port, signal: AbortSignal, split: Split,
 *   lease: Lease, recent: Map<unknown, any>,
 *   noted: Noted | null, freshAtMs: number | null, sent: string | null,
 *   used: string | null, doubt: unknown, say(text: string): void,
 *   save(changes: Partial<Split>): Promise<void>, throwIfInterrupted(): void,
 *   again<T>(work: () => Promise<T>): Promise<T>, write<T>(work: () => Promise<T>): Promise<T>
 * }} Work `throwIfInterrupted`: goes no further after Ctrl-C or without the lease; `again`: once more after
 *   a fault that passes; `write`: the same for what
 *   writes documents: where nobody knows whether the server goes on with it, InDoubt; `doubt`: that
 *   fault, or that another shell had the lease, until the staging copy has another name;
 *   `recent`: ids of what was brought over last; `noted`: what was read ahead of the stream, and
 *   not brought over yet; `freshAtMs`: the server's time at which catching up began last; `sent`:
 *   the last permit of this shell; `used`: the last one that is known to be used up
 */

/**
 * A write may still go on that nobody waits for: what it writes to must get another name before
 * anything else is written.
 */
class InDoubt extends Error {
  /** @param {unknown} cause */
  constructor(cause) {
    super(`nobody knows what became of a write: ${/** @type {any} */ (cause)?.message}`, { cause });
    this.name = 'InDoubt';
  }
}

/** Of a shell that died something may still be running on the server, or on its way there. */
const TAKEN_OVER = new InDoubt(null);

/**
 * @param {{
 *   port: Port, signal: AbortSignal, progress(text: string | null): void
 * }} ctx
 * @param {Split} split
 * @param {Lease} lease
 * @returns {Work}
 */
function startWork({ port, signal, progress }, split, lease) {
  /** @type {Work} */
  const work = {
    port,
    signal,
    split,
    lease,
    recent: new Map(),
    noted: null,
    freshAtMs: null,
    sent: null,
    used: null,
    doubt: lease.tookOver ? TAKEN_OVER : null,
    say: (text) => progress(`${work.split.source}  ${text}`),
    throwIfInterrupted() {
      if (work.signal.aborted) throw interrupted();
      held(work);
    },
    again: (doIt) => {
      /** @type {any} */ let last = null;
      return retrying(work.signal, async () => {
        held(work, last);
        try {
          return await doIt();
        } catch (error) {
          throw (last = error);
        }
      });
    },
    write: (doIt) =>
      work.again(async () => {
        try {
          return await doIt();
        } catch (error) {
          throw isInDoubt(error) ? new InDoubt(error) : error;
        }
      }),
    save: async (changes) => {
      const saving = crypto.randomUUID();
      work.split = await work.again(() =>
        saveSplit(port, work.split, { owner: lease.owner, saving, changes }),
      );
    },
  };
  return work;
}

/**
 * Nothing that was sent, by this shell or one before it, can still do anything.
 * @param {Work} work
 */
const isQuiet = ({ doubt, sent, used }) => !doubt && (sent === null || sent === used);

/**
 * A lease that ran out because the server did not answer says nothing; what the server did, does.
 * @param {Work} work
 * @param {any} [last] fault that was met
 */
function held({ lease, split }, last) {
  try {
    lease.check();
  } catch (error) {
    const cause = last ?? /** @type {any} */ (error).cause;
    throw cause ? silent(split, cause) : error;
  }
}

/** @param {Split} split @param {any} cause */
const silent = ({ planId, source, phase }, cause) =>
  new TuneError(
    'TUNE-20006',
    `The split of ${source} stopped (${phase}): the server gave no answer for too long ` +
      `(${cause.message}). Nothing is lost; once it answers, tune.split.resume("${planId}", { ` +
      'confirm: true }) goes on.',
    { cause, value: phase },
  );

/**
 * Who only reads needs no lease, and can write nothing down.
 * @param {Parameters<typeof startWork>[0]} ctx
 * @param {Split} split
 * @returns {Work}
 */
function startReader(ctx, split) {
  const refuse = async () => {
    throw new TypeError('this reads only');
  };
  const work = startWork(ctx, split, {
    owner: '',
    tookOver: false,
    check() {},
    renewals: () => 0,
    release: async () => undefined,
    leave: async () => undefined,
  });
  return Object.assign(work, { save: refuse, write: refuse });
}

module.exports = { isQuiet, startReader, startWork, silent, InDoubt };
