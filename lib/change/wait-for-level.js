'use strict';

const { sleep } = require('../base/context');
const { TuneError } = require('../base/pure/errors');

/**
 * @import { Counters } from '../server/pure/counters'
 * @import { Context } from '../base/types'
 */

/** Long enough for a slow disk to drain a few GB. */
const LONGEST_WAIT_MS = 120_000;
/** A few samples to a pause of half a second; each costs the server 1 ms. */
const POLL_MS = 100;

/**
 * @typedef {{
 *   isReached(counters: Counters, waitedMs: number): boolean | Promise<boolean>, doing(): string,
 *   say(counters: Counters): string
 * }} Goal `isReached` may do something to reach it
 */

/**
 * Waits until the cache is under the triggers to come.
 * @param {Context} ctx
 * @param {Goal} goal
 * @param {() => Promise<Counters>} sample
 * @param {number} [longestMs]
 * @throws {TuneError} TUNE-30003 when the level does not fall in time, TUNE-30009 after Ctrl-C
 */
async function waitForLevel(ctx, goal, sample, longestMs = LONGEST_WAIT_MS) {
  const started = performance.now();
  try {
    for (;;) {
      const counters = await sample();
      const waitedMs = performance.now() - started;
      if (await goal.isReached(counters, waitedMs)) return;
      if (waitedMs >= longestMs) throw tooHigh(goal.say(counters), waitedMs);
      ctx.progress(
        `${goal.doing()}: ${goal.say(counters)} (${Math.round(waitedMs / 1000)} s; Ctrl-C ` +
          'stops here)',
      );
      await sleep(POLL_MS, ctx.signal);
    }
  } finally {
    ctx.progress(null);
  }
}

/** @param {string} say @param {number} waitedMs */
const tooHigh = (say, waitedMs) =>
  new TuneError(
    'TUNE-30003',
    `After ${Math.round(waitedMs / 1000)} s there are still ${say}: lowering the trigger now ` +
      'would stop every client until the disk has drained the difference.',
    { value: say, allowed: 'a level under the new trigger' },
  );

module.exports = { waitForLevel };
