'use strict';

const { TuneError } = require('../base/pure/errors');
const { isOn, optionsFrom } = require('../base/environment');
const { number, flag, text } = require('../base/pure/options');
const { shellEnvironment } = require('./install');
const { interruptible } = require('./interrupt');
const { findState, whyNot } = require('./mongosh');
const { listCommands } = require('./registry');
const { awaited, makeTune } = require('./tune');
const { connectScript } = require('./uri-connection');

/**
 * @import { Job } from './interrupt'
 * @import { Script, State } from './types'
 */

/**
 * Runs a script of the runbook.
 * @typedef {{ code: number, out: string, err: string }} End
 */

/** The options of every script: a connection string for --nodb, or the file that holds it. */
const COMMON = Object.freeze({
  uri: text(),
  uriFile: text(),
  json: flag(),
  timeoutSeconds: number({ min: 1, max: 86_400 }),
});
/** The exit code of Nagios for an unknown state. */
const UNKNOWN = 3;
/**
 * Abandoned work may still end in order within this time; then the shell closes its connections.
 */
const SETTLE_MS = 500;

/**
 * Runs a script of the runbook in mongosh --file: it reads options from the environment, writes one
 * answer to stdout and all else to stderr, has a time limit and an exit code, and lets nothing run
 * after it.
 * @param {any} globalObject the global object of mongosh
 * @param {Script} script
 * @returns {Promise<never>} the shell awaits it, and it never settles
 */
const runScript = (globalObject, script) => awaited(runToEnd(globalObject, script));

/**
 * Writes the answer, and ends the shell.
 * @param {any} globalObject
 * @param {Script} script
 * @returns {Promise<never>}
 */
async function runToEnd(globalObject, script) {
  const state = findState(globalObject);
  const { code, out, err } = state
    ? await endOf(globalObject, state, script)
    : {
        code: UNKNOWN,
        out: '',
        err: `Run it in mongosh: mongosh "$URI" --quiet --file ${script.name}.js\n`,
      };
  await write(process.stderr, err);
  await write(process.stdout, out);
  if (state) await globalObject.quit(code);
  else process.exitCode = code;
  return new Promise(() => {});
}

/**
 * Finds the output and the exit code of a script.
 * @param {any} globalObject
 * @param {State} state
 * @param {Script} script
 * @returns {Promise<End>}
 */
async function endOf(globalObject, state, script) {
  // This option is read before the rest of the environment, whose errors are then printed as JSON,
  // too.
  let isJson = isOn(process.env.TUNE_JSON);
  try {
    const why = whyNot(state);
    if (why !== null)
      throw new TuneError('TUNE-40009', `${script.name}.js cannot run here: ${why}.`);
    const {
      uri,
      uriFile,
      json = false,
      timeoutSeconds,
      ...options
    } = optionsFrom(`${script.name}.js`, { ...COMMON, ...script.options }, process.env);
    isJson = Boolean(json);
    if (isJson && options.ndjson)
      throw new TuneError(
        'TUNE-10002',
        `${script.name}.js: TUNE_JSON and TUNE_NDJSON are two forms of the answer: give one ` +
          'of them.',
        { allowed: ['TUNE_JSON', 'TUNE_NDJSON'] },
      );
    const answer = await inTime(limitOf(script, options, timeoutSeconds), async (signal) => {
      await connectScript(globalObject, state, { uri, uriFile, needed: script.needsServer });
      return /** @type {any} */ (
        script.run(
          makeTune(listCommands(), {
            ...shellEnvironment(state),
            guard: (job) => guarded(state, job, signal),
          }),
          options,
        )
      );
    });
    return {
      code: answer.exitCode ?? 0,
      out: isJson ? jsonOf(answer) : line((script.text ?? String)(answer)),
      err: '',
    };
  } catch (error) {
    return inability(script, /** @type {Error} */ (error), isJson);
  }
}

/**
 * Lets a job that normally ends by Ctrl-C return what it has; all others just end.
 * @param {State} state
 * @param {Job} job
 * @param {AbortSignal} limit
 */
const guarded = (state, job, limit) =>
  job.goesOn
    ? interruptible(state, process.stdout, {
        ...job,
        run: (signal) => job.run(AbortSignal.any([signal, limit])),
      })
    : job.run(limit);

/**
 * Computes when a script gives up.
 * @param {Script} script
 * @param {any} options
 * @param {any} timeoutSeconds
 * @returns {number} seconds
 * @throws {TuneError} TUNE-10002
 */
function limitOf(script, { seconds = script.seconds }, timeoutSeconds) {
  if (timeoutSeconds !== undefined && timeoutSeconds <= seconds) {
    throw new TuneError(
      'TUNE-10002',
      `${script.name}.js: TUNE_TIMEOUT_SECONDS must be more than the ${seconds} s that it looks, not ` +
        `${timeoutSeconds}.`,
      { value: timeoutSeconds, allowed: `more than ${seconds}` },
    );
  }
  return timeoutSeconds ?? seconds + script.patienceSeconds;
}

/**
 * Runs work with a time limit.
 * @template T
 * @param {number} seconds
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>} rejects with TUNE-20012
 */
async function inTime(seconds, work) {
  const limit = new AbortController();
  const working = work(limit.signal);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, seconds * 1000, LATE);
  });
  const first = await Promise.race([working, late]).finally(() => clearTimeout(timer));
  if (first !== LATE) return /** @type {T} */ (first);
  limit.abort();
  await Promise.race([
    working.catch(() => {}),
    new Promise((resolve) => {
      setTimeout(resolve, SETTLE_MS);
    }),
  ]);
  throw new TuneError('TUNE-20012', `There was no answer within ${seconds} s.`, { value: seconds });
}

const LATE = Symbol('late');

/**
 * The JSON of a script that has no answer.
 * @typedef {{
 *   status: 'unknown', exitCode: 3,
 *   error: { name: string, code: string | number | null, message: string }
 * }} ScriptError `exitCode`: as the shell ends; `error.code`: such as TUNE-20001, or the code of
 *   the server or of Node.js; null: it has none
 */

/**
 * Makes the output of a script that has no answer.
 * @param {Script} script
 * @param {Error & { code?: string | number, codeName?: unknown }} error
 * @param {boolean} isJson
 * @returns {End}
 */
function inability({ unable }, error, isJson) {
  const { name, code = null, message } = error;
  const reported = unable?.(error) ?? '';
  /** @type {ScriptError} */
  const answer = { status: 'unknown', exitCode: UNKNOWN, error: { name, code, message } };
  const out = isJson ? jsonOf(answer) : line(reported);
  return { code: UNKNOWN, out, err: out !== '' && !isJson ? '' : `${message}\n` };
}

/** @param {string} text */
const line = (text) => (text === '' ? '' : `${text.trimEnd()}\n`);

/** @param {unknown} answer */
const jsonOf = (answer) => `${JSON.stringify(answer, null, 2)}\n`;

/**
 * Writes, also into a pipe that is no longer read.
 * @param {NodeJS.WriteStream} stream
 * @param {string} what
 * @returns {Promise<void>}
 */
const write = (stream, what) =>
  new Promise((resolve) => {
    if (what === '') return resolve();
    stream.once('error', () => resolve());
    stream.write(what, () => resolve());
  });

module.exports = { runScript, COMMON };
