'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const UNFINISHED = '.unfinished-';
// Longer than any download is allowed to take.
const ABANDONED_MS = 3600_000;

/** Where binaries are kept between runs. @param {NodeJS.ProcessEnv} env */
function cacheFolder(env) {
  return path.join(
    env.XDG_CACHE_HOME || path.join(env.HOME || os.homedir(), '.cache'),
    'mongosh-tune',
  );
}

/**
 * Fills a folder of the cache in one step: it is complete or it is not there. Of two processes that
 * fill it at once, the first wins.
 * @template T
 * @param {string} folder
 * @param {(unfinished: string) => Promise<T>} fill
 * @returns {Promise<T>}
 */
async function fillFolder(folder, fill) {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  removeAbandoned(folder);
  const unfinished = fs.mkdtempSync(`${folder}${UNFINISHED}`);
  try {
    const result = await fill(unfinished);
    moveIntoPlace(unfinished, folder);
    return result;
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
}

/** What a process left behind that was killed while it filled the folder. @param {string} folder */
function removeAbandoned(folder) {
  const start = `${path.basename(folder)}${UNFINISHED}`;
  for (const name of fs.readdirSync(path.dirname(folder)).filter((one) => one.startsWith(start))) {
    const abandoned = path.join(path.dirname(folder), name);
    const { mtimeMs } = fs.statSync(abandoned, { throwIfNoEntry: false }) ?? { mtimeMs: Infinity };
    if (Date.now() - mtimeMs > ABANDONED_MS) fs.rmSync(abandoned, { recursive: true, force: true });
  }
}

/** @param {string} from @param {string} to */
function moveIntoPlace(from, to) {
  try {
    fs.renameSync(from, to);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

module.exports = { cacheFolder, fillFolder };
