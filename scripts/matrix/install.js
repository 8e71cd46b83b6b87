'use strict';

const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const { cacheFolder, fillFolder } = require('../mongod/cache');

const run = promisify(execFile);

const ASK_LIMIT_MS = 60_000;
const INSTALL_LIMIT_MS = 600_000;
// What the machine has set for npm stays; nothing of a package runs, nothing is asked beside it.
const QUIET = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-package-lock',
  '--loglevel=error',
];

/** @typedef {{ folder: string, version: string } | { why: string }} Installed */

/**
 * A release of a package, with all it needs, in a folder of the cache. It stays there for the next
 * time.
 * @param {string} name of the package
 * @param {string} wanted a version, or what npm takes in its place: `latest`, `22`
 * @param {{ env?: NodeJS.ProcessEnv, progress?: (line: string) => void }} [means]
 * @returns {Promise<Installed>} `folder`: of the package itself
 */
async function installRelease(name, wanted, { env = process.env, progress = () => {} } = {}) {
  try {
    const version = await exactVersion(name, wanted, env);
    const place = path.join(cacheFolder(env), `${name}-${version}`);
    const folder = path.join(place, 'node_modules', name);
    if (!fs.existsSync(path.join(folder, 'package.json'))) {
      progress(`installing ${name}@${version}`);
      await fillFolder(place, (unfinished) =>
        npm(
          ['install', ...QUIET, '--prefix', unfinished, `${name}@${version}`],
          env,
          INSTALL_LIMIT_MS,
        ),
      );
    }
    return { folder, version };
  } catch (error) {
    const { stderr, message, killed } =
      /** @type {Error & { stderr?: string, killed?: boolean }} */ (error);
    return { why: killed ? 'npm took too long' : firstLine(stderr?.trim() || message) };
  }
}

/**
 * @param {string} name
 * @param {string} wanted
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} the newest that fits
 */
async function exactVersion(name, wanted, env) {
  if (/^\d+\.\d+\.\d+$/.test(wanted)) return wanted;
  const answer = JSON.parse(
    await npm(['view', `${name}@${wanted}`, 'version', '--json'], env, ASK_LIMIT_MS),
  );
  // npm gives them in the order of their text.
  return [answer]
    .flat()
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .at(-1);
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {number} timeout milliseconds
 * @returns {Promise<string>}
 */
async function npm(args, env, timeout) {
  const { stdout } = await run('npm', args, { env, timeout, encoding: 'utf8', maxBuffer: 2 ** 24 });
  return stdout;
}

/** npm warns of the machine's own settings before it says what is wrong. @param {string} text */
const firstLine = (text) =>
  text.split('\n').find((line) => !line.startsWith('npm warn')) ?? text.split('\n')[0];

module.exports = { installRelease };
