'use strict';

const { LATENCY_STATUS, SET_STATUS } = require('../server/pure/commands');
const { membersInStatus } = require('../server/pure/replica-set');
const { sleep } = require('../base/context');
const { clientOperationsIn } = require('../server/pure/client-operations');
const { readHistograms } = require('../server/pure/latency-histogram');
const {
  feltBetween,
  learn,
  meanMs,
  slowestMs,
  countOf,
  pressure,
  together,
  NOTHING,
  FEWEST_WRITES,
} = require('./pressure');

/**
 * @import { Felt, Gathered, Throttle, Usual } from './pressure'
 * @import { SplitJob } from './split-job'
 */

/**
 * Protects clients while a collection is copied in ranges: it samples the server around each range,
 * and pauses after one that slowed them down too much. The latency without the copy is measured
 * before it and in every pause.
 *
 * @typedef {{
 *   measure<T>(doIt: () => Promise<T>): Promise<{ done: T, ms: number }>,
 *   rest(say: (why: string) => void): Promise<boolean>, readonly throttledMs: number
 * }} Guardrail `rest`: whether it paused; `throttledMs`: all pauses together
 */

/** Milliseconds of the measurement before the copy; heuristic. */
const BEFORE_MS = 1_000;
/**
 * Longest such measurement in milliseconds, where clients write too little for a 99th percentile;
 * heuristic.
 */
const LONGER_MS = 5_000;
/** Writes of which ten are the slowest hundredth. */
const ENOUGH_WRITES = 1_000;
/** Milliseconds between two samples in a pause. */
const POLL_EVERY_MS = 250;
/**
 * Longest pause, as a multiple of the range before it: slow writers leave the copy a quarter of the
 * time, so that it ends on a busy server too; dirty data and lag a tenth. Each pause in a row is
 * longer by one; heuristic.
 */
const LONGEST_TIMES = Object.freeze({ latency: 3, dirty: 9, lag: 9 });
/**
 * Shortest pause in milliseconds: eviction and replication need a moment after a very short range;
 * heuristic.
 */
const SHORTEST_MS = 100;
/** Longest pause in milliseconds: a range of large documents may take twenty seconds; heuristic. */
const LONGEST_MS = 30_000;
/**
 * Milliseconds after which a 99th percentile no longer counts: its writers may have ended;
 * heuristic.
 */
const FORGET_AFTER_MS = 30_000;
/** Milliseconds between two questions for the lag of members; heuristic. */
const MEMBERS_EVERY_MS = 1_000;

/** @param {SplitJob} job @returns {Promise<Guardrail>} */
async function makeGuardrail(job) {
  const sampler = makeSampler(job);
  const usual = await usually(job, sampler);
  const state = {
    felt: NOTHING,
    slow: NOTHING,
    slowestMs: /** @type {number | null} */ (null),
    measuredAt: 0,
    last: await sampler.sample(),
    ms: 0,
    times: 0,
    throttledMs: 0,
  };
  return {
    get throttledMs() {
      return state.throttledMs;
    },
    async measure(doIt) {
      const before = await sampler.sample();
      const began = Date.now();
      const done = await doIt();
      state.ms = Date.now() - began;
      state.last = await sampler.sample();
      const felt = sampler.felt(before, state.last);
      state.felt = together(state.felt, felt);
      state.slow = together(state.slow, felt);
      return { done, ms: state.ms };
    },
    async rest(say) {
      const writeMs = meanMs(state.felt);
      if (writeMs !== null) state.felt = NOTHING;
      const slowest = slowestMs(state.slow.times);
      // A 99th percentile needs many writes: the last one holds for a while.
      if (slowest !== null)
        Object.assign(state, { slow: NOTHING, slowestMs: slowest, measuredAt: Date.now() });
      else if (Date.now() - state.measuredAt > FORGET_AFTER_MS) state.slowestMs = null;
      const throttle = pressure(usual, { sample: state.last, writeMs, slowestMs: state.slowestMs });
      state.times = throttle
        ? Math.min(state.times + 1, LONGEST_TIMES[throttle.kind])
        : Math.max(0, state.times - 1);
      if (throttle)
        state.throttledMs += await resting(job, sampler, {
          throttle,
          usual,
          ms: Math.min(LONGEST_MS, Math.max(SHORTEST_MS, state.times * state.ms)),
          say,
        });
      return throttle !== null;
    },
  };
}

