'use strict';

/** What was seen until Ctrl-C is handed over in this time; the shell waits a little longer. */
const GRACE_MS = 250;

/**
 * Bounds what is done with one server.
 * @param {AbortSignal} outer of the user @param {number} ms
 * @returns {{ signal: AbortSignal, over: Promise<'late' | 'interrupted'>, end(): void }} `signal`: aborted by either; `over`: resolves when nothing more
 *   is waited for; `end`: there is nothing to bound any more
 */
function limitOf(outer, ms) {
  const own = new AbortController();
  /** @type {(why: 'late' | 'interrupted') => void} */
  let finish = () => {};
  /** @type {Promise<'late' | 'interrupted'>} */
  const over = new Promise((resolve) => { finish = resolve; });
  const timers = [setTimeout(() => { own.abort(); finish('late'); }, ms)];
  const onAbort = () => {
    own.abort();
    timers.push(setTimeout(finish, GRACE_MS, 'interrupted'));
  };
  if (outer.aborted) onAbort();
  else outer.addEventListener('abort', onAbort, { once: true });
  return {
    signal: own.signal, over,
    end() {
      timers.forEach((timer) => clearTimeout(timer));
      outer.removeEventListener('abort', onAbort);
    },
  };
}

module.exports = { limitOf };
