'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** Where binaries are kept between runs. @param {NodeJS.ProcessEnv} env */
function cacheFolder(env) {
  return path.join(env.XDG_CACHE_HOME || path.join(env.HOME || os.homedir(), '.cache'), 'mongosh-tune');
}

/**
 * Fills a folder of the cache in one step: it is complete or it is not there. Of two processes that fill it at once, the first wins.
 * @template T
 * @param {string} folder
 * @param {(unfinished: string) => Promise<T>} fill
 * @returns {Promise<T>}
 */
async function fillFolder(folder, fill) {
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  const unfinished = fs.mkdtempSync(`${folder}.unfinished-`);
  try {
    const result = await fill(unfinished);
    moveIntoPlace(unfinished, folder);
    return result;
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true });
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
