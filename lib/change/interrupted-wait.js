'use strict';

const { setMaxListeners } = require('node:events');

/**
 * Milliseconds for which levels may delay a rollback after Ctrl-C; the rest is set at once then.
 */
const INTERRUPTED_WAIT_MS = 20_000;

/** The effect of Ctrl-C on a rollback: it does not end the rollback, but the waiting in it. */
class InterruptedWait {
  /** A time of performance.now(), not of a clock. */
  endsAtMs = Infinity;

  /** @param {AbortSignal} signal */
  hear(signal) {
    const hear = () => (this.endsAtMs = performance.now() + INTERRUPTED_WAIT_MS);
    // A search makes many trials under one signal: this is no leak, of which Node.js would warn.
    setMaxListeners(0, signal);
    if (signal.aborted) hear();
    else signal.addEventListener('abort', hear, { once: true });
  }

  get isEnding() {
    return this.endsAtMs < Infinity;
  }

  get isOver() {
    return performance.now() >= this.endsAtMs;
  }
}

module.exports = { InterruptedWait };
