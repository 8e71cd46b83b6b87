'use strict';

/**
 * The nemesis of tune.split. Sixteen writers remember every operation that the servers
 * acknowledged, a shell moves their collection to another database, and one to four faults a round
 * happen to it, by chance (faults.js): commands that arrive long after their shell has done them
 * again, shells that are killed, or stall until another one took over, lost connections,
 * elections, kill -9 of a primary, index builds, changes of the schema, dropped and renamed
 * collections, long transactions, a second operator. Then an operator who knows only what the
 * commands say carries the split to an end, an application takes a name that is free, what was held
 * arrives, and every acknowledged operation is looked for.
 *
 *   TUNE_LONG=1 TUNE_ROUNDS=100 TUNE_SEED=1 npx mocha test/nemesis/nemesis.test.js
 *
 * - TUNE_ROUNDS: how many (500). The ordinary suite plays two that are known to be short.
 * - TUNE_SEED: another seed, other rounds (1).
 * - TUNE_ROUND: this one alone, of the same seed.
 * - TUNE_SLOW=1: those faults, too, that take half a minute.
 * - TUNE_FAULT: this kind of fault alone, as faults.js has it.
 * - TUNE_GOAL: moved, rolled back or given up alone.
 *
 * Seed and number decide what is sent to whom and when, not what the machine makes of it: a round
 * that failed may pass when it is played again, so it is played a few times.
 *
 * environment.js has the servers and their proxies, shell.js the shells, writers.js the load and
 * its register, schedule.js the chance, moments.js what a shell is doing, round.js one round,
 * verdict.js what it came to.
 */
const assert = require('node:assert/strict');
const { whyNotLong } = require('../support/trial');
const { startEnvironment } = require('./environment');
const { playRound } = require('./round');
const { scheduleOf } = require('./schedule');

const LONG = whyNotLong() === null;
const SEED = Number(process.env.TUNE_SEED ?? 1);
const ROUNDS = Number(process.env.TUNE_ROUNDS ?? 500);
/** Of seed 1: commands that arrive late, and a shell that is killed, there and back. */
const SHORT = Object.freeze([10, 11]);
const SLOW = process.env.TUNE_SLOW === '1';
const ONLY = process.env.TUNE_FAULT ?? null;
const GOAL = process.env.TUNE_GOAL ?? null;
const SWITCHES = ['TUNE_SLOW', 'TUNE_FAULT', 'TUNE_GOAL']
  .filter((name) => process.env[name])
  .map((name) => ` ${name}='${process.env[name]}'`)
  .join('');
const WHICH = process.env.TUNE_ROUND ? [Number(process.env.TUNE_ROUND)] : all();

function all() {
  return LONG ? Array.from({ length: ROUNDS }, (_, i) => i + 1) : SHORT;
}

describe('a split and its nemesis', function () {
  this.timeout(600_000);
  /** @type {Awaited<ReturnType<typeof startEnvironment>> | undefined} */ let env;
  const tally = {
    rounds: 0,
    failed: 0,
    acknowledged: 0,
    refused: 0,
    unknown: 0,
    lost: 0,
    doubled: 0,
    longestRefusedMs: 0,
    met: /** @type {Record<string, number>} */ ({}),
    wrong: /** @type {string[]} */ ([]),
  };
  after(async () => {
    process.stdout.write(`\n      ${JSON.stringify(tally)}\n`);
    await env?.stop();
  });
  afterEach(async function () {
    // What is left of a round that went wrong is nothing for the next one.
    if (this.currentTest?.state !== 'failed') return;
    const last = env;
    env = undefined;
    await last?.stop().catch(() => undefined);
  });

  for (const round of WHICH) {
    const schedule = scheduleOf({ seed: SEED, round, slow: SLOW, only: ONLY, wanted: GOAL });
    const words = schedule.faults.map(({ kind, moment }) => `${kind} at ${moment}`).join(', ');
    it(`round ${round}: ${schedule.goal}, by ${schedule.method}, ${words}`, async () => {
      env ??= await startEnvironment();
      /** @type {string[]} */ const lines = [];
      const verdict = await playRound(env, schedule, { notify: (text) => lines.push(text) });
      count(round, verdict);
      if (verdict.wrong.length === 0) return;
      const replay = `replay: TUNE_LONG=1 TUNE_SEED=${SEED} TUNE_ROUND=${round}${SWITCHES}`;
      process.stdout.write(`      ${verdict.wrong.join('; ')}\n      ${replay}\n`);
      const calls = verdict.end.tried.map(
        ({ call, error }) => `operator: ${call}: ${error?.message ?? 'done'}`,
      );
      assert.fail(
        [...verdict.wrong, replay, JSON.stringify(schedule), ...lines, ...calls].join('\n'),
      );
    });
  }

  /** @param {number} round @param {Awaited<ReturnType<typeof playRound>>} verdict */
  function count(
    round,
    { acknowledged, refused, unknown, lost, doubled, longestRefusedMs, met, wrong },
  ) {
    tally.rounds += 1;
    tally.failed += Number(wrong.length > 0);
    for (const [key, value] of Object.entries({ acknowledged, refused, unknown, lost, doubled }))
      /** @type {any} */ (tally)[key] += value;
    tally.longestRefusedMs = Math.max(tally.longestRefusedMs, longestRefusedMs);
    for (const one of met) tally.met[one.split(' ')[0]] = (tally.met[one.split(' ')[0]] ?? 0) + 1;
    tally.wrong.push(...wrong.map((one) => `${round}: ${one.slice(0, 160)}`));
  }
});
