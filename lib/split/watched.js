'use strict';

const { sleep } = require('../base/context');
const { killOurs } = require('./left-running');

/** @typedef {import('./work').Work} Work */

const LOOK_EVERY_MS = 2_000;

/**
 * Shows how far a long command is, and ends it after Ctrl-C; or leaves it to itself, where the
 * server goes on with it and whoever does it again only waits.
 * @template T
 * @param {Work} work
 * @param {Promise<T>} command
 * @param {() => Promise<string | null>} look
 * @param {'ended' | 'left'} [afterwards]
 * @returns {Promise<T>}
 */
async function watched(work, command, look, afterwards = 'ended') {
  const over = new AbortController();
  const settled = command.finally(() => over.abort());
  settled.catch(() => undefined);
  while (!over.signal.aborted) {
    await sleep(LOOK_EVERY_MS, AbortSignal.any([work.signal, over.signal])).catch(() => undefined);
    if (over.signal.aborted) break;
    if (work.signal.aborted && afterwards === 'left') work.safePoint();
    if (work.signal.aborted) await killOurs(work);
    else work.say((await look().catch(() => null)) ?? 'copying');
  }
  // After Ctrl-C it is we who ended it. Otherwise its own error says more than a lease that ran out
  // while the server was silent.
  if (work.signal.aborted) work.safePoint();
  const done = await settled;
  work.safePoint();
  return done;
}

module.exports = { watched };
