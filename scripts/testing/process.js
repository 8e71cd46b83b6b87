'use strict';

const { spawn } = require('node:child_process');

/**
 * @import { ChildProcess } from 'node:child_process'
 */

/** @typedef {{ code: number | null, output: string, killed: string | null }} Ended */

// What a mocha needs to end its servers after SIGTERM.
const GRACE_MS = 10_000;

/** @type {Set<ChildProcess>} */
const running = new Set();

/**
 * Runs a Node program and keeps what it prints.
 * @param {string[]} args
 * @param {{
 *   cwd: string, env?: NodeJS.ProcessEnv, limitMs: number, node?: string, everyMs?: number,
 *   onTick?: () => string | null
 * }} options
 *   `node`: another Node.js than this one; `onTick` may answer why the program must be ended
 * @returns {Promise<Ended>}
 */
function runNode(
  args,
  { cwd, env = process.env, limitMs, node = process.execPath, everyMs = 1000, onTick = () => null },
) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    running.add(child);
    const started = Date.now();
    let output = '';
    /** @type {string | null} */
    let killed = null;
    const timer = setInterval(() => {
      if (killed !== null) return;
      killed =
        onTick() ??
        (Date.now() - started > limitMs
          ? `did not end within ${Math.round(limitMs / 1000)} s`
          : null);
      if (killed !== null) end(child);
    }, everyMs);
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.on('error', reject);
    child.on('close', (code) => {
      clearInterval(timer);
      running.delete(child);
      resolve({ code, output: output.trim(), killed });
    });
  });
}

/** @param {ChildProcess} child */
function end(child) {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref();
}

/** Passes the end on to everything that runs, and then ends itself. */
function endWithChildren() {
  for (const [signal, number] of /** @type {const} */ ([
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ])) {
    process.once(signal, async () => {
      const children = [...running];
      const gone = children.map((child) => new Promise((resolve) => child.once('close', resolve)));
      children.forEach(end);
      await Promise.all(gone);
      process.exit(128 + number);
    });
  }
}

module.exports = { runNode, endWithChildren };
