'use strict';

const os = require('node:os');
const path = require('node:path');
const { compareVersions } = require('../base/pure/version');

/**
 * @import { State } from './types'
 */

const STATE = Symbol.for('@@mongosh.instanceState');

/**
 * The parts of mongosh's ShellInstanceState that tune uses. It also holds the password of the
 * connection (cliOptions): never print it.
 */

/**
 * Finds the state of a mongosh.
 * @param {any} shell the global object of mongosh
 * @returns {State | undefined} undefined outside mongosh
 */
function findState(shell) {
  // The symbol came with mongosh 1.x; `config` is the older way. Neither reads `db`, which throws
  // in --nodb.
  return shell?.[STATE] ?? shell?.config?._instanceState;
}

/** mongosh 2.0 came with Node.js 20; npm's mongosh runs on any Node.js. */
const OLDEST_NODE_MAJOR = 20;
/** The oldest Node.js of other programs: `engines` of package.json, which the driver requires. */
const OLDEST_NODE = '20.19.0';
/** In mongosh 1 an interrupted script ends with 0, and the next --eval runs (1.10.6). */
const OLDEST_MONGOSH_MAJOR = 2;

/**
 * Explains why tune does not work in this shell, as the end of a sentence. An unknown version is no
 * reason.
 * @param {any} state of the shell: a `State`, or what another program with mongosh inside has
 *   instead
 * @param {string} [node] version of Node.js
 * @returns {string | null}
 */
function whyNot(state, node = process.versions.node) {
  // Check this first: mongosh 1 contains an old Node.js, which its user cannot change.
  const mongosh = versionOf(state);
  if (mongosh !== null && major(mongosh) < OLDEST_MONGOSH_MAJOR)
    return `it needs mongosh ${OLDEST_MONGOSH_MAJOR}.0 or newer, this one is ${mongosh}`;
  if (major(node) < OLDEST_NODE_MAJOR)
    return `it needs a mongosh that runs on Node.js ${OLDEST_NODE_MAJOR} or newer, this one has ${node}`;
  if (!isTerminalShell(state))
    return (
      'it needs the mongosh of a terminal; the shells inside Compass, VS Code and other ' +
      'programs neither print its answers nor know Ctrl-C'
    );
  return null;
}

/**
 * Whether a program's Node.js is too old. With a service provider it may be that of a mongosh,
 * which may be older.
 * @param {any} connection
 * @param {string} [node] version of Node.js
 * @returns {boolean}
 */
function isOldNode(connection, node = process.versions.node) {
  return typeof connection?.getNewConnection === 'function'
    ? major(node) < OLDEST_NODE_MAJOR
    : compareVersions(node, OLDEST_NODE) < 0;
}

/** @param {string} version @returns {number} NaN where it is no version: that is never too old */
const major = (version) => Number.parseInt(version, 10);

/**
 * Reads the version of a mongosh; null where it does not report one.
 * @param {any} state
 * @returns {string | null}
 */
function versionOf(state) {
  const version = state?.shellApi?.version?.();
  return typeof version === 'string' ? version : null;
}

/**
 * Whether this is mongosh's own program: only that reads files for load(), and handles Ctrl-C
 * around what runs.
 * @param {any} state
 */
function isTerminalShell(state) {
  return (
    typeof state?.evaluationListener?.onLoad === 'function' &&
    typeof state.interrupted?.withOverrideInterruptBehavior === 'function'
  );
}

/**
 * Finds the folder for the journal: beside mongosh's own, or the one that MONGOSH_TUNE_HOME names.
 * @param {NodeJS.ProcessEnv} [env] @param {NodeJS.Platform} [platform]
 */
function defaultHome(env = process.env, platform = process.platform) {
  const home = env.HOME || os.homedir();
  // A file that sets the environment of a service has no shell that expands the ~.
  if (env.MONGOSH_TUNE_HOME)
    return path.resolve(env.MONGOSH_TUNE_HOME.replace(/^~(?=$|[\\/])/, () => home));
  if (platform === 'win32' && env.LOCALAPPDATA)
    return path.join(env.LOCALAPPDATA, 'mongodb', 'mongosh-tune');
  return path.join(home, '.mongodb', 'mongosh-tune');
}

module.exports = { findState, whyNot, isOldNode, defaultHome };
