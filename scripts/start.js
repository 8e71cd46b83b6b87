'use strict';

const path = require('node:path');
const { spawn } = require('node:child_process');
const { LINES } = require('./demo/lines');

/**
 * npm start: the main job on a server of our own; `npm start -- mongodb://…` opens the user's
 * server with tune loaded.
 */

const ROOT = path.join(__dirname, '..');
const MONGOSH = path.join(ROOT, 'node_modules', '.bin', 'mongosh');
const LOAD_TUNE = `load(${JSON.stringify(path.join(ROOT, 'index.js'))})`;
const say = (/** @type {string} */ line) => console.log(`[tune] ${line}`);

/**
 * @param {string[]} args @param {NodeJS.ProcessEnv} [env]
 * @returns {{ ended: Promise<number>, stop(): Promise<void> }} `ended`: exit code of the shell
 */
function shell(args, env = {}) {
  const child = spawn(process.execPath, [require.resolve(MONGOSH), ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const ended = new Promise((/** @type {(code: number) => void} */ resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
  return {
    ended,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** @param {string[]} args of the user: a connection string and options of mongosh */
function openServer(args) {
  process.on('SIGINT', () => {}); // the shell shares the terminal and answers it
  return shell([...args, '--quiet', '--eval', LOAD_TUNE, '--shell']).ended;
}

/** @param {boolean} atTerminal */
async function demonstrate(atTerminal) {
  const { startDemoServer, startLoad } = require('./demo/server');
  /** @type {{ stop(): Promise<void> }[]} */
  const started = [];
  const cleanUp = async () => {
    for (const one of started.splice(0).reverse()) await one.stop();
  };
  // On a terminal Ctrl-C is for the shell, which shares the terminal; elsewhere it ends the
  // demonstration.
  process.on('SIGINT', atTerminal ? () => {} : () => cleanUp().then(() => process.exit(0)));
  process.on('SIGTERM', () => cleanUp().then(() => process.exit(0)));
  try {
    say('a demo on its own server: sample, diagnose, change, verify, undo');
    const server = await startDemoServer(say);
    started.push(server);
    say('writing 190 MB, then 16 clients change it faster than a small cache can be cleaned');
    started.push(await startLoad(server.uri));
    say('starting mongosh with tune loaded');
    const lines = LINES.flatMap((line) => ['--eval', line]);
    const opened = shell(
      [server.uri, '--quiet', '--eval', LOAD_TUNE, ...lines, ...(atTerminal ? ['--shell'] : [])],
      { MONGOSH_TUNE_HOME: server.journal },
    );
    started.push(opened);
    const code = await opened.ended;
    say('ending the load and the server');
    return atTerminal ? 0 : code;
  } finally {
    await cleanUp();
  }
}

async function main() {
  const args = process.argv.slice(2);
  const atTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  process.exitCode = args.length > 0 ? await openServer(args) : await demonstrate(atTerminal);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
