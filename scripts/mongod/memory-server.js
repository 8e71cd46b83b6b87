'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { cacheFolder } = require('./cache');
const { prove } = require('./prove');
const { run } = require('./run');

/** @typedef {import('./wheel').Found} Found @typedef {import('./wheel').Means} Means */

const CHILD = path.join(__dirname, 'memory-server-child.js');
// A connection that is open but silent for so long will not recover in the time a person waits.
const STALL_MS = 20_000;
const WHOLE_DOWNLOAD_MS = 15 * 60_000;
// A site that could not be reached is asked again after a day, or at once when nothing else is left.
const FORGET_FAILURE_MS = 24 * 3600_000;

/**
 * The binary that mongodb-memory-server has or can download.
 * @param {Means & { otherwise: boolean }} means `otherwise` tells that a later place has a binary ready
 * @returns {Promise<Found>}
 */
async function findInMemoryServer({ env, progress, otherwise }) {
  const note = path.join(cacheFolder(env), 'download-failed.json');
  const failedBefore = otherwise ? readNote(note) : null;
  const answer = failedBefore === null ? await download({ env, progress }) : await ask(['locate'], { env });
  if ('why' in answer) {
    if (failedBefore === null) writeNote(note, answer.why);
    return { why: failedBefore === null ? answer.why : `not in its cache, and the download failed on ${failedBefore.at}: ${failedBefore.why}` };
  }
  const proof = await prove(answer.path, { env });
  return 'version' in proof ? { path: answer.path, version: proof.version } : { why: `${answer.path} does not run: ${proof.why}` };
}

/** @param {Means} means */
function download({ env, progress }) {
  let seenAt = Date.now();
  let seen = '';
  return ask(['download'], {
    env,
    watch(said, stop) {
      if (said === undefined) return;
      const now = contents(said.folder);
      if (seen === '') progress(`downloading MongoDB ${said.downloading} from its download site (given up after ${STALL_MS / 1000} s without a byte)`);
      if (now !== seen) seenAt = Date.now();
      seen = now;
      if (Date.now() - seenAt > STALL_MS) stop(`the download site sent nothing for ${STALL_MS / 1000} s`);
    },
  });
}

/**
 * @param {string[]} args
 * @param {{ env: NodeJS.ProcessEnv, watch?: (said: { downloading: string, folder: string } | undefined, stop: (why: string) => void) => void }} options
 * @returns {Promise<{ path: string } | { why: string }>}
 */
async function ask(args, { env, watch }) {
  // One try: the failures tried again are refused connections and unknown names, and those stay so for the minute it takes.
  const childEnv = { ...env, MONGOMS_MAX_RETRIES: env.MONGOMS_MAX_RETRIES ?? '1', MONGOMS_SYSTEM_BINARY: '' };
  const outcome = await run(process.execPath, [CHILD, ...args], {
    env: childEnv, timeoutMs: WHOLE_DOWNLOAD_MS,
    onTick: (stop, stdout) => watch?.(answers(stdout).find(({ downloading }) => downloading), stop),
  });
  const last = answers(outcome.stdout).findLast((answer) => answer.path ?? answer.why);
  return last ?? { why: outcome.failed ?? 'mongodb-memory-server gave no answer' };
}

/** @param {string} stdout @returns {any[]} */
function answers(stdout) {
  return stdout.split('\n').filter((line) => line.startsWith('@{') && line.endsWith('}')).map((line) => JSON.parse(line.slice(1)));
}

/** Names and sizes: any byte that arrives or is unpacked changes them. @param {string} folder */
function contents(folder) {
  try {
    return fs.readdirSync(folder).map((name) => `${name} ${fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size}`).join('\n') || 'empty';
  } catch (_error) {
    return 'absent';
  }
}

/** @param {string} file @returns {{ at: string, why: string } | null} */
function readNote(file) {
  try {
    const note = JSON.parse(fs.readFileSync(file, 'utf8'));
    return Date.now() - Date.parse(note.at) < FORGET_FAILURE_MS ? note : null;
  } catch (_error) {
    return null;
  }
}

/** @param {string} file @param {string} why */
function writeNote(file, why) {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify({ at: new Date().toISOString(), why }));
  } catch (_error) {
    // Only a repeated try is lost; a cache folder that cannot be written is reported where it matters.
  }
}

module.exports = { findInMemoryServer };
