'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { TuneError } = require('../../base/pure/errors');
const { readEntries, beginsWell, isGzipped } = require('./entries');

/**
 * mongod keeps this folder below its dbPath; a mongos has it beside its log, as `<name of the
 * log>.diagnostic.data`.
 */
const FOLDER = 'diagnostic.data';
/**
 * mongod names its files by their first second, or `interim` for samples that are in no file yet; a
 * half-written file does not match.
 */
const NAME = /^metrics\.(?!.*\.temp$)/;
/** At most this many folders further down are named. */
const MAX_NAMED = 5;

/**
 * @typedef {{ file: string, atMs: number | null }} Begun `atMs`: of the first document that is
 *   intact; null: it has none
 */

/**
 * The files of diagnostic data in several places.
 * @param {readonly string[]} places each a file of diagnostic.data, the folder, or a folder that
 *   has it
 * @returns {Promise<string[]>} files that hold anything, in the order of time
 * @throws {TuneError} TUNE-40002 where there is nothing to read, TUNE-40004 where nothing read is
 *   of diagnostic.data
 */
async function findFiles(places) {
  const found = (await eachInTurn(places, filesIn)).flat();
  const files = new Map(found.map((begun) => [begun.file, begun]));
  return [...files.values()].sort(byTime).map(({ file }) => file);
}

/**
 * Sorts by time; a file without a time is only damage, which is reported, and goes last.
 * @param {Begun} a
 * @param {Begun} b
 */
const byTime = (a, b) => (a.atMs ?? Infinity) - (b.atMs ?? Infinity) || (a.file < b.file ? -1 : 1);

/**
 * The files of one place.
 * @param {string} place
 * @returns {Promise<Begun[]>}
 */
async function filesIn(place) {
  // One after the other: a folder may have more files than a process may open.
  const begun = (
    await eachInTurn(await listFiles(place), (file) => unlessGone(beginOf(file)))
  ).filter((begun) => begun !== null);
  if (begun.some(({ atMs }) => atMs !== null)) return begun;
  // A server that has just begun, or a file cut off in its first document: it is a recording, of
  // nothing.
  const hopeful = (
    await eachInTurn(begun, async (file) =>
      (await unlessGone(isHopeful(file.file))) ? [file] : [],
    )
  ).flat();
  if (hopeful.length > 0) return hopeful;
  throw new TuneError(
    'TUNE-40004',
    `No diagnostic data of a server found in ${place}.${await hintFor(place)}`,
    { value: place },
  );
}

/** @param {string} file @returns {Promise<boolean>} */
const isHopeful = async (file) => (await fs.stat(file)).size === 0 || beginsWell(file);

/**
 * A running mongod renames its interim file, and removes the oldest, at any moment.
 * @template T
 * @param {Promise<T>} work @returns {Promise<T | null>} null: the file is there no longer
 */
async function unlessGone(work) {
  try {
    return await work;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

/** @param {any} error */
const isGone = (error) => [error, error?.cause].some((cause) => cause?.code === 'ENOENT');

/**
 * Works on items one after another, so that few files are open at the same time.
 * @template A, B
 * @param {readonly A[]} list @param {(one: A) => Promise<B>} work @returns {Promise<B[]>}
 */
async function eachInTurn(list, work) {
  const made = [];
  for (const item of list) made.push(await work(item));
  return made;
}

/**
 * The names of the files at a place, which is a file or a folder.
 * @param {string} place
 * @returns {Promise<string[]>}
 */
async function listFiles(place) {
  try {
    const kind = await fs.stat(place);
    // A pipe can be read only once, and a terminal never ends.
    if (!kind.isDirectory() && !kind.isFile()) throw new Error('it is neither a file nor a folder');
    if (kind.isFile()) return (await isGzipped(place)) ? refuseGzip(place) : [place];
    const { files, folders } = await contentOf(place);
    const named = files.filter((name) => NAME.test(name));
    if (named.length === 0 && folders.includes(FOLDER))
      return await listFiles(path.join(place, FOLDER));
    return named.length > 0
      ? named.map((name) => path.join(place, name))
      : await renamedIn(place, files);
  } catch (cause) {
    if (cause instanceof TuneError) throw cause;
    throw new TuneError(
      'TUNE-40002',
      `${place} cannot be read: ${/** @type {Error} */ (cause).message}.`,
      { value: place, cause },
    );
  }
}

/** @param {string} place @returns {never} */
function refuseGzip(place) {
  throw new TuneError('TUNE-40004', `${place} is compressed with gzip: gunzip it first.`, {
    value: place,
  });
}

/** @param {string} folder what is linked into it counts as in it */
async function contentOf(folder) {
  const entries = await fs.readdir(folder, { withFileTypes: true });
  const kinds = await eachInTurn(entries, async (entry) => ({
    name: entry.name,
    kind: entry.isSymbolicLink()
      ? await fs.stat(path.join(folder, entry.name)).catch(() => null)
      : entry,
  }));
  const named = (/** @type {'isFile' | 'isDirectory'} */ is) =>
    kinds.filter(({ kind }) => kind?.[is]()).map(({ name }) => name);
  return { files: named('isFile'), folders: named('isDirectory') };
}

/**
 * Renamed files: not searched through, their beginning must be right.
 * @param {string} folder
 * @param {string[]} names
 */
async function renamedIn(folder, names) {
  const files = names.map((name) => path.join(folder, name));
  const good = await eachInTurn(
    files,
    async (file) => (await unlessGone(beginsWell(file))) ?? false,
  );
  return files.filter((_, i) => good[i]);
}

/**
 * Folders below that are meant, maybe: of several servers, or of a router.
 * @param {string} place
 * @returns {Promise<string>}
 */
async function hintFor(place) {
  const below = (await foldersBelow(place)).sort();
  if (below.length === 0) return '';
  return (
    ' Subfolders with data: ' +
    `${below.slice(0, MAX_NAMED).join(', ')}${below.length > MAX_NAMED ? ` and ${below.length - MAX_NAMED} more` : ''}. ` +
    'Give one of them: each belongs to one server.'
  );
}

/** @param {string} place @returns {Promise<string[]>} */
async function foldersBelow(place) {
  const inside = async (/** @type {string} */ folder) =>
    (await contentOf(folder).catch(() => ({ folders: [] }))).folders.map((name) =>
      path.join(folder, name),
    );
  const near = await inside(place);
  const far = (await eachInTurn(near, inside)).flat();
  return [...near, ...far].filter((folder) => folder.endsWith(FOLDER));
}

/**
 * Finds when a file begins.
 * @param {string} file
 * @returns {Promise<Begun>}
 */
async function beginOf(file) {
  try {
    for await (const entry of readEntries(file))
      if (entry.kind !== 'damage') return { file, atMs: entry.atMs };
    return { file, atMs: null };
  } catch (cause) {
    throw new TuneError(
      'TUNE-40002',
      `${file} cannot be read: ${/** @type {Error} */ (cause).message}.`,
      { value: file, cause },
    );
  }
}

module.exports = { findFiles, isGone };
