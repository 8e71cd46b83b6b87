'use strict';

const { setMaxListeners } = require('node:events');

/** So long levels may hold up a way back after Ctrl-C; what is left is set at once then. */
const INTERRUPTED_WAIT_MS = 20_000;

/** What Ctrl-C does to a way back: it ends none, but it ends the waiting in it. */
class InterruptedWait {
  /** Not by a clock. */
  endsAtMs = Infinity;

  /** @param {AbortSignal} signal */
  hear(signal) {
    const hear = () => (this.endsAtMs = performance.now() + INTERRUPTED_WAIT_MS);
    // A search makes many trials under one signal: no leak, of which Node would warn.
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
