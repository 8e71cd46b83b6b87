'use strict';

const fs = require('node:fs');
const { TuneError } = require('../base/pure/errors');
const { expandHome } = require('../base/expand-home');

/**
 * A file that tune.check() was given the name of.
 * @param {string} said what it is, with its name @param {string} file @returns {string}
 * @throws {TuneError} TUNE-40002
 */
function readOwn(said, file) {
  try {
    return fs.readFileSync(expandHome(file), 'utf8');
  } catch (cause) {
    throw new TuneError(
      'TUNE-40002',
      `tune.check: ${said} cannot be read (${/** @type {NodeJS.ErrnoException} */ (cause).code}).`,
      { value: file, cause },
    );
  }
}

module.exports = { readOwn };
