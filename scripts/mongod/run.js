'use strict';

const { spawn } = require('node:child_process');

/**
 * @typedef {{
 *   code: number | null, stdout: string, stderr: string, stopped: string | null,
 *   failed: string | null
 * }} Outcome
 *   `failed` is null after exit code 0, else one line that says why; `stopped` is that line when it
 *   was ended from here
 */

/**
 * Runs a program to its end; never rejects and never outlives its time.
 * @param {string} file
 * @param {string[]} args
 * @param {{
 *   env?: NodeJS.ProcessEnv, cwd?: string, timeoutMs?: number, everyMs?: number,
 *   onTick?: (stop: (why: string) => void, stdout: string) => void
 * }} [options]
 *   `onTick` is called every `everyMs` while the program runs, and may stop it
 * @returns {Promise<Outcome>}
 */
function run(
  file,
  args,
  { env = process.env, cwd, timeoutMs = 60_000, everyMs = 1000, onTick } = {},
) {
  return new Promise((resolve) => {
    const out = { stdout: '', stderr: '' };
    /** @type {string | null} */
    let stopped = null;
    const child = spawn(file, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    /** @param {string} why */
    const stop = (why) => {
      stopped ??= why;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => stop(`no end after ${timeoutMs / 1000} s`), timeoutMs);
    const ticker = setInterval(() => onTick?.(stop, out.stdout), everyMs);
    /** @param {number | null} code @param {string | null} failed */
    const finish = (code, failed) => {
      clearTimeout(timer);
      clearInterval(ticker);
      resolve({ code, ...out, stopped, failed: stopped ?? failed });
    };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      out.stderr += text;
    });
    child.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      finish(null, error.code === 'ENOENT' ? 'not found' : error.message),
    );
    child.on('close', (code, signal) =>
      finish(
        code,
        code === 0 ? null : lastLine(out.stderr) || `ended with ${signal ?? `exit code ${code}`}`,
      ),
    );
  });
}

/**
 * The last line that says something: what most programs print about their failure.
 * @param {string} text
 */
function lastLine(text) {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}

module.exports = { run };
