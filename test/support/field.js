'use strict';

const fs = require('node:fs');
const path = require('node:path');

/**
 * Recordings of strangers' servers and tables of releases, which lie beside the checkout where they
 * are at hand; never part of the project.
 */
const FIELD = path.join(__dirname, '..', '..', '..', 'shared');

/** @param {...string} names @returns {string | null} null where the recordings are not at hand */
function fieldPath(...names) {
  const file = path.join(FIELD, ...names);
  return fs.existsSync(file) ? file : null;
}

/** @param {string | null} file @returns {string | null} why a test has to be skipped */
const absent = (file) =>
  file === null ? 'the recordings of other servers are not beside this checkout' : null;

module.exports = { fieldPath, absent };
