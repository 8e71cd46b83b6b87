'use strict';

const { HELLO } = require('../server/pure/commands');
const { sleep } = require('../base/context');
const { TuneError } = require('../base/pure/errors');
const { mapServerError } = require('../base/server-errors');
const { collectSet, readIdentity } = require('./replica-set');
const { notReady } = require('./pure/rollout-plan');
const { withTimeout } = require('../base/timing');
const { memberPort, sharedPort, refuseOther } = require('./member-port');
const { each, limitsFor, MEMBER_MS } = require('./reach');
const { closable, shellHosts } = require('../change/own-connection');

/**
 * @import { Connected, Port } from '../base/context'
 * @import { Meant } from './member-port'
 * @import { Context } from '../base/types'
 * @import { Place, SetPlace } from '../server/pure/types'
 */

/**
 * Connects to members that are changed one after the other; each connection stays open until the
 * last member is done.
 * @typedef {{ place: Place, set: SetPlace, ctx: Context | null, error: Error | null }} Stop `ctx`:
 *   null where it cannot be reached, and `error` says why
 * @typedef {{ stops: Stop[], close(): void }} Members
 */

/** Milliseconds for the restart of a member or an election; after them a person has to check. */
const LONGEST_WAIT_MS = 60_000;
const POLL_MS = 250;

/**
 * @param {Context} ctx
 * @param {readonly SetPlace[]} sets
 * @param {readonly Place[]} places in the order in which they come
 * @returns {Promise<Members>} the connections, which have to be closed
 */
async function openConnections(ctx, sets, places) {
  const { keep, close } = closable();
  const found = await each(
    ctx,
    places,
    async (place, limitMs) => {
      const set = setOf(sets, place);
      if (place.role === 'standalone' && place.shard === null) return ctx;
      const reached = withTimeout(
        () => memberPort(async () => keep(await ctx.connect(place.host)), { place, set }),
        limitMs,
        ctx.signal,
      ).then((port) => ({ ...ctx, port }));
      if (place.host !== set.self || place.shard !== null) return reached;
      // The member's name in the set may lead nowhere from here, or elsewhere, through a tunnel:
      // then the address of the shell's connection is used.
      return reached.catch(async () => {
        const port = await withTimeout(
          () => portAsShell(ctx, { place, set }, keep),
          limitMs,
          ctx.signal,
        );
        return { ...ctx, port };
      });
    },
    limitsFor(),
  );
  return {
    stops: found.map(({ place, value, error }) => ({
      place,
      set: setOf(sets, place),
      ctx: value,
      error,
    })),
    close,
  };
}

/**
 * @param {Context} ctx
 * @param {Meant} meant
 * @param {(connected: Connected) => Connected} keep
 * @returns {Promise<Port>} the port at an address of the shell's connection string, or over that
 *   connection itself where no address leads to the member
 */
async function portAsShell(ctx, meant, keep) {
  for (const host of await shellHosts(ctx)) {
    if (host === meant.place.host) continue;
    const port = await memberPort(async () => keep(await ctx.connect(host)), meant).catch(
      () => null,
    );
    if (port !== null) return port;
  }
  return sharedPort(ctx.port, meant);
}

/** @param {readonly SetPlace[]} sets @param {Place} place @returns {SetPlace} */
const setOf = (sets, place) =>
  /** @type {SetPlace} */ (sets.find(({ members }) => members.includes(place)));

/**
 * Waits until the set of a member is as well as it was when the change began, and stays so for a
 * while.
 * @param {Context} ctx
 * @param {Members} connections
 * @param {Stop} stop
 * @param {{ quietMs: number, longestMs?: number }} how
 * @throws {TuneError} TUNE-30011 when it does not become so in time, TUNE-30009 after Ctrl-C
 */
async function untilReady(ctx, connections, stop, { quietMs, longestMs = LONGEST_WAIT_MS }) {
  const startedMs = performance.now();
  let wellSinceMs = null;
  for (;;) {
    const why = await whyNot(ctx, connections, stop);
    const nowMs = performance.now();
    wellSinceMs = why === null ? (wellSinceMs ?? nowMs) : null;
    if (wellSinceMs !== null && nowMs - wellSinceMs >= quietMs) return;
    if (why !== null && nowMs - startedMs >= longestMs) {
      throw new TuneError(
        'TUNE-30011',
        `After ${Math.round((nowMs - startedMs) / 1000)} s ${why}.`,
        { value: stop.place.host },
      );
    }
    if (why !== null)
      ctx.progress(
        `waiting: ${why} (${Math.round((nowMs - startedMs) / 1000)} s; Ctrl-C undoes the change)`,
      );
    await sleep(pauseFor(quietMs), ctx.signal);
  }
}

/** Milliseconds until the next question. @param {number} quietMs 0: no quiet time is required */
const pauseFor = (quietMs) => Math.min(POLL_MS, quietMs || POLL_MS);

/** @param {Context} ctx @param {Members} connections @param {Stop} stop @returns {Promise<string | null>} */
async function whyNot(ctx, connections, { place, set, ctx: own }) {
  try {
    const is = await withTimeout(
      () => readIdentity(/** @type {Context} */ (own).port),
      MEMBER_MS,
      ctx.signal,
    );
    if (is.setName === null && is.isStarting) return `${place.host} is starting`;
    refuseOther(is, { place, set });
    if (is.setName === null) return null;
    return notReady(set, await seen(ctx, connections, set));
  } catch (cause) {
    const error = mapServerError(cause, 'hello', ctx.signal);
    if (error instanceof TuneError && (error.code === 'TUNE-30009' || error.code === 'TUNE-20010'))
      throw error;
    return `${place.host} does not answer (${error.message})`;
  }
}

/**
 * Returns the state of a set as reported by any member that answers.
 * @param {Context} ctx
 * @param {Members} connections
 * @param {SetPlace} set
 */
async function seen(ctx, connections, set) {
  const askers = connections.stops.flatMap((stop) =>
    stop.set === set && stop.ctx !== null ? [stop.ctx] : [],
  );
  const answers = askers.map(async ({ port }) =>
    collectSet(port, await port.adminCommand(HELLO), set.shard),
  );
  return withTimeout(
    () =>
      Promise.any(answers).catch((/** @type {AggregateError} */ { errors }) => {
        throw errors[0];
      }),
    MEMBER_MS,
    ctx.signal,
  );
}

module.exports = { openConnections, untilReady, seen };
