'use strict';

const crypto = require('node:crypto');
const os = require('node:os');
const { threadId } = require('node:worker_threads');
const { TuneError } = require('../base/pure/errors');
const { write } = require('./server');
const { isPassing, retrying } = require('./retry');
const { DATABASE, COLLECTION, findSplits } = require('./state');
const fs = require('node:fs');

/**
 * @import { Port } from './server'
 */

/**
 * Milliseconds until another shell may take over. Any value is safe: late messages of the old owner
 * fail at their permit (permit.js) or meet a renamed copy (rename-staging.js).
 */
const timing = { leaseMs: 45_000, renewEveryMs: 8_000 };

/** @type {any} */
const everywhere = globalThis;
/**
 * The owners of the leases that this process has now, in all copies of this module in it.
 * @type {Set<string>}
 */
const OWN_LEASES = (everywhere[Symbol.for('mongosh-tune.leases')] ??= new Set());

const WHO = `${os.hostname()}, process ${process.pid}`;

/**
 * Lets one shell at a time work on a split. The server's clock counts there, and here a clock that
 * cannot be set.
 * @typedef {{
 *   owner: string, tookOver: boolean, check(): void, renewals(): number, release(): Promise<void>,
 *   leave(): Promise<void>
 * }} Lease `tookOver`: the former owner did not release the lease; `check` throws once another
 *   shell may have it, with the `cause` where the server could not be asked; `renewals`: another
 *   number whenever a renewal has begun or ended; `leave`: releases it as one that ran out, so that
 *   the next owner knows that writes may still be in progress
 */

/**
 * @param {Port} port
 * @param {string} id
 * @param {AbortSignal} signal
 * @param {string | null} [heir] the owner whose lease is taken over at once: that owner is known to
 *   be dead
 * @returns {Promise<Lease>}
 * @throws {TuneError} TUNE-35003 while another shell has it
 */
async function takeLease(port, id, signal, heir = null) {
  const owner = crypto.randomUUID();
  OWN_LEASES.add(owner);
  const taken = await retrying(
    signal,
    async () =>
      (await renew(port, id, owner, heir === null ? ranOut() : { $or: [ranOut(), ours(heir)] })) ??
      fromTheDead(port, id, owner),
  ).catch((error) => {
    OWN_LEASES.delete(owner);
    throw error;
  });
  if (!taken) {
    OWN_LEASES.delete(owner);
    throw await leaseTaken(port, id);
  }
  const { check, renewals, stop } = keepRenewed(port, id, owner);
  const giveBack = (/** @type {object} */ fields) => {
    stop();
    OWN_LEASES.delete(owner);
    return write(port, DATABASE, {
      update: COLLECTION,
      updates: [{ q: { _id: id, 'lease.owner': owner }, u: { $set: fields } }],
    });
  };
  return {
    owner,
    tookOver: Boolean(taken.lease.after),
    renewals,
    check,
    release: () => giveBack({ lease: null }),
    leave: () => giveBack({ 'lease.until': new Date(0) }),
  };
}

/**
 * Renews a lease until it is stopped.
 * @param {Port} port
 * @param {string} id
 * @param {string} owner
 * @returns {Pick<Lease, 'check' | 'renewals'> & { stop(): void }}
 */
function keepRenewed(port, id, owner) {
  let sureUntil = performance.now() + timing.leaseMs;
  let renewals = 0;
  /** @type {unknown} */ let fault;
  const timer = setInterval(async () => {
    const asked = performance.now();
    renewals += 1;
    try {
      sureUntil = (await renew(port, id, owner, ours(owner))) ? asked + timing.leaseMs : 0;
      fault = undefined;
    } catch (error) {
      fault = error;
      // After an election there is time to try again, until the lease ends.
      if (!isPassing(error)) sureUntil = Math.min(sureUntil, asked + timing.renewEveryMs);
    }
    renewals += 1;
  }, timing.renewEveryMs);
  timer.unref();
  return {
    renewals: () => renewals,
    check() {
      if (performance.now() > sureUntil)
        throw new TuneError('TUNE-35003', `The lease of the split ${id} expired.`, {
          value: id,
          ...(fault ? { cause: fault } : {}),
        });
    },
    stop: () => clearInterval(timer),
  };
}

/** @param {string} owner */
const ours = (owner) => ({ $eq: ['$lease.owner', { $literal: owner }] });
/**
 * Makes the condition that a lease ran out. A lease that ends later than any counts too: since it
 * was written the server's clock was set back, or another primary's clock differs.
 */
