'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { TuneError } = require('../../errors');
const { readEntries, beginsWell } = require('./entries');

/** Where mongod keeps it below its dbPath. */
const FOLDER = 'diagnostic.data';
/** What mongod calls its files: by their first second, or `interim` for what is not yet in one. */
const NAME = /^metrics\./;

/**
 * @param {string} place a file of diagnostic.data, the folder, or a folder that has it
 * @returns {Promise<string[]>} files that hold anything, in the order of time
 * @throws {TuneError} TUNE-40002 where there is nothing to read, TUNE-40004 where nothing read is of diagnostic.data
 */
async function findFiles(place) {
  const files = await listFiles(place);
  const begun = await Promise.all(files.map(async (file) => ({ file, atMs: await beginOf(file) })));
  const known = begun.filter(({ atMs }) => atMs !== null).sort((a, b) => Number(a.atMs) - Number(b.atMs) || (a.file < b.file ? -1 : 1));
  if (known.length > 0) return known.map(({ file }) => file);
  const hopeful = await Promise.all(files.map(async (file) => (await fs.stat(file)).size === 0 || beginsWell(file)));
  // A server that has just begun, or a file cut off in its first document: it is a recording, of nothing.
  if (hopeful.includes(true)) return files.filter((_, i) => hopeful[i]);
  throw new TuneError('TUNE-40004', `There is no diagnostic data of a server in ${place}.`, { value: place });
}

/** @param {string} place @returns {Promise<string[]>} */
async function listFiles(place) {
  try {
    if (!(await fs.stat(place)).isDirectory()) return [place];
    const entries = await fs.readdir(place, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    const named = files.filter((name) => NAME.test(name));
    if (named.length === 0 && entries.some((entry) => entry.isDirectory() && entry.name === FOLDER)) return await listFiles(path.join(place, FOLDER));
    return named.length > 0 ? named.map((name) => path.join(place, name)) : await renamedIn(place, files);
  } catch (cause) {
    throw new TuneError('TUNE-40002', `${place} can not be read: ${/** @type {Error} */ (cause).message}.`, { value: place, cause });
  }
}

/** Files that somebody gave other names: not searched through, they have to begin well. @param {string} folder @param {string[]} names */
async function renamedIn(folder, names) {
  const files = names.map((name) => path.join(folder, name));
  const good = await Promise.all(files.map(beginsWell));
  return files.filter((_, i) => good[i]);
}

/** @param {string} file @returns {Promise<number | null>} time of the first document that is intact; null: it has none */
async function beginOf(file) {
  try {
    for await (const entry of readEntries(file)) if (entry.kind !== 'damage') return entry.atMs;
    return null;
  } catch (cause) {
    throw new TuneError('TUNE-40002', `${file} can not be read: ${/** @type {Error} */ (cause).message}.`, { value: file, cause });
  }
}

module.exports = { findFiles };
