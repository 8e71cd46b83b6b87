'use strict';

const { sleep } = require('../context');
const { feltBetween, learned, meanMs, pressure, together, FEWEST_WRITES } = require('./pressure');

/**
 * Leaves room for the clients while it is copied in steps: looks at the server around each step, and rests after one that cost them too
 * much. What the clients feel without the copy is seen before it and in every rest.
 *
 * @typedef {import('./work').Work} Work @typedef {import('./pressure').Look} Look @typedef {import('./pressure').Held} Held
 * @typedef {{
 *   step<T>(doIt: () => Promise<T>): Promise<{ done: T, ms: number }>, rest(say: (why: string) => void): Promise<boolean>, readonly heldMs: number
 * }} Guard `rest`: whether there was a reason for it; `heldMs`: all rests together
 */

/** Milliseconds at most before the copy; and between two looks in a rest; ours. */
const BEFORE_MS = 1_000;
const LOOK_EVERY_MS = 250;
/**
 * How long a rest is, at most, in times of the step before it: writers that are slow leave the copy a quarter of the time, so that it comes to its
 * end on a server that is always busy; a cache full of dirty pages and a late member a tenth. From rest to rest it grows by one; ours.
 */
const LONGEST_TIMES = Object.freeze({ latency: 3, dirty: 9, lag: 9 });
/** Milliseconds. After a very short step eviction and replication need a moment all the same; ours. */
const SHORTEST_MS = 100;
/** Milliseconds. A step of large documents may take twenty seconds; ours. */
const LONGEST_MS = 30_000;
/** The lag of members is asked for no oftener; ours. */
const MEMBERS_EVERY_MS = 1_000;

/** @param {Work} work @returns {Promise<Guard>} */
async function makeGuard(work) {
  const looker = makeLooker(work);
  const usual = await usually(work, looker);
  const none = { writes: 0, latencyUs: 0 };
  const state = { felt: none, last: await looker.look(), ms: 0, times: 0, heldMs: 0 };
  return {
    get heldMs() { return state.heldMs; },
    async step(doIt) {
      const before = await looker.look();
      const began = Date.now();
      const done = await doIt();
      state.ms = Date.now() - began;
      state.last = await looker.look();
      state.felt = together(state.felt, looker.felt(before, state.last));
      return { done, ms: state.ms };
    },
    async rest(say) {
      const writeMs = meanMs(state.felt);
      if (writeMs !== null) state.felt = none;
      const held = pressure(usual, { look: state.last, writeMs });
      state.times = held ? Math.min(state.times + 1, LONGEST_TIMES[held.kind]) : Math.max(0, state.times - 1);
      if (held) state.heldMs += await resting(work, looker, { held, usual, ms: Math.min(LONGEST_MS, Math.max(SHORTEST_MS, state.times * state.ms)), say });
      return held !== null;
    },
  };
}

/**
 * Until its time is over or its reason is gone: what the clients feel now, they feel without the copy.
 * @param {Work} work @param {Looker} looker @param {{ held: Held, usual: import('./pressure').Usual, ms: number, say(why: string): void }} of @returns {Promise<number>} milliseconds
 */
async function resting(work, looker, { held, usual, ms, say }) {
  const began = Date.now();
  let felt = { writes: 0, latencyUs: 0 };
  say(held.why);
  for (let before = await looker.look(); Date.now() - began < ms;) {
    await sleep(Math.min(LOOK_EVERY_MS, ms), work.signal);
    work.safePoint();
    const now = await looker.look();
    felt = together(felt, looker.felt(before, now));
    before = now;
    if (held.kind !== 'latency' && pressure(usual, { look: now, writeMs: null }) === null) break;
  }
  usual.writeMs = learned(usual.writeMs, meanMs(felt));
  return Date.now() - began;
}

/** @param {Work} work @param {Looker} looker @returns {Promise<import('./pressure').Usual>} */
async function usually(work, looker) {
  const first = await looker.look();
  let last = first;
  for (const until = Date.now() + BEFORE_MS; Date.now() < until && last.writes - first.writes < FEWEST_WRITES;) {
    await sleep(LOOK_EVERY_MS, work.signal);
    work.safePoint();
    last = await looker.look();
  }
  return { writeMs: meanMs(looker.felt(first, last)), dirtyRatio: last.dirtyRatio ?? 0, behindMs: last.behindMs };
}

/** @typedef {ReturnType<typeof makeLooker>} Looker */
/** @param {Work} work */
function makeLooker(work) {
  const { port, split, lease } = work;
  const members = { at: 0, behindMs: /** @type {Record<string, number>} */ ({}) };
  const own = new WeakMap();

  /** @returns {Promise<Look>} */
  const look = () => work.again(async () => {
    const renewals = lease.renewals();
    const status = await port.adminCommand({ serverStatus: 1, metrics: 0, locks: 0 });
    if (split.mode === 'online' && Date.now() - members.at >= MEMBERS_EVERY_MS) Object.assign(members, { behindMs: behind(await port.adminCommand({ replSetGetStatus: 1 })), at: Date.now() });
    const seen = { ...fromStatus(status), behindMs: members.behindMs };
    own.set(seen, renewals);
    return seen;
  });
  return {
    look,
    /** Not where a write of our own is among them, which waits for a majority. @param {Look} before @param {Look} after */
    felt: (before, after) => (own.get(before) === lease.renewals() ? feltBetween(before, after) : { writes: 0, latencyUs: 0 }),
  };
}

/** @param {any} status */
function fromStatus({ host, pid, opLatencies, wiredTiger }) {
  const { writes = { ops: 0, latency: 0 } } = opLatencies ?? {};
  const cache = wiredTiger?.cache;
  return {
    server: `${host} ${pid}`, writes: Number(writes.ops), latencyUs: Number(writes.latency),
    dirtyRatio: cache ? Number(cache['tracked dirty bytes in the cache']) / Number(cache['maximum bytes configured']) : null,
  };
}

/** @param {{ members: any[] }} set @returns {Record<string, number>} */
function behind({ members }) {
  const at = (/** @type {any} */ member) => member.optimeDate.getTime();
  const primary = members.find(({ stateStr }) => stateStr === 'PRIMARY');
  if (!primary) return {};
  return Object.fromEntries(members.filter(({ stateStr }) => stateStr === 'SECONDARY').map((one) => [one.name, Math.max(0, at(primary) - at(one))]));
}

module.exports = { makeGuard };
