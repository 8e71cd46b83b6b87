'use strict';

const { randomBytes } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const os = require('node:os');
const { TuneError } = require('./pure/errors');

/** Files that a user names. */

/**
 * A connection string is no path: parts of its password would stand in messages and folder names.
 */
const CONNECTION_STRING = /^\s*["']?mongodb(\+srv)?:\//i;

/**
 * Replaces ~ as a shell would: mongosh does not.
 * @param {string} name @returns {string}
 * @throws {TuneError} TUNE-10002
 */
function expandHome(name) {
  if (CONNECTION_STRING.test(name))
    throw new TuneError('TUNE-10002', 'A file name is expected here, not a connection string.', {
      allowed: 'the name of a file',
    });
  return name.replace(/^~(?=$|[\\/])/, () => process.env.HOME || os.homedir());
}

/**
 * Writes a page to disk: whole or not at all, and over an existing file only where the user wants
 * that.
 * @typedef {{ file: string, force: boolean, mode?: number }} Target `mode`: who may read it, by
 *   default only its owner
 */

/** Only the user may read a file that names collections. */
const OWNER_ONLY = 0o600;

/**
 * @param {string} name as it was typed
 * @param {boolean} force
 * @returns {Target}
 * @throws {TuneError} TUNE-40005, before anything is measured
 */
function targetFor(name, force) {
  const file = path.resolve(expandHome(name));
  const found = foundAt(file);
  if (found?.isDirectory())
    throw new TuneError('TUNE-40005', `${file} cannot be written: it is a folder.`, {
      value: file,
    });
  if (found && !force) throw taken(file);
  if (!fs.existsSync(path.dirname(file)))
    throw new TuneError(
      'TUNE-40005',
      `${file} cannot be written: there is no folder ${path.dirname(file)}.`,
      { value: file },
    );
  return { file, force };
}

/**
 * @param {string} file
 * @throws {TuneError} TUNE-40005 where the folder belongs to another user
 */
function foundAt(file) {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch (cause) {
    throw new TuneError(
      'TUNE-40005',
      `${file} cannot be written: ${/** @type {Error} */ (cause).message}.`,
      { value: file, cause },
    );
  }
}

/** @param {string} file */
const taken = (file) =>
  new TuneError(
    'TUNE-40005',
    `${file} cannot be written: it already exists; { force: true } overwrites it.`,
    { value: file },
  );

/**
 * @param {Target} target
 * @param {string} text
 * @returns {number} bytes
 * @throws {TuneError} TUNE-40005
 */
function writePage({ file, force, mode = OWNER_ONLY }, text) {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    fs.writeFileSync(draft, text, { flag: 'wx', mode, flush: true });
    if (force) fs.renameSync(draft, file);
    else place(draft, file);
    return Buffer.byteLength(text);
  } catch (cause) {
    if (/** @type {NodeJS.ErrnoException} */ (cause).code === 'EEXIST') throw taken(file);
    throw new TuneError(
      'TUNE-40005',
      `${file} cannot be written: ${/** @type {Error} */ (cause).message}.`,
      { value: file, cause },
    );
  } finally {
    remove(draft);
  }
}

/** @param {string} draft where it cannot be removed there is none */
function remove(draft) {
  try {
    fs.rmSync(draft, { force: true });
  } catch (_noFolder) {
    // The error was reported already.
  }
}

/**
 * A link fails where the name is taken, a rename does not; some file systems have no links.
 * @param {string} draft
 * @param {string} file
 */
function place(draft, file) {
  try {
    fs.linkSync(draft, file);
  } catch (cause) {
    if (/** @type {NodeJS.ErrnoException} */ (cause).code === 'EEXIST') throw cause;
    fs.copyFileSync(draft, file, fs.constants.COPYFILE_EXCL);
  }
}

module.exports = { targetFor, writePage, expandHome };
