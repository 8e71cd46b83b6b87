'use strict';

const { sleep } = require('../context');

/** @typedef {import('./work').Work} Work */

/** Eviction begins to take part of the clients' time at 20 % dirty (WiredTiger's eviction_dirty_trigger); this leaves room for them. */
const DIRTY_RATIO = 0.1;
/** Flow control of the server begins to hold writers back at 10 s (flowControlTargetLagSeconds); half of it is theirs. */
const LAG_MS = 5_000;
/** Twice what writes took before is more than a copy may cost the clients. */
const LATENCY_TIMES = 2;
/** Below this the clock and the processors of a busy machine say more than the load. */
const LATENCY_FLOOR_MS = 5;
const PAUSE_MS = 500;
/** Without an end to it there would be no copy on a server that is always busy; then it goes on slowly. */
const LONGEST_MS = 30_000;

/** @type {WeakMap<object, { usual: number, ops: number, latency: number }>} what writes took of old, by lease */
const SEEN = new WeakMap();

/** Waits while the server has no room to spare. @param {Work} work */
async function waitForCalm(work) {
  const until = Date.now() + LONGEST_MS;
  for (;;) {
    const why = await work.again(() => busy(work));
    if (!why || Date.now() > until) return;
    work.say(`waiting: ${why}`);
    await sleep(PAUSE_MS, work.signal);
    work.safePoint();
  }
}

/** @param {Work} work @returns {Promise<string | null>} */
async function busy({ port, lease, split }) {
  const status = await port.adminCommand({ serverStatus: 1, metrics: 0, locks: 0 });
  const cache = status.wiredTiger?.cache;
  const dirty = cache ? Number(cache['tracked dirty bytes in the cache']) / Number(cache['maximum bytes configured']) : 0;
  if (dirty > DIRTY_RATIO) return `${(100 * dirty).toFixed(0)} % of the cache is dirty`;
  const slow = slower(lease, status.opLatencies?.writes);
  if (slow) return slow;
  if (split.mode === 'offline') return null;
  const { members } = await port.adminCommand({ replSetGetStatus: 1 });
  const at = (/** @type {any} */ member) => member.optimeDate.getTime();
  const primary = members.find((/** @type {any} */ { stateStr }) => stateStr === 'PRIMARY');
  const lag = Math.max(0, ...members.filter((/** @type {any} */ { stateStr }) => stateStr === 'SECONDARY').map((/** @type {any} */ one) => (primary ? at(primary) - at(one) : 0)));
  return lag > LAG_MS ? `a member is ${(lag / 1000).toFixed(0)} s behind` : null;
}

/** @param {object} lease @param {{ latency: unknown, ops: unknown } | undefined} writes */
function slower(lease, writes) {
  if (!writes) return null;
  const now = { ops: Number(writes.ops), latency: Number(writes.latency) };
  const before = SEEN.get(lease);
  const meanMs = before && now.ops > before.ops ? (now.latency - before.latency) / (now.ops - before.ops) / 1000 : null;
  // What it is without us: all writes since the server started.
  SEEN.set(lease, { ...now, usual: before?.usual ?? Math.max(LATENCY_FLOOR_MS, now.latency / Math.max(1, now.ops) / 1000) });
  return before && meanMs !== null && meanMs > LATENCY_TIMES * before.usual ? `writes take ${meanMs.toFixed(1)} ms` : null;
}

module.exports = { waitForCalm };
