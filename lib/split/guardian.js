'use strict';

const { fork } = require('node:child_process');
const { checkDriver } = require('../base/driver');
const { programOf } = require('../base/own-files');
const { TuneError } = require('../base/pure/errors');
const { withoutSecrets } = require('../base/server-errors');

/**
 * @import { Context } from './split-command'
 */

/**
 * Starts the process that continues where this shell dies (guardian.js), before the cut.
 * @typedef {{
 *   watch(id: string, owner: string, undoes?: boolean): void, forget(id: string): void,
 *   handOver(id: string): boolean, isAvailable(): boolean, end(): void
 * }} Guardian `undoes`: it goes on only once the abort is written down; `handOver`: it goes on now,
 *   in place of this shell; false: it has died;
 *   `isAvailable`: it runs, and has not taken over; `end`: unless it is at work
 */

const MAIN = 'lib/shell/guardian.js';
/**
 * A compiled mongosh is no Node.js, but acts as one for its package manager when this variable is
 * set.
 */
const AS_NODE = Object.freeze({ MONGOSH_RUN_NODE_SCRIPT: '1' });
/** Milliseconds for the start and the connection of the guardian; heuristic. */
const START_MS = 10_000;
const BEAT_EVERY_MS = 500;

/**
 * @param {Context} ctx
 * @returns {Promise<Guardian>}
 * @throws {TuneError} TUNE-35019, TUNE-40011
 */
async function startGuardian(ctx) {
  checkDriver('A guardian, the second process that continues if this shell dies,');
  try {
    return await start(await ctx.connection());
  } catch (error) {
    const why = withoutSecrets(/** @type {Error} */ (error).message);
    throw new TuneError(
      'TUNE-35019',
      'The guardian, the second process that continues if this shell dies, cannot be ' +
        `started (${why}). Nothing was changed.`,
      { value: why, cause: error },
    );
  }
}

/** @param {{ uri: string, options: Record<string, unknown> }} where @returns {Promise<Guardian>} */
async function start(where) {
  const { main, env } = programOf(MAIN);
  const child = fork(main, [], {
    env: { ...process.env, ...AS_NODE, ...env, MONGOSH_TUNE_GUARDIAN: '1' },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  });
  const notify = (/** @type {object} */ message) => {
    if (child.connected) child.send(message, () => undefined);
  };
  const state = { isTakingOver: false };
  /** @type {NodeJS.Timeout | undefined} */ let late;
  try {
    await new Promise((resolve, reject) => {
      late = setTimeout(
        () => reject(new Error(`it was not ready within ${START_MS / 1000} s`)),
        START_MS,
      );
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`it ended with ${signal ?? code}`)));
      child.on('message', (/** @type {any} */ { ready, failed, takingOver }) => {
        state.isTakingOver ||= Boolean(takingOver);
        if (ready) resolve(undefined);
        if (failed) reject(new Error(failed));
      });
      notify({ connect: where });
    });
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(late);
  }
  const beat = setInterval(() => notify({ beat: true }), BEAT_EVERY_MS);
  beat.unref();
  // This shell may end at any time.
  child.unref();
  child.channel?.unref();
  return {
    watch: (id, owner, undoes = false) => notify({ watch: { id, owner, undoes } }),
    forget: (id) => notify({ forget: id }),
    handOver(id) {
      notify({ handOver: id });
      // It ends only once it has done its work, and watches no other split meanwhile.
      state.isTakingOver ||= child.connected;
      return child.connected;
    },
    isAvailable: () => child.connected && !state.isTakingOver,
    end() {
      clearInterval(beat);
      notify({ over: true });
    },
  };
}

module.exports = { startGuardian };
