'use strict';

const { spawn, spawnSync } = require('node:child_process');
const os = require('node:os');
const path = require('node:path');
const { endWithProcess } = require('./cleanup');
const { drawScreen, plainText } = require('./screen');

const HELPER = path.join(__dirname, 'terminal.py');
const DEFAULT_WAIT_MS = 20_000;
const END_WAIT_MS = 10_000;

/**
 * @typedef {object} Terminal
 * @property {(text: string) => void} write keys as they are typed; '\r' is Enter, '\t' TAB, '\x03'
 *   Ctrl-C
 * @property {(line: string) => void} type a line and Enter
 * @property {(pattern: RegExp, ms?: number) => Promise<RegExpExecArray>} waitFor the next match in
 *   `output`; each call looks after the match of the call before
 * @property {() => string} screen what a person would see now, line by line
 * @property {string} output everything printed so far, without colours and cursor movements
 * @property {string} raw everything printed so far, byte for byte
 * @property {(name: NodeJS.Signals) => void} signal sends a signal to the program
 * @property {(columns: number, rows: number) => Promise<void>} resize settles when the terminal has
 *   the size; the program then gets SIGWINCH
 * @property {Promise<number>} ended the exit code; negative is the number of a signal
 * @property {() => Promise<number>} close ends the program if it has not ended, and answers `ended`
 */

/**
 * Starts a program on a pseudo terminal. Node has none without a compiled module, Python 3 has.
 * @param {string[]} command
 * @param {{
 *   env: NodeJS.ProcessEnv, cwd?: string, columns?: number, rows?: number, onEnd?: () => void
 * }} options
 * @returns {Promise<Terminal>}
 */
async function openTerminal(command, { env, cwd, columns = 100, rows = 30, onEnd }) {
  const child = spawn('python3', [HELPER], { cwd, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
  const forget = endWithProcess(() => child.stdin.destroy());
  const state = { raw: '', reported: '', size: [columns, rows], read: 0 };
  const waiting = new Set();
  child.stdout.setEncoding('utf8').on('data', (text) => {
    state.raw += text;
    for (const sample of waiting) sample();
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    state.reported += text;
  });
  for (const stream of [child.stdin, child.stdio[3]]) stream.on('error', () => {});
  const ended = new Promise((resolve) => {
    const finish = () => {
      forget();
      onEnd?.();
      for (const sample of waiting) sample(true);
      const code = /"exit": (-?\d+)/.exec(state.reported)?.[1];
      resolve(code === undefined ? -os.constants.signals.SIGKILL : Number(code));
    };
    child.on('error', (error) => {
      state.reported += error.message;
      finish();
    });
    child.on('close', finish);
  });
  const order = (what) => child.stdio[3].write(`${JSON.stringify(what)}\n`);
  // COLUMNS and LINES would be believed instead of the terminal's size.
  order({ command, env: { ...env, COLUMNS: undefined, LINES: undefined }, size: state.size });
  const screen = () => drawScreen(state.raw, ...state.size);

  function waitFor(pattern, ms = DEFAULT_WAIT_MS) {
    return new Promise((resolve, reject) => {
      const finish = (settle, value) => {
        clearTimeout(timer);
        waiting.delete(sample);
        settle(value);
      };
      const fail = (why) =>
        finish(
          reject,
          new Error(
            `${why} before ${pattern} was printed. On the screen:\n${screen()}\n${state.reported}`,
          ),
        );
      const sample = (over = false) => {
        const text = plainText(state.raw);
        const match = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).exec(
          text.slice(state.read),
        );
        if (match) {
          state.read += match.index + match[0].length;
          finish(resolve, match);
        } else if (over) fail('The program ended');
      };
      const timer = setTimeout(() => fail(`${ms} ms went by`), ms);
      waiting.add(sample);
      sample(child.exitCode !== null);
    });
  }

  return {
    write: (text) => child.stdin.write(text),
    type: (line) => child.stdin.write(`${line}\r`),
    waitFor,
    screen,
    get output() {
      return plainText(state.raw);
    },
    get raw() {
      return state.raw;
    },
    signal: (name) => order({ signal: os.constants.signals[name] }),
    async resize(newColumns, newRows) {
      state.size = [newColumns, newRows];
      const done = new Promise((resolve) =>
        child.stderr.on('data', () => {
          if (state.reported.includes(`{"resized": [${newColumns}, ${newRows}]}`)) resolve();
        }),
      );
      order({ resize: state.size });
      await Promise.race([done, ended]);
    },
    ended,
    async close() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), END_WAIT_MS);
      return ended.finally(() => clearTimeout(timer));
    },
  };
}

/** Why there can be no terminal here, or null. */
function whyNoTerminal() {
  const { status, error } = spawnSync('python3', ['-c', 'import pty, fcntl, termios'], {
    encoding: 'utf8',
  });
  if (status === 0) return null;
  return `a terminal needs Python 3 (${error ? error.code : 'its module pty cannot be loaded'})`;
}

module.exports = { openTerminal, whyNoTerminal };
