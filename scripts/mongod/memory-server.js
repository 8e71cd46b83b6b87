'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { cacheFolder } = require('./cache');
const { prove } = require('./prove');
const { run } = require('./run');

/**
 * @import { Found, Means } from './wheel'
 */

const CHILD = path.join(__dirname, 'memory-server-child.js');
// A connection that is open but silent for so long will not recover in the time a person waits.
const STALL_MS = 20_000;
const WHOLE_DOWNLOAD_MS = 15 * 60_000;
const POLL_EVERY_MS = 500;
const SAY_EVERY_MS = 5000;
// A site that could not be reached is asked again after a day, or at once when nothing else is
// left.
const FORGET_FAILURE_MS = 24 * 3600_000;

/**
 * The binary that mongodb-memory-server has or can download.
 * @param {Means & { otherwise: boolean, stallMs?: number }} means `otherwise` tells that a later
 *   place has a binary ready
 * @returns {Promise<Found>}
 */
async function findInMemoryServer({ env, progress, otherwise, stallMs }) {
  const note = path.join(cacheFolder(env), 'download-failed.json');
  const failedBefore = otherwise ? readNote(note) : null;
  if (failedBefore !== null) {
    const answer = await ask('locate', { env });
    return 'path' in answer
      ? provePath(answer.path, env)
      : {
          why:
            `not in its cache, and the download failed on ${failedBefore.at}: ` +
            `${failedBefore.why}`,
        };
  }
  const answer = await ask('download', { env, watch: watchDownload(progress, stallMs) });
  if ('path' in answer) return provePath(answer.path, env);
  writeNote(note, answer.why);
  return answer;
}

/**
 * One version of MongoDB, from its cache or its download.
 * @param {string} version
 * @param {Means} means
 * @returns {Promise<Found>}
 */
async function downloadVersion(version, { env, progress }) {
  const answer = await ask('download', {
    env: { ...env, MONGOMS_VERSION: version },
    watch: watchDownload(progress),
  });
  return 'path' in answer ? provePath(answer.path, env) : answer;
}

/** @param {string} file @param {NodeJS.ProcessEnv} env @returns {Promise<Found>} */
async function provePath(file, env) {
  const proof = await prove(file, { env });
  return 'version' in proof
    ? { path: file, version: proof.version }
    : { why: `${file} does not run: ${proof.why}` };
}

/**
 * Ends a download that has stopped moving. Unpacking and checking move files too.
 * @param {(line: string) => void} progress
 * @param {number} [stallMs]
 * @returns {(stop: (why: string) => void, stdout: string) => void}
 */
function watchDownload(progress, stallMs = STALL_MS) {
  let seenAt = Date.now();
  let saidAt = 0;
  let seen = '';
  return (stop, stdout) => {
    const said = answers(stdout).find(({ downloading }) => downloading);
    const { text, bytes } = said ? contents(said.folder) : { text: 'not begun', bytes: 0 };
    if (said && Date.now() - saidAt > SAY_EVERY_MS) {
      progress(
        `downloading MongoDB ${said.downloading} from its download site: ` +
          `${Math.round(bytes / 1e6)} MB`,
      );
      saidAt = Date.now();
    }
    if (text !== seen) seenAt = Date.now();
    seen = text;
    const patienceMs = said ? stallMs : STALL_MS;
    if (Date.now() - seenAt > patienceMs)
      stop(`the download site sent nothing for ${patienceMs / 1000} s`);
  };
}

/**
 * @param {'locate' | 'download'} what
 * @param {{
 *   env: NodeJS.ProcessEnv, watch?: (stop: (why: string) => void, stdout: string) => void
 * }} options
 * @returns {Promise<{ path: string } | { why: string }>}
 */
async function ask(what, { env, watch }) {
  // One try: refused connections and unknown names, which it would try again, stay so for the
  // minute that takes.
  const childEnv = {
    ...env,
    MONGOMS_MAX_RETRIES: env.MONGOMS_MAX_RETRIES ?? '1',
    MONGOMS_SYSTEM_BINARY: '',
  };
  const outcome = await run(process.execPath, [CHILD, what], {
    env: childEnv,
    cwd: __dirname,
    timeoutMs: WHOLE_DOWNLOAD_MS,
    everyMs: POLL_EVERY_MS,
    onTick: watch,
  });
  const last = answers(outcome.stdout).findLast((answer) => answer.path ?? answer.why);
  if (last?.path) return { path: last.path };
  return {
    why: oneLine(
      outcome.stopped ?? last?.why ?? outcome.failed ?? 'mongodb-memory-server gave no answer',
    ),
  };
}

/** @param {string} text */
function oneLine(text) {
  return text.trim().replace(/\s*\n\s*/g, '; ');
}

/** @param {string} stdout @returns {any[]} */
function answers(stdout) {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('@{') && line.endsWith('}'))
    .map((line) => JSON.parse(line.slice(1)));
}

/** Names and sizes: any byte that arrives or is unpacked changes them. @param {string} folder */
function contents(folder) {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const sizes = names.map(
    (name) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  const arriving = names.findIndex((name) => name.endsWith('.downloading'));
  return {
    text: names.map((name, i) => `${name} ${sizes[i]}`).join('\n'),
    bytes: sizes[arriving] ?? 0,
  };
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
    // Only a repeated try is lost; a cache folder that cannot be written is reported where it
    // matters.
  }
}

module.exports = { findInMemoryServer, downloadVersion };
