'use strict';

const crypto = require('node:crypto');
const os = require('node:os');
const { TuneError } = require('../errors');
const { write } = require('./server');
const { isPassing, retrying } = require('./retry');
const { DATABASE, COLLECTION, findSplits } = require('./state');

/** Longer than a single call may take (server.js), so that nothing of a dead shell is under way when its lease ends. */
const LEASE_MS = 45_000;
const RENEW_EVERY_MS = 8_000;

const WHO = `${os.hostname()}, process ${process.pid}`;

/**
 * One shell at a time works on a split. It is the server's clock that counts.
 * @typedef {{ owner: string, check(): void, renewals(): number, release(): Promise<void> }} Lease `check` throws once the lease may have gone to another, with the `cause` where it is that the server could not be asked;
 *   `renewals`: another number whenever a renewal has begun or ended
 */

/**
 * @param {import('./server').Port} port @param {string} id @param {AbortSignal} signal
 * @returns {Promise<Lease>}
 * @throws {TuneError} TUNE-35003 while another shell has it
 */
async function takeLease(port, id, signal) {
  const owner = crypto.randomUUID();
  let split = await retrying(signal, async () => await renew(port, id, owner) ?? fromTheDead(port, id, owner));
  if (!split) throw await refused(port, id);
  let sureUntil = Date.now() + LEASE_MS;
  let renewals = 0;
  /** @type {unknown} */ let fault;
  const timer = setInterval(async () => {
    const asked = Date.now();
    renewals += 1;
    try {
      split = await renew(port, id, owner, ours(owner));
      sureUntil = split ? asked + LEASE_MS : 0;
      fault = undefined;
    } catch (error) {
      fault = error;
      // An election: until the lease ends there is time to try again.
      if (!isPassing(error)) sureUntil = Math.min(sureUntil, asked + RENEW_EVERY_MS);
    }
    renewals += 1;
  }, RENEW_EVERY_MS);
  timer.unref();
  return {
    owner,
    renewals: () => renewals,
    check() {
      if (Date.now() > sureUntil) throw new TuneError('TUNE-35003', `The lease of the split ${id} ran out.`, { value: id, ...(fault ? { cause: fault } : {}) });
    },
    async release() {
      clearInterval(timer);
      await write(port, DATABASE, { update: COLLECTION, updates: [{ q: { _id: id, 'lease.owner': owner }, u: { $set: { lease: null } } }] });
    },
  };
}

/** @param {string} owner */
const ours = (owner) => ({ $eq: ['$lease.owner', { $literal: owner }] });
const RAN_OUT = Object.freeze({ $lt: [{ $ifNull: ['$lease.until', new Date(0)] }, '$$NOW'] });

/** @param {import('./server').Port} port @param {string} id @param {string} owner @param {object} [when] an expression; otherwise when it is free */
async function renew(port, id, owner, when = RAN_OUT) {
  const lease = { owner: { $literal: owner }, who: { $literal: WHO }, host: { $literal: os.hostname() }, pid: process.pid, until: { $add: ['$$NOW', LEASE_MS] } };
  const { value } = await write(port, DATABASE, { findAndModify: COLLECTION, query: { _id: id, $expr: { $or: [ours(owner), when] } }, update: [{ $set: { lease } }], new: true });
  return value;
}

/** A process of this computer that runs no longer will not come back for its lease. @param {import('./server').Port} port @param {string} id @param {string} owner */
async function fromTheDead(port, id, owner) {
  const [split] = await findSplits(port, { _id: id });
  const { lease } = split ?? {};
  return lease && lease.host === os.hostname() && !isAlive(Number(lease.pid)) ? renew(port, id, owner, ours(String(lease.owner))) : null;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH';
  }
}

/** @param {import('./server').Port} port @param {string} id */
async function refused(port, id) {
  const [{ lease } = { lease: null }] = await findSplits(port, { _id: id });
  return new TuneError('TUNE-35003', `Another shell works on the split ${id}${lease ? ` (${lease.who}); if it died, its lease ends at ${lease.until.toISOString()}` : ''}.`, { value: id });
}

module.exports = { takeLease, LEASE_MS };
