'use strict';

/**
 * @import { State } from './types'
 */

/**
 * Runs a command so that Ctrl-C can interrupt it. mongosh calls its interrupt handlers one after
 * the other and waits for them, then closes all connections and opens new ones; with --eval it
 * exits at once. So mongosh is delayed until the command has stopped.
 */

const { inspect } = require('node:util');

/**
 * A command that only reads has this long to return what it saw: the prompt must be back within a
 * second.
 */
const STOP_MS = 600;
/**
 * A command that changes the server may have to wait for a checkpoint before it can record the
 * result of its change. A way back on seven members may take two minutes each (heuristic).
 */
const FINISH_MS = 900_000;
/** A longer wait is announced. */
const PATIENCE_MS = 1_000;
/**
 * A command that may send nothing more reports within this time what it leaves behind; measured: 1
 * s.
 */
const LAST_WORDS_MS = 1_500;
const HINT =
  '\nFinishing what was sent to the server, and reverting what must not stay. ' +
  'Ctrl-C again stops that, too.';
/** The exit code of an interrupted script, as in mongosh 2.3 and later. */
const INTERRUPTED = 1;
/** mongosh sets the prompt right after it has reported that the interrupt is complete. */
const PROMPT_SET_MS = 100;

/** @typedef {import('./terminal').Stream & Pick<NodeJS.EventEmitter, 'emit'>} Stream */
/** @typedef {{ value?: unknown, error?: unknown, gaveUp?: true }} Outcome */
/**
 * @typedef {{
 *   run(signal: AbortSignal): Promise<unknown>, giveUp(): void, changes: boolean, shownBy: string,
 *   goesOn: boolean
 * }} Job `giveUp`: after this call it may send nothing; `changes`: it may be changing the server;
 *   `shownBy`: the call that shows the result of that; `goesOn`: Ctrl-C is its ordinary end, so its
 *   value goes into the line that was typed, as in `const w = tune.watch()`
 *   typed, as in `const w = tune.watch()`
 */

/**
 * Runs a job that Ctrl-C can interrupt.
 * @param {State} state @param {Stream} stdout @param {Job} job
 * @returns {Promise<unknown>} rejects as mongosh's own functions do when it was interrupted
 */
function interruptible(state, stdout, job) {
  const abort = new AbortController();
  return new Promise((resolve, reject) => {
    // A line that would continue after Ctrl-C ends here.
    state.interrupted.checkpoint();
    /** @type {Promise<unknown>} */
    let work;
    const start = () => (work = job.run(abort.signal));
    const stop = async () => {
      abort.abort();
      const stopping = settle(work, stdout, job);
      if (!state.isInteractive) holdExit(state, stopping);
      const outcome = await stopping;
      const passOn = job.goesOn && 'value' in outcome && state.isInteractive;
      stdout.write(`\n${lastWords(state, stdout, job, outcome)}`);
      if (runsOn(state)) await state.evaluationListener?.onExit?.(INTERRUPTED);
      // The flag is still set: the next mongosh function or tune command that the line calls ends
      // there.
      if (passOn) resolve(outcome.value);
      if (passOn) redrawPrompt(state, stdout);
    };
    state.interrupted.withOverrideInterruptBehavior(start, stop).then(resolve, (error) => {
      if (!state.interrupted.isSet()) return reject(error);
      // The prompt returns by itself, when there is a connection again; a rejection now would bring
      // it too early, and swallow the next line. In a script a rejection ends no more than this
      // --eval, and the next one runs: there the promise never settles.
      if (state.isInteractive) afterInterrupt(state, () => reject(error));
    });
  });
}

/**
 * Waits for the interrupted work, for a limited time. A second Ctrl-C cuts off the way back of a
 * change, so it counts only after the user was warned of that.
 * @param {Promise<unknown>} work
 * @param {Stream} stdout
 * @param {Job} job
 * @returns {Promise<Outcome>}
 */
async function settle(work, stdout, { changes, giveUp }) {
  const ended = work.then(
    (value) => ({ value }),
    (error) => ({ error }),
  );
  const waiting = impatience(stdout, changes);
  /** @type {Outcome} */
  const outcome = await Promise.race([waiting.over, ended]);
  if (outcome.gaveUp) giveUp();
  // No one else listens to Ctrl-C now: one more would end the shell before the last words.
  const last =
    outcome.gaveUp && changes
      ? await Promise.race([ended, later(LAST_WORDS_MS, outcome)])
      : outcome;
  waiting.end();
  return last;
}

