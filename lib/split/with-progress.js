'use strict';

const { sleep } = require('../base/context');
const { killOwnOperations } = require('./left-running');

/**
 * @import { SplitJob } from './split-job'
 */

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
    if (job.signal.aborted) await killOwnOperations(job);
    else job.say((await describe().catch(() => null)) ?? 'copying');
  }
  // After Ctrl-C it is we who ended it. Otherwise its own error says more than a lease that ran out
  // while the server was silent.
  if (job.signal.aborted) job.throwIfInterrupted();
  const done = await settled;
  job.throwIfInterrupted();
  return done;
}

module.exports = { withProgress };