/**
 * Pauses until the time is over or the reason has passed; meanwhile the latency without the copy is
 * measured.
 * @param {SplitJob} job
 * @param {Sampler} sampler
 * @param {{ throttle: Throttle, usual: Usual, ms: number, say(why: string): void }} of
 * @returns {Promise<number>} milliseconds
 */
async function resting(job, sampler, { throttle, usual, ms, say }) {
  const began = Date.now();
  let felt = NOTHING;
  say(throttle.why);
  for (let before = await sampler.sample(); Date.now() - began < ms;) {
    await sleep(Math.min(POLL_EVERY_MS, ms), job.signal);
    job.throwIfInterrupted();
    const now = await sampler.sample();
    felt = together(felt, sampler.felt(before, now));
    before = now;
    if (
      throttle.kind !== 'latency' &&
      pressure(usual, { sample: now, writeMs: null, slowestMs: null }) === null
    )
      break;
  }
  learn(usual, felt);
  return Date.now() - began;
}

/** @param {SplitJob} job @param {Sampler} sampler @returns {Promise<Usual>} */
async function usually(job, sampler) {
  const began = Date.now();
  const first = await sampler.sample();
  let last = first;
  for (
    let felt = NOTHING;
    isTooLittle(felt, Date.now() - began);
    felt = sampler.felt(first, last)
  ) {
    await sleep(POLL_EVERY_MS, job.signal);
    job.throwIfInterrupted();
    last = await sampler.sample();
  }
  const felt = sampler.felt(first, last);
  return {
    writeMs: meanMs(felt),
    times: felt.times,
    dirtyRatio: last.dirtyRatio ?? 0,
    behindMs: last.behindMs,
  };
}

/** @param {Felt} felt @param {number} ms */
function isTooLittle({ writes, times }, ms) {
  if (writes < FEWEST_WRITES) return ms < BEFORE_MS;
  return countOf(times) > 0 && countOf(times) < ENOUGH_WRITES && ms < LONGER_MS;
}

/** @typedef {ReturnType<typeof makeSampler>} Sampler */
/** @param {SplitJob} job */
function makeSampler(job) {
  const { port, split, lease } = job;
  const members = { at: 0, behindMs: /** @type {Record<string, number>} */ ({}) };
  const own = new WeakMap();

  /** @returns {Promise<Gathered>} */
  const sample = () =>
    job.again(async () => {
      const renewals = lease.renewals();
      const status = await port.adminCommand(LATENCY_STATUS);
      if (split.mode === 'online' && Date.now() - members.at >= MEMBERS_EVERY_MS)
        Object.assign(members, {
          behindMs: behind(await port.adminCommand(SET_STATUS)),
          at: Date.now(),
        });
      const seen = { ...fromStatus(status), behindMs: members.behindMs };
      own.set(seen, renewals);
      return seen;
    });
  return {
    sample,
    /**
     * Returns what clients felt, except where a write of tune is among theirs, which waits for a
     * majority.
     * @param {Gathered} before
     * @param {Gathered} after
     */
    felt: (before, after) =>
      own.get(before) === lease.renewals() ? feltBetween(before, after) : NOTHING,
  };
}

/** @param {any} status */
function fromStatus(status) {
  const { server, writes } = clientOperationsIn(status);
  const cache = status.wiredTiger?.cache;
  return {
    server,
    writes: writes.ops ?? 0,
    latencyUs: writes.latencyUs ?? 0,
    times: readHistograms(status).writes,
    dirtyRatio: cache
      ? Number(cache['tracked dirty bytes in the cache']) /
        Number(cache['maximum bytes configured'])
      : null,
  };
}

/** @param {{ members: any[] }} status @returns {Record<string, number>} ms behind the primary */
function behind(status) {
  const members = membersInStatus(status);
  const newestMs = members.find(({ state }) => state === 'primary')?.optimeMs ?? null;
  return Object.fromEntries(
    members.flatMap(({ host, state, optimeMs }) =>
      state !== 'secondary' || newestMs === null || optimeMs === null
        ? []
        : [[host, Math.max(0, newestMs - optimeMs)]],
    ),
  );
}

module.exports = { makeGuardrail };
