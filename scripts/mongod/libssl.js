'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { cacheFolder, fillFolder } = require('./cache');
const { run } = require('./run');

/**
 * @import { Means } from './wheel'
 */

const LIBRARY = 'libssl.so.1.1';
const INSIDE_PACKAGE = 'usr/lib/x86_64-linux-gnu';
const HOST_FOLDERS = ['/usr/lib/x86_64-linux-gnu', '/lib/x86_64-linux-gnu', '/usr/lib64', '/lib64'];
// Debian 11 is the last release with OpenSSL 1.1; its security archive has the newest build.
const SOURCE =
  'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ' +
  'http://deb.debian.org/debian-security bullseye-security main\n';
const APT_TIMEOUT_MS = 2 * 60_000;

/**
 * OpenSSL 1.1 for a mongod built before Debian 12, without installing anything.
 * @param {Means} means
 * @returns {Promise<{ libraryPath?: string } | { why: string }>} no path: the host has it
 */
async function findLibssl({ env, progress }) {
  if (HOST_FOLDERS.some((folder) => fs.existsSync(path.join(folder, LIBRARY)))) return {};
  const folder = path.join(cacheFolder(env), 'libssl1.1');
  const libraryPath = path.join(folder, INSIDE_PACKAGE);
  if (fs.existsSync(path.join(libraryPath, LIBRARY))) return { libraryPath };
  try {
    progress('downloading libssl1.1 from Debian 11, for this mongod alone');
    await fillFolder(folder, (unfinished) => fetchInto(unfinished, env));
    return { libraryPath };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

/** @param {string} folder @param {NodeJS.ProcessEnv} env */
async function fetchInto(folder, env) {
  const state = path.join(folder, 'apt');
  for (const name of ['state/lists/partial', 'cache/archives/partial'])
    fs.mkdirSync(path.join(state, name), { recursive: true });
  fs.writeFileSync(path.join(state, 'sources.list'), SOURCE);
  await must('apt-get', [...aptOptions(state), 'update'], { env, cwd: state });
  await must('apt-get', [...aptOptions(state), 'download', 'libssl1.1'], { env, cwd: state });
  const file = fs.readdirSync(state).find((name) => name.endsWith('.deb'));
  if (!file) throw new Error('apt-get download left no package');
  await must('dpkg-deb', ['-x', path.join(state, file), folder], { env, cwd: state });
  fs.rmSync(state, { recursive: true });
}

/**
 * All of apt's own folders are ours, so that neither its locks nor its lists of the host are
 * touched.
 * @param {string} state
 */
function aptOptions(state) {
  const options = {
    'Dir::Etc::SourceList': path.join(state, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State': path.join(state, 'state'),
    'Dir::State::status': '/dev/null',
    'Dir::Cache': path.join(state, 'cache'),
    'APT::Architectures': 'amd64',
    'APT::Sandbox::User': '',
    'Acquire::Retries': '1',
    'Acquire::http::Timeout': '20',
  };
  return Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

/**
 * @param {string} file
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, cwd: string }} options
 */
async function must(file, args, { env, cwd }) {
  const { failed } = await run(file, args, { env, cwd, timeoutMs: APT_TIMEOUT_MS });
  if (failed !== null) throw new Error(`libssl1.1: ${file}: ${failed}`);
}

module.exports = { findLibssl };