const ranOut = () => ({
  $or: [
    { $lt: [UNTIL, '$$NOW'] },
    { $gt: [UNTIL, { $add: ['$$NOW', CLOCK_RATIO * timing.leaseMs] }] },
  ],
});
const UNTIL = Object.freeze({ $ifNull: ['$lease.until', new Date(0)] });
/** A clock that is set by less than this takes no lease away from a living shell; heuristic. */
const CLOCK_RATIO = 2;

/**
 * @param {Port} port
 * @param {string} id
 * @param {string} owner
 * @param {object} when an expression for when it ends
 */
async function renew(port, id, owner, when) {
  const before = {
    $cond: [ours(owner), { $ifNull: ['$lease.after', null] }, { $ifNull: ['$lease.owner', null] }],
  };
  const lease = {
    owner: { $literal: owner },
    who: { $literal: WHO },
    process: { $literal: thisProcess() },
    until: { $add: ['$$NOW', timing.leaseMs] },
    after: before,
  };
  const { value } = await write(port, DATABASE, {
    findAndModify: COLLECTION,
    query: { _id: id, $expr: { $or: [ours(owner), when] } },
    update: [{ $set: { lease } }],
    new: true,
  });
  return value;
}

/**
 * Takes the lease of a process of this computer that has ended, or one that this process could not
 * release: no one will come back for these.
 * @param {Port} port
 * @param {string} id
 * @param {string} owner
 */
async function fromTheDead(port, id, owner) {
  const [split] = await findSplits(port, { _id: id });
  const { lease } = split ?? {};
  const isFree = lease && (hasProcessEnded(lease.process) || isLost(lease));
  return isFree ? renew(port, id, owner, ours(String(lease.owner))) : null;
}

/** @param {{ process?: string | null, owner: unknown }} lease */
const isLost = ({ process: holder, owner }) =>
  holder !== null && holder === thisProcess() && !OWN_LEASES.has(String(owner));

/** @param {Port} port @param {string} id */
async function leaseTaken(port, id) {
  const [{ lease } = { lease: null }] = await findSplits(port, { _id: id });
  return new TuneError(
    'TUNE-35003',
    'Another shell works on the split ' +
      `${id}${lease ? ` (${lease.who}); if it died, its lease ends at ${lease.until.toISOString()}` : ''}.`,
    { value: id },
  );
}

/**
 * Identifies a process for good: boot id, PID namespace, PID and start (Linux only; elsewhere the
 * lease has to expire).
 */

/**
 * The field of /proc/PID/stat after the name of the program that holds its start, in ticks since
 * the machine started (proc(5), field 22).
 */
const STARTED_AT = 19;

/**
 * @param {number | 'self'} pid
 * @returns {string | null} null: there is no such process, or its start is not reported
 */
function startOf(pid) {
  const stat = read(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat === null
    ? null
    : (stat.slice(stat.lastIndexOf(')') + 2).split(' ')[STARTED_AT] ?? null);
}

/**
 * Identifies where numbers of processes mean the same: this start of the machine, and this
 * namespace.
 * @returns {string | null}
 */
function spaceOf() {
  const [boot, namespace] = [
    read(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    read(() => fs.readlinkSync('/proc/self/ns/pid')),
  ];
  return boot === null || namespace === null ? null : `${boot} ${namespace}`;
}

/** @template T @param {() => T} doIt @returns {T | null} */
function read(doIt) {
  try {
    return doIt();
  } catch (_absent) {
    return null;
  }
}

/** @returns {string | null} null: this system does not report it */
function thisProcess() {
  const [space, started] = [spaceOf(), startOf('self')];
  return space === null || started === null
    ? null
    : `${space} ${process.pid} ${started} ${threadId}`;
}

/**
 * Says whether another process has certainly ended.
 * @param {string | null | undefined} other a text of thisProcess()
 */
function hasProcessEnded(other) {
  const [boot, namespace, pid, started] = (other ?? '').split(' ');
  if (!started || `${boot} ${namespace}` !== spaceOf()) return false;
  const startedThere = startOf(Number(pid));
  return startedThere === null ? !exists(Number(pid)) : startedThere !== started;
}

/**
 * Says whether a process exists: /proc may hide the processes of other users (hidepid).
 * @param {number} pid
 */
function exists(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {any} */ (error).code !== 'ESRCH';
  }
}

module.exports = { takeLease };
