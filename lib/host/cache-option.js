'use strict';

const { HostFileError } = require('./snapshot');

/**
 * @import { Gathered } from './snapshot'
 */

const GiB = 2 ** 30;
// The server's own: half of what is above 1 GiB, at least 256 MiB; a share is kept between 256 MiB
// and 80 % (manual, storage.wiredTiger.engineConfig).
const DEFAULT_SHARE = 0.5;
const MIN_BYTES = 256 * 2 ** 20;
const MAX_SHARE = 0.8;
const PERCENT = 0.01;

/**
 * The cache another mongod of this machine has been given; ours tells its own.
 * @param {Gathered} snapshot @param {number} pid @param {number} memoryBytes
 * @returns {Promise<number | null>} null where its configuration cannot be read
 */
async function cacheOf(snapshot, pid, memoryBytes) {
  try {
    const args = (await snapshot.text(`/proc/${pid}/cmdline`)).split('\0');
    const text = [...args, await configIn(snapshot, args)].join('\n');
    return cacheIn(text, memoryBytes);
  } catch (error) {
    if (error instanceof HostFileError) return null;
    throw error;
  }
}

/** @param {Gathered} snapshot @param {readonly string[]} args @returns {Promise<string>} */
async function configIn(snapshot, args) {
  const at = args.findIndex((arg) => /^(-f|--config)(=|$)/.test(arg));
  if (at < 0) return '';
  const path = args[at].includes('=')
    ? args[at].slice(args[at].indexOf('=') + 1)
    : (args[at + 1] ?? '');
  if (!path.startsWith('/')) throw new HostFileError(`${path} is not a whole path`);
  return (await snapshot.text(path)).replace(/(^|\s)#.*$/gm, '');
}

/**
 * @param {string} text options, YAML or the old form, the command line first: what comes first
 *   counts
 * @param {number} memoryBytes
 */
function cacheIn(text, memoryBytes) {
  const value = (/** @type {string} */ name) =>
    Number(new RegExp(`${name}["']?\\s*[:=]?\\s*["']?([\\d.]+)`, 'i').exec(text)?.[1] ?? NaN);
  const [gigabytes, percent] = [value('cacheSizeGB'), value('cacheSizePct')];
  if (gigabytes > 0) return Math.round(gigabytes * GiB);
  if (percent > 0)
    return Math.round(Math.max(MIN_BYTES, Math.min(MAX_SHARE, percent * PERCENT) * memoryBytes));
  return Math.round(Math.max(MIN_BYTES, DEFAULT_SHARE * (memoryBytes - GiB)));
}

module.exports = { cacheOf };
