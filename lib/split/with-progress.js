'use strict';

const { sleep } = require('../base/context');
const { killOwnOperations } = require('./left-running');

/**
 * @import { Work } from './work'
 */

const POLL_EVERY_MS = 2_000;

/**
 * Shows how far a long command is, and ends it after Ctrl-C; or leaves it to itself, where the
 * server goes on with it and whoever does it again only waits.
 * @template T
 * @param {Work} work
 * @param {Promise<T>} command
 * @param {() => Promise<string | null>} sample
 * @param {'ended' | 'left'} [afterwards]
 * @returns {Promise<T>}
 */
async function withProgress(work, command, sample, afterwards = 'ended') {
  const over = new AbortController();
  const settled = command.finally(() => over.abort());
  settled.catch(() => undefined);
  while (!over.signal.aborted) {
    await sleep(POLL_EVERY_MS, AbortSignal.any([work.signal, over.signal])).catch(() => undefined);
    if (over.signal.aborted) break;
    if (work.signal.aborted && afterwards === 'left') work.throwIfInterrupted();
    if (work.signal.aborted) await killOwnOperations(work);
    else work.say((await sample().catch(() => null)) ?? 'copying');
  }
  // After Ctrl-C it is we who ended it. Otherwise its own error says more than a lease that ran out
  // while the server was silent.
  if (work.signal.aborted) work.throwIfInterrupted();
  const done = await settled;
  work.throwIfInterrupted();
  return done;
}

module.exports = { withProgress };
