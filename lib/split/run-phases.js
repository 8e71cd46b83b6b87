'use strict';

const { directionOf } = require('./directions');
const { undoCutOnFailure } = require('./undo-cut');
const { MAX_TIME_MS_EXPIRED } = require('../base/pure/server-codes');
const { sleep } = require('../base/context');
const { PATIENCE_MS } = require('./retry');
const { isCutOff } = require('./pure/phase-table');
const { sayPhase } = require('./pure/phase-words');
const { recover } = require('./rename-staging');
const { InDoubt, silent } = require('./split-job');

/**
 * @import { Way } from './pure/phase-table'
 * @import { Phase } from './state'
 * @import { SplitJob } from './split-job'
 */

/**
 * One handler for each phase. Each first checks the present state, so that it can be begun again
 * wherever it stopped.
 * @typedef {Readonly<Partial<Record<Phase, (job: SplitJob) => Promise<void>>>>} PhaseHandlers
 */

/**
 * Runs phase after phase until no handler is left. Where the outcome of a write is unknown it
 * starts again from the saved state; a cut that fails is undone.
 * @param {SplitJob} job
 * @param {Way} way
 * @param {PhaseHandlers} handlers
 * @param {() => Promise<void>} [atTheEnd]
 */
async function runPhases(job, way, handlers, atTheEnd = async () => {}) {
  await undoCutOnFailure(
    job,
    () => directionOf(job.split, way),
    () =>
      withRecovery(job, async () => {
        for (
          let handler = handlers[job.split.phase];
          handler;
          handler = handlers[job.split.phase]
        ) {
          job.throwIfInterrupted();
          job.say(sayPhase(job.split.phase));
          await handler(job);
        }
        await atTheEnd();
      }),
  );
}

/**
 * Largest number of writes in doubt in a row: a proxy may end each connection after a minute;
 * heuristic.
 */
const MAX_DOUBTS = 5;
const PAUSE_MS = 500;
/**
 * Starts again from the saved state, as another shell would, where the outcome of a write is
 * unknown.
 * @param {SplitJob} job
 * @param {() => Promise<void>} doIt begins from the saved state
 */
async function withRecovery(job, doIt) {
  const until = Date.now() + PATIENCE_MS;
  for (let doubts = 0; ;) {
    try {
      if (job.doubt) await recover(job);
      return await doIt();
    } catch (error) {
      if (error instanceof InDoubt) doubts = doubted(job, error, doubts);
      else if (isSlowMajority(job, error) && Date.now() < until) await sleep(PAUSE_MS, job.signal);
      else throw error;
    }
  }
}

/**
 * @param {SplitJob} job
 * @param {InDoubt} error
 * @param {number} doubts
 * @returns {number} the number of doubts so far
 */
function doubted(job, { cause }, doubts) {
  job.comesInDoubt(cause);
  if (doubts === MAX_DOUBTS) throw silent(job.split, cause);
  return doubts + 1;
}

/**
 * Says whether to wait for a majority, because neither name takes writes.
 * @param {SplitJob} job @param {any} error
 */
const isSlowMajority = ({ split }, error) =>
  error?.code === MAX_TIME_MS_EXPIRED && isCutOff(split.phase);

module.exports = { runPhases, withRecovery };
