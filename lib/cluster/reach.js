'use strict';

const { mapServerError, notReached } = require('../base/server-errors');
const { TuneError } = require('../base/pure/errors');
const { withTimeout, mapConcurrent } = require('../base/timing');

/**
 * @import { Connected } from '../base/context'
 * @import { Context } from '../base/types'
 */

/**
 * Works on several members at the same time, over connections that are always closed afterwards and
 * cannot hang.
 * @typedef {{ memberMs: number, totalMs: number }} Limits
 */

/** Milliseconds for connecting and quick commands, beside the time of the work itself. */
const MEMBER_MS = 8000;
/** Milliseconds for all members together: those not reached by then are reported. */
const TOTAL_MS = 60_000;
/**
 * Largest number of connections at the same time: more than the voting members of a set, few for a
 * cluster.
 */
const AT_ONCE = 16;

/** @param {number} [workMs] the time of the work itself @returns {Limits} */
const limitsFor = (workMs = 0) => ({ memberMs: MEMBER_MS + workMs, totalMs: TOTAL_MS + workMs });

/**
 * @template P, T
 * @param {Context} ctx
 * @param {readonly P[]} places
 * @param {(place: P, limitMs: number) => Promise<T>} work
 * @param {Limits} limits
 * @returns {Promise<{ place: P, value: T | null, error: Error | null }[]>} the results in the order
 *   of the places
 */
async function each(ctx, places, work, { memberMs, totalMs }) {
  const endMs = performance.now() + totalMs;
  const one = async (/** @type {P} */ place) => {
    const limitMs = Math.min(memberMs, endMs - performance.now());
    try {
      if (limitMs <= 0)
        throw new TuneError(
          'TUNE-20006',
          `Skipped: all members together took longer than ${Math.round(totalMs / 1000)} s.`,
        );
      return { place, value: await work(place, limitMs), error: null };
    } catch (cause) {
      return { place, value: null, error: mapServerError(cause, 'hello', ctx.signal) };
    }
  };
  return mapConcurrent(places, one, { concurrency: AT_ONCE });
}

/**
 * @template T
 * @param {Context} ctx
 * @param {string} host
 * @param {number} limitMs
 * @param {(ctx: Context) => Promise<T>} work gets the port to that member
 * @returns {Promise<T>} rejects with TUNE-20006 when the time is over, and with TUNE-20011 or
 *   TUNE-20005 when it cannot connect
 */
async function atMember(ctx, host, limitMs, work) {
  let isOver = false;
  /** @type {Connected | null} */
  let connected = null;
  // The close is not awaited: a server may not answer.
  const close = () => {
    connected?.close().catch(() => {});
  };
  try {
    return await withTimeout(
      async (signal) => {
        connected = await connectedTo(ctx, host);
        if (isOver) close();
        return work({ ...ctx, port: connected.port, signal });
      },
      limitMs,
      ctx.signal,
    );
  } finally {
    isOver = true;
    close();
  }
}

/**
 * Connects to a member; the error of one that was never reached must not say that its connection
 * was lost.
 * @param {Context} ctx
 * @param {string} host
 */
async function connectedTo(ctx, host) {
  try {
    return await ctx.connect(host);
  } catch (error) {
    throw error instanceof TuneError || ctx.signal.aborted ? error : notReached(error);
  }
}

/**
 * Gives each member its own signal: Node.js warns of more than ten listeners on one.
 * @template {Context} C
 * @param {C} ctx
 * @returns {C}
 */
const apart = (ctx) => ({ ...ctx, signal: AbortSignal.any([ctx.signal]) });

module.exports = { each, atMember, apart, limitsFor, MEMBER_MS };
