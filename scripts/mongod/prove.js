'use strict';

const { run } = require('./run');

/** @typedef {{ version: string } | { why: string }} Proof */

// A binary of 140 MB on a cold and busy disk; 20 ms when it is in the page cache.
const PROOF_TIMEOUT_MS = 30_000;

/**
 * A file is a mongod when it says so: `mongod --version` also shows missing libraries and foreign
 * CPUs.
 * @param {string} path
 * @param {{ env: NodeJS.ProcessEnv, libraryPath?: string }} options
 * @returns {Promise<Proof>}
 */
async function prove(path, { env, libraryPath }) {
  const outcome = await run(path, ['--version'], {
    env: withLibraries(env, libraryPath),
    timeoutMs: PROOF_TIMEOUT_MS,
  });
  if (outcome.failed !== null) return { why: outcome.failed };
  const version = /^db version v(\d+\.\d+\.\d+\S*)/m.exec(outcome.stdout)?.[1];
  return version === undefined ? { why: '--version does not print "db version v…"' } : { version };
}

/**
 * Old servers need a libssl that the host must not use for anything else.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} [libraryPath]
 * @returns {NodeJS.ProcessEnv}
 */
function withLibraries(env, libraryPath) {
  if (libraryPath === undefined) return env;
  const others = env.LD_LIBRARY_PATH ? [env.LD_LIBRARY_PATH] : [];
  return { ...env, LD_LIBRARY_PATH: [libraryPath, ...others].join(':') };
}

module.exports = { prove, withLibraries };
