'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { endWithProcess } = require('./cleanup');
const { makeHome } = require('./home');
const { openTerminal } = require('./terminal');

/**
 * @import { Terminal } from './terminal'
 * @import { ChildProcess } from 'node:child_process'
 */

// Another mongosh than the one in node_modules, for trying the releases we support.
const MONGOSH = fs.realpathSync(
  process.env.TUNE_MONGOSH || path.join(__dirname, '../../node_modules/.bin/mongosh'),
);
// And the Node.js it runs on: a mongosh that is installed as a program brings its own.
const NODE = process.env.TUNE_MONGOSH_NODE || process.execPath;
const COVERAGE_HOOK = path.join(__dirname, 'coverage-hook.js');
const RUN_TIMEOUT_MS = 60_000;

/**
 * @typedef {{
 *   home?: string, config?: Record<string, unknown>, rc?: string, env?: NodeJS.ProcessEnv,
 *   cwd?: string, coverage?: boolean
 * }} Place
 *   `home`: one made by makeHome() that several calls share; without it each call has a new one,
 *   with `config` and `rc`.
 *   `coverage: false` for what is timed: watching which lines run costs mongosh some 150 ms at its
 *   start
 */

/**
 * Runs mongosh to its end, without a terminal.
 * @param {string[]} args
 * @param {Place & { input?: string, timeout?: number, onStart?: (child:
 *   ChildProcess) => void }} [options]
 *   `input` is all of stdin (none: stdin is at its end); after `timeout` milliseconds it is killed
 *   and the call fails; `onStart` gets the child, to signal it
 * @returns {Promise<{ code: number | null, signal: string | null, stdout: string, stderr: string
 *   }>}
 */
async function runMongosh(args, { input = '', timeout = RUN_TIMEOUT_MS, onStart, ...place } = {}) {
  const { command, env, cwd, leave } = settle(place);
  const child = spawn(command[0], [...command.slice(1), ...args], {
    env,
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const forget = endWithProcess(() => child.kill('SIGKILL'));
  const out = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    out.stderr += text;
  });
  // A shell that ends without reading its input is no fault of the test.
  child.stdin.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
  });
  child.stdin.end(input);
  onStart?.(child);
  const end = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(
        new Error(
          `mongosh ${args.join(' ')} did not end within ${timeout} ` +
            `ms.\nstdout:\n${out.stdout}\nstderr:\n${out.stderr}`,
        ),
      );
    }, timeout);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal });
    });
  }).finally(() => {
    forget();
    leave();
  });
  return { ...end, ...out };
}

/**
 * Starts mongosh on a terminal of its own, as a person has it.
 * @param {string[]} args
 * @param {Place & { columns?: number, rows?: number }} [options]
 * @returns {Promise<Terminal>}
 */
async function startMongosh(args, { columns, rows, ...place } = {}) {
  const { command, env, cwd, leave } = settle(place);
  return openTerminal([...command, ...args], { env, cwd, columns, rows, onEnd: leave });
}

/** @param {Place} place */
function settle({ home, config, rc, env = {}, cwd = os.tmpdir(), coverage = true }) {
  const own = home === undefined ? makeHome({ config, rc }) : undefined;
  const folder = coverage ? process.env.NODE_V8_COVERAGE : undefined;
  return {
    command: [NODE, ...(folder ? ['--require', COVERAGE_HOOK] : []), MONGOSH],
    env: {
      ...inheritedEnv(),
      HOME: home ?? own.path,
      TERM: 'xterm-256color',
      ...(folder && { TUNE_COVERAGE_FOLDER: folder }),
      ...env,
    },
    cwd,
    leave: () => own?.remove(),
  };
}

/**
 * Without what npm, mocha, c8, a build server or the terminal around us set: it would change how
 * mongosh starts and prints.
 * @returns {NodeJS.ProcessEnv}
 */
function inheritedEnv() {
  const foreign =
    /^(npm_|MONGOMS_|TUNE_|TERM_PROGRAM|(CI|TF_BUILD|TEAMCITY_VERSION|COLORTERM|TMUX|FORCE_COLOR|NO_COLOR|NODE_DISABLE_COLORS|NODE_OPTIONS|NODE_V8_COVERAGE)$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}

module.exports = { runMongosh, startMongosh, makeHome, MONGOSH, NODE };
