'use strict';

/**
 * A process that guards a cutover beside the shell. Should the shell die or stall between the
 * cutover and the target's first answer, this process continues the cutover or rolls it back. It
 * gets the connection string over its channel: neither its command line nor a file ever holds a
 * password.
 */

const { sleep } = require('../base/context');
const { loadDriver } = require('../base/driver');
const { isLeftBehind } = require('../split/pure/phase-table');
const { resumeSplit } = require('../split/resume');
const { splitsOf } = require('../split/state');
const { makePort, openerOf, senderOf } = require('./port');

/**
 * A shell sends a sign twice a second (split/guardian.js); after this many milliseconds without one
 * it counts as stalled (heuristic).
 */
const NO_SIGN_MS = 6_000;
const POLL_EVERY_MS = 500;
/** Milliseconds; by then an operator has typed the command that the status names (heuristic). */
const GIVE_UP_MS = 86_400_000;
const PAUSE_MS = 1_000;
/** The pause in milliseconds after ten minutes without success. */
const LONG_PAUSE_MS = 10_000;
const SOON_MS = 600_000;
/** Another shell has taken the split over, or it no longer exists. */
const NOT_OURS = Object.freeze(['TUNE-35003', 'TUNE-35012']);

/**
 * By the id of a split. `owner`: of its lease; `undoes`: the user typed abort, so no cutover is
 * completed.
 * @typedef {{ owner: string, undoes: boolean }} Watched
 */
/** @type {Map<string, Watched>} */
const watched = new Map();
const state = {
  heardAt: performance.now(),
  client: /** @type {any} */ (null),
  isTakingOver: false,
  isChecking: false,
};
const forever = new AbortController().signal;

/**
 * Connects, and reports to the shell whether that worked.
 * @param {{ uri: string, options: Record<string, unknown> }} where
 */
async function connect({ uri, options }) {
  const { MongoClient } = loadDriver('A guardian');
  state.client = await new MongoClient(uri, {
    ...options,
    appName: 'mongosh-tune guardian',
  }).connect();
  await state.client.db('admin').command({ hello: 1 });
  process.send?.({ ready: true });
}

/**
 * Handles a message of the shell. Once this process works on a split, it continues to the end,
 * whatever a resumed shell sends.
 * @param {any} message
 */
function listen({ connect: where, watch, forget, handOver, over }) {
  state.heardAt = performance.now();
  if (state.isTakingOver) return;
  if (where)
    connect(where).catch((error) => {
      process.send?.({ failed: String(error.message) });
      process.disconnect?.();
    });
  if (watch) watched.set(watch.id, watch);
  if (forget) watched.delete(forget);
  if (handOver) void takeOver();
  if (over) void end();
}

/** Ends this process. */
async function end() {
  clearInterval(timer);
  await state.client?.close().catch(() => undefined);
  if (process.connected) process.disconnect();
}

const portNow = () =>
  makePort(
    senderOf(state.client),
    openerOf(() => state.client),
  ).port;

/** Continues every split that the shell watched over. */
async function takeOver() {
  if (state.isTakingOver) return;
  state.isTakingOver = true;
  if (process.connected) process.send?.({ takingOver: true });
  clearInterval(timer);
  const port = portNow();
  for (const [id, one] of watched)
    await takeOverOne(/** @type {any} */ ({ port, signal: forever, progress: () => {} }), id, one);
  await end();
}

/**
 * Continues one split until it is done, or belongs to another process.
 * @param {any} ctx
 * @param {string} id
 * @param {Watched} one
 */
async function takeOverOne(ctx, id, { owner, undoes }) {
  const owners = new Set([owner]);
  const began = performance.now();
  for (let forMs = 0; forMs < GIVE_UP_MS; forMs = performance.now() - began) {
    try {
      return await resumeSplit(ctx, id, owners, undoes);
    } catch (error) {
      const { code, waitsForPerson } = /** @type {any} */ (error);
      if (NOT_OURS.includes(code) || waitsForPerson) return undefined;
      await sleep(forMs < SOON_MS ? PAUSE_MS : LONG_PAUSE_MS, forever);
    }
  }
  return undefined;
}

const isStalled = () => watched.size > 0 && performance.now() - state.heardAt > NO_SIGN_MS;

/**
 * Takes over from a shell that stalls: its channel stays open. Where no split needs that, this
 * process stays: the shell may wake up, and cut.
 */
async function checkShell() {
  if (state.isChecking || !isStalled()) return;
  state.isChecking = true;
  const isNeeded = await hasWork().catch(() => false);
  state.isChecking = false;
  if (isNeeded && isStalled()) await takeOver();
}

/** Whether a split that is watched was left in a phase that must not last. */
async function hasWork() {
  const port = portNow();
  for (const [id, { owner, undoes }] of watched) {
    const [split] = await splitsOf(port, id);
    if (split?.lease?.owner === owner && isLeftBehind(split, undoes)) return true;
  }
  return false;
}

/** @type {NodeJS.Timeout | undefined} */ let timer;

// A check that all files of a package are there only loads this file: that must start nothing.
if (process.env.MONGOSH_TUNE_GUARDIAN === '1') {
  timer = setInterval(() => void checkShell(), POLL_EVERY_MS);
  process.on('message', listen);
  process.on('disconnect', () => {
    if (!state.isTakingOver) void (state.client && watched.size > 0 ? takeOver() : end());
  });
  // Ignore a closed terminal and an interrupted shell: this process exists for these cases.
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGHUP'])) process.on(signal, () => {});
}
