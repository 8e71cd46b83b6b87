'use strict';

const { count, duration, roughly } = require('../base/pure/units');
const { sleep } = require('../base/context');
const { isInDoubt } = require('./retry');
const { killOwnOperations } = require('./running-operations');

/**
 * @import { SplitJob } from './split-job'
 */

/**
 * Prints the progress: `120,000 of about 2 M documents, 41,000/s, 46 s left`.
 * @param {number} done
 * @param {number} all an estimate; 0: not known
 * @param {Date} since
 * @param {number} [before] the part of `done` that was done at that time
 */
function rate(done, all, since, before = 0) {
  const left = leftMs(done - before, all - before, since);
  return (
    `${count(done)}${all > 0 ? ` of about ${roughly(all)}` : ''} documents, ` +
    `${count(Math.round(perMs(done - before, since) * 1000))}/s${left === null ? '' : `, ${duration(left)} left`}`
  );
}

/**
 * Prints ` 6%, 5 min 40 s left`; an empty text where that is not known.
 * @param {number} done
 * @param {number} all
 * @param {Date} since
 * @param {number} before
 */
function shareAndLeft(done, all, since, before) {
  const left = leftMs(done - before, all - before, since);
  return left === null ? '' : ` ${((100 * done) / all).toFixed(0)}%, ${duration(left)} left`;
}

/** @param {number} done @param {Date} since */
const perMs = (done, since) => done / Math.max(1, Date.now() - since.getTime());

/**
 * Returns the time left in whole seconds: it is an estimate.
 * @param {number} done
 * @param {number} all
 * @param {Date} since
 * @returns {number | null}
 */
const leftMs = (done, all, since) =>
  all > done && done > 0 ? Math.ceil((all - done) / perMs(done, since) / 1000) * 1000 : null;

const POLL_EVERY_MS = 2_000;

/**
 * Shows the progress of a long command, and ends it after Ctrl-C; or leaves it running where
 * repeating it only waits for it.
 * @template T
 * @param {SplitJob} job
 * @param {Promise<T>} command
 * @param {() => Promise<string | null>} describe
 * @param {'ended' | 'left'} [afterwards]
 * @returns {Promise<T>}
 */
async function withProgress(job, command, describe, afterwards = 'ended') {
  const over = new AbortController();
  const settled = command.finally(() => over.abort());
  settled.catch(() => undefined);
  while (!over.signal.aborted) {
    await sleep(POLL_EVERY_MS, AbortSignal.any([job.signal, over.signal])).catch(() => undefined);
    if (over.signal.aborted) break;
    if (job.signal.aborted && afterwards === 'left') job.throwIfInterrupted();
    if (job.signal.aborted) await endIt(job);
    else job.say((await describe().catch(() => null)) ?? 'copying');
  }
  // After Ctrl-C the end is tune's doing, unless the answer was lost. Otherwise the command's own
  // error says more than a lease that ran out while the server did not answer.
  if (job.signal.aborted) {
    await settled.catch((error) => (isInDoubt(error) ? job.comesInDoubt(error) : undefined));
    job.throwIfInterrupted();
  }
  const done = await settled;
  job.throwIfInterrupted();
  return done;
}

/** Ends the command; where that fails the command may still continue. @param {SplitJob} job */
const endIt = (job) =>
  killOwnOperations(job).catch((error) => {
    job.comesInDoubt(error);
    throw error;
  });

module.exports = { rate, shareAndLeft, withProgress };
