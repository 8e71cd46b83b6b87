'use strict';

const fs = require('node:fs/promises');
const { TuneError } = require('../base/pure/errors');
const { MiB, bytes } = require('../base/pure/units');
const { linesOf, entriesOf } = require('./pure/fleet-list');
const { readYaml } = require('../base/pure/yaml');

/**
 * @import { Entry } from './pure/fleet-list'
 */

/** Ten thousand servers with long options, and tags. */
const MAX_BYTES = 8 * MiB;
const OTHERS_READ = 0o077;
/**
 * What a list in YAML or JSON begins with, behind comments; a line of the other kind begins with a
 * scheme or a variable.
 */
const STRUCTURED = /^(?:\s*#[^\n]*\n|\s*\n)*\s*(?:-\s|\[|\{|servers\s*:|---|%YAML)/;

/**
 * @param {string} file as the user named it
 * @param {string} path
 * @returns {Promise<{ entries: Entry[], problems: string[], isOpen: boolean }>} `isOpen`: others on
 *   this machine may read it
 * @throws {TuneError} TUNE-40002, TUNE-40008
 */
async function readServerList(file, path) {
  const unreadable = (/** @type {any} */ cause) => {
    throw new TuneError(
      'TUNE-40002',
      `The list of servers ${file} cannot be read (${cause.code}).`,
      { value: file, cause },
    );
  };
  const { size, mode } = await fs.stat(path).catch(unreadable);
  if (size > MAX_BYTES)
    throw new TuneError(
      'TUNE-40008',
      `${file} has ${bytes(size)}, more than the maximum of ${bytes(MAX_BYTES)} for a list of ` +
        'servers.',
      { value: file },
    );
  const text = await fs.readFile(path, 'utf8').catch(unreadable);
  return {
    ...(STRUCTURED.test(text)
      ? entriesOf(parse(file, text))
      : { entries: linesOf(text), problems: [] }),
    isOpen: process.platform !== 'win32' && (mode & OTHERS_READ) !== 0,
  };
}

/**
 * JSON is YAML too. Of the text nothing is quoted: it may be a password.
 * @param {string} file
 * @param {string} text
 * @returns {unknown}
 */
function parse(file, text) {
  const {
    value,
    faults: [fault],
  } = readYaml(text, MAX_BYTES);
  if (fault === undefined) return value;
  throw new TuneError(
    'TUNE-40008',
    `${file} is neither YAML nor JSON: see line ` +
      `${text.slice(0, fault.position).split('\n').length}.`,
    { value: file },
  );
}

module.exports = { readServerList };
