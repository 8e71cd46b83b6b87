'use strict';

const { findMongod } = require('../../scripts/mongod/find');
const { withLibraries } = require('../../scripts/mongod/prove');

/**
 * @import { Mongod } from '../../scripts/mongod/find'
 */

/**
 * @typedef {'wiredTiger' | 'ephemeralForTest'} Engine
 */

// The binary was proven when it was found; checking again would print a warning, and fails for one
// that needs its own libraries.
process.env.MONGOMS_SYSTEM_BINARY_VERSION_CHECK = 'false';

// The smallest cache that mongod accepts at start: tests want it full within seconds.
const SMALL_CACHE_GB = 0.25;
// mongod answers within a second; two cores shared with a whole test suite can take many.
const LAUNCH_TIMEOUT_MS = 60_000;
// A port that was free when it was chosen may be taken a moment later.
const START_TRIES = 3;
const SLOW_MS = 1000;
const ROOT = { name: 'root', password: 'root-password' };

/** @type {Promise<Mongod> | undefined} */
let found;

/** The mongod of this run: found once, and told about when finding it takes time. */
function mongod() {
  found ??= findMongod({ progress: onceSlow((line) => process.stderr.write(`${line}\n`)) });
  return found;
}

/** @param {(line: string) => void} say */
function onceSlow(say) {
  const started = Date.now();
  /** @type {string[]} */
  const held = [];
  return (line) => {
    held.push(line);
    if (Date.now() - started > SLOW_MS || line.startsWith('downloading'))
      held.splice(0).forEach(say);
  };
}

/** @param {Mongod} binary */
function binaryOptions({ path, version }) {
  return { systemBinary: path, version };
}

/** The libraries reach mongod alone. @param {Mongod} binary */
function spawnOptions({ libraryPath }) {
  return { env: withLibraries(process.env, libraryPath) };
}

/** @param {string[]} args @param {number} cacheSizeGB @param {Engine} engine */
function allArgs(args, cacheSizeGB, engine) {
  const cache = engine === 'wiredTiger' ? ['--wiredTigerCacheSizeGB', String(cacheSizeGB)] : [];
  return ['--nounixsocket', ...cache, ...args];
}

/** @param {boolean} enable */
function authOptions(enable) {
  return { enable, customRootName: ROOT.name, customRootPwd: ROOT.password };
}

/**
 * @param {string} hosts
 * @param {{ name: string, password: string } | undefined} user
 * @param {string} query
 */
function uriFor(hosts, user, query) {
  const credentials = user
    ? `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@`
    : '';
  return `mongodb://${credentials}${hosts}/?${query}${user ? '&authSource=admin' : ''}`;
}

/**
 * @template {{ start: () => Promise<unknown> }} T
 * @param {() => T} make
 * @returns {Promise<T>}
 */
async function start(make) {
  for (let tries = 1; ; tries += 1) {
    const memory = make();
    try {
      await memory.start();
      return memory;
    } catch (error) {
      if (tries === START_TRIES || !/already in use/i.test(error.message)) throw error;
    }
  }
}

module.exports = {
  mongod,
  start,
  binaryOptions,
  spawnOptions,
  allArgs,
  authOptions,
  uriFor,
  ROOT,
  SMALL_CACHE_GB,
  LAUNCH_TIMEOUT_MS,
};
