'use strict';

const { interrupted } = require('./context');
const { TuneError } = require('./pure/errors');

/** After Ctrl-C, what was seen is handed over in this time; the shell waits for 600 ms. */
const HANDOVER_MS = 400;

/**
 * Bounds what is done with one server.
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} work its signal, of its own, is aborted by Ctrl-C
 *   and when the time is over: dozens at once listen for that, and
 *   Node.js warns of more than ten on one
 * @param {number} limitMs
 * @param {AbortSignal} interrupt of the user
 * @param {(limitMs: number) => Error} [late] what it rejects with when the time is over: TUNE-20006
 * @returns {Promise<T>} rejects with TUNE-30009 when Ctrl-C has come and `work` hands nothing over
 */
async function withTimeout(work, limitMs, interrupt, late = unanswered) {
  const outerSignal = AbortSignal.any([interrupt]);
  const own = new AbortController();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  /** @type {() => void} */
  let stop = () => {};
  const over = new Promise((_, reject) => {
    const end = (/** @type {Error} */ error) => {
      own.abort();
      reject(error);
    };
    timer = setTimeout(() => end(late(limitMs)), limitMs);
    stop = () => {
      clearTimeout(timer);
      own.abort();
      timer = setTimeout(() => end(interrupted()), HANDOVER_MS);
    };
    if (outerSignal.aborted) stop();
    else outerSignal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work(own.signal), /** @type {Promise<never>} */ (over)]);
  } finally {
    clearTimeout(timer);
    outerSignal.removeEventListener('abort', stop);
  }
}

/** @param {number} limitMs */
const unanswered = (limitMs) =>
  new TuneError('TUNE-20006', `It did not answer within ${(limitMs / 1000).toFixed(0)} s.`);

module.exports = { withTimeout };
