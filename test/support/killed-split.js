'use strict';

/**
 * A shell that carries a split to its goal from wherever it was left, and that may be killed from
 * outside at any time: by no moment of its own choosing, unlike dying-split.js.
 */
const { fork } = require('node:child_process');
const { MongoClient, BSON } = require('mongodb');
const { contextOf } = require('./context');
const { endWithProcess, killNow } = require('./cleanup');
const { sleep } = require('../../lib/base/context');
const { run: splitAbort } = require('../../lib/commands/split-abort');
const { run: splitCutover } = require('../../lib/commands/split-cutover');
const { run: splitResume } = require('../../lib/commands/split-resume');
const { run: splitRollback } = require('../../lib/commands/split-rollback');
const { run: splitRun } = require('../../lib/commands/split-run');
const { run: splitStatus } = require('../../lib/commands/split-status');

/**
 * @typedef {'moved' | 'taken back' | 'given up'} Goal where the data is to be in the end;
 *   `given up`: abort, or rollback where it is too late for that
 */

const DO = Object.freeze({ confirm: true });
/** So that the writers find the new place before it goes back. */
const STAY_MS = 300;

/**
 * @param {any} ctx
 * @param {string} id
 * @returns {Promise<string | null>} null before anything was written down
 */
const phaseOf = async (ctx, id) =>
  (await splitStatus(ctx)).splits.find((split) => split.id === id)?.phase ?? null;

/** @param {any} ctx @param {any} plan @param {string | null} phase */
async function goThere(ctx, plan, phase) {
  const [now] = (
    phase === null
      ? await splitRun(ctx, plan, DO)
      : await splitResume(ctx, plan.id, { confirm: true })
  ).splits;
  if (now.phase === 'following') await splitCutover(ctx, plan.id, DO);
}

/** The guardian of the shell that was killed may be faster. @param {any} ctx @param {string} id */
const rollBack = (ctx, id) =>
  splitRollback(ctx, id, DO).catch((/** @type {any} */ error) => {
    if (error.code !== 'TUNE-35010' || error.value !== 'rolled-back') throw error;
  });

/** @param {any} ctx @param {any} plan @param {string | null} phase */
async function goBack(ctx, plan, phase) {
  if (phase === null) return;
  if (phase !== 'switched' && !phase.endsWith('-back')) {
    try {
      await splitAbort(ctx, plan.id, DO);
      return;
    } catch (error) {
      // It was switched, and the shell died before that was written down.
      if (error.code !== 'TUNE-35010') throw error;
    }
  }
  await rollBack(ctx, plan.id);
}

/** @type {Record<Goal, (ctx: any, plan: any, first: boolean) => Promise<void>>} */
const WAYS = {
  moved: async (ctx, plan) => {
    const phase = await phaseOf(ctx, plan.id);
    if (phase !== 'switched') await goThere(ctx, plan, phase);
  },
  'taken back': async (ctx, plan) => {
    const phase = await phaseOf(ctx, plan.id);
    if (phase === 'rolled-back') return;
    if (phase !== 'switched' && !phase?.endsWith('-back')) await goThere(ctx, plan, phase);
    await sleep(STAY_MS, ctx.signal);
    await rollBack(ctx, plan.id);
  },
  'given up': async (ctx, plan, first) => {
    const phase = await phaseOf(ctx, plan.id);
    if (first) await goThere(ctx, plan, phase);
    else if (phase !== 'rolled-back' && phase !== 'aborted') await goBack(ctx, plan, phase);
  },
};

/** @param {{ uri: string, goal: Goal, plan: string, first: boolean }} job */
async function carry({ uri, goal, plan, first }) {
  const client = await new MongoClient(uri).connect();
  process.send?.('begun');
  await WAYS[goal](contextOf(client), BSON.EJSON.parse(plan), first);
  await client.close();
  process.send?.('ended');
  process.disconnect();
}

if (require.main === module) process.once('message', (job) => void carry(/** @type {any} */ (job)));

/**
 * @param {{ uri: string, goal: Goal, plan: any, first: boolean }} job `first`: no shell was at it
 *   before
 * @param {number | null} afterMs when it is killed, counted from its first command; null: never
 * @returns {Promise<{ killed: boolean, ms: number }>} `ms`: what it took, without its start
 */
function carried(job, afterMs) {
  const child = fork(__filename, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const forget = endWithProcess(() => killNow([child]));
  const reported = { begunAt: 0, endedAt: 0 };
  child.on('message', (what) => {
    reported[what === 'begun' ? 'begunAt' : 'endedAt'] = Date.now();
    if (what === 'begun' && afterMs !== null) setTimeout(() => child.kill('SIGKILL'), afterMs);
  });
  child.send({ ...job, plan: BSON.EJSON.stringify(job.plan) });
  return new Promise((resolve, reject) => {
    child.on('exit', (code, signal) => {
      forget();
      if (reported.endedAt > 0) resolve({ killed: false, ms: reported.endedAt - reported.begunAt });
      else if (signal === 'SIGKILL') resolve({ killed: true, ms: Date.now() - reported.begunAt });
      else
        reject(
          new Error(`the shell of a split that was to be ${job.goal} ended with ${signal ?? code}`),
        );
    });
  });
}

module.exports = { carried };