/**
 * Ends the wait for a command: at a limit, or when the user wants it.
 * @param {Stream} stdout @param {boolean} changes
 * @returns {{ over: Promise<Outcome>, end(): void }}
 */
function impatience(stdout, changes) {
  /** @type {() => void} */
  let stopWaiting = () => {};
  /** @type {Promise<Outcome>} */
  const over = new Promise((resolve) => {
    stopWaiting = () => resolve({ gaveUp: true });
  });
  let isSaid = !changes;
  const hint = () => {
    if (!isSaid) stdout.write(HINT);
    isSaid = true;
  };
  const again = () => (isSaid ? stopWaiting() : hint());
  const limit = setTimeout(stopWaiting, changes ? FINISH_MS : STOP_MS);
  const patience = setTimeout(hint, PATIENCE_MS);
  process.on('SIGINT', again);
  return {
    over,
    end() {
      clearTimeout(limit);
      clearTimeout(patience);
      process.removeListener('SIGINT', again);
    },
  };
}

/** @template T @param {number} ms @param {T} value @returns {Promise<T>} */
const later = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));

/**
 * Reports the result of a command whose answer mongosh drops.
 * @param {State} state
 * @param {Stream} stdout
 * @param {Job} job
 * @param {Outcome} outcome
 */
function lastWords(state, stdout, { changes, shownBy }, { value, error, gaveUp }) {
  if (gaveUp)
    return changes
      ? `tune: the server has not answered yet; ${shownBy} shows what became of it.\n`
      : '';
  if (error !== undefined) return changes ? `${/** @type {Error} */ (error).message}\n` : '';
  // With --json all of stdout is one document.
  if (value === undefined || state.cliOptions.json) return '';
  const colors = Boolean(stdout.isTTY && /** @type {any} */ (stdout).hasColors?.());
  // A script ends here, so that tune.last cannot be read.
  return `${inspect(value, { colors, depth: null })}\n${state.isInteractive ? 'It is kept as tune.last.\n' : ''}`;
}

/**
 * Delays the exit of a script until the command has stopped. In a script mongosh does not wait for
 * its interrupt handlers. It waits for the closing of its connections (the newest), for that of the
 * whole program (2.5.10), or for nothing at all (2.3.9): so all ways to the end are delayed.
 * @param {State} state
 * @param {Promise<unknown>} stopping
 */
function holdExit(state, stopping) {
  for (const closing of [state, state.evaluationListener?.ioProvider]) {
    const close = closing?.close;
    if (closing && close)
      closing.close = async () => {
        await stopping;
        return close.call(closing);
      };
  }
  // mongosh itself exits; this only prevents that it does so too early.
  /* eslint-disable no-restricted-properties */
  const { exit } = process;
  process.exit = /** @type {typeof exit} */ (
    (code) => {
      stopping.then(() => exit.call(process, code));
    }
  );
  stopping.then(() => {
    process.exit = exit;
  });
  /* eslint-enable no-restricted-properties */
}

/**
 * Whether mongosh would run the next --eval. Versions 2.0 to 2.2 run scripts in a hidden prompt:
 * there Ctrl-C ends one --eval, the next one runs, and the exit code is 0.
 * @param {State} state
 */
function runsOn({ isInteractive, evaluationListener }) {
  return !isInteractive && Boolean(evaluationListener?.runtimeState?.()?.repl);
}

/**
 * Draws the prompt again: mongosh drew it between two connections, without the name of the
 * database.
 * @param {State} state
 * @param {Stream} stdout
 */
function redrawPrompt(state, stdout) {
  if (stdout.isTTY) afterInterrupt(state, () => stdout.emit('resize'));
}

/** Calls `then` when mongosh has its prompt back. @param {State} state @param {() => void} then */
function afterInterrupt({ messageBus }, then) {
  messageBus.once('mongosh:interrupt-complete', () => setTimeout(then, PROMPT_SET_MS));
}

module.exports = { interruptible };
