'use strict';

const { directionOf } = require('./directions');
const { undoCutOnFailure } = require('./undo-cut');
const { withRecovery } = require('./with-recovery');

/**
 * @import { Way } from './pure/phase-table'
 * @import { Phase } from './state'
 * @import { SplitJob } from './split-job'
 */

/**
 * One step from each phase. Each first checks what is there, so that it can be begun again wherever
 * it stopped.
 * @typedef {Readonly<Partial<Record<Phase, (job: SplitJob) => Promise<void>>>>} PhaseHandlers
 */

/**
 * Goes from phase to phase until no step is left. Where the outcome of a write is unknown it starts
 * again from what is saved; a cut that fails is undone.
 * @param {SplitJob} job
 * @param {Way} way
 * @param {PhaseHandlers} steps
 * @param {() => Promise<void>} [atTheEnd]
 */
async function runPhases(job, way, steps, atTheEnd = async () => {}) {
  await undoCutOnFailure(
    job,
    () => directionOf(job.split, way),
    () =>
      withRecovery(job, async () => {
        for (let step = steps[job.split.phase]; step; step = steps[job.split.phase]) {
          job.throwIfInterrupted();
          job.say(job.split.phase);
          await step(job);
        }
        await atTheEnd();
      }),
  );
}

module.exports = { runPhases };
