'use strict';

// Taken at the start: what a shell replaces later changes nothing here.
const { existsSync, lstatSync } = require('node:fs');
const path = require('node:path');

/**
 * A link to what is away, such as a mount, was meant as what it leads to: the file, or a folder above
 * it.
 * @param {string} file
 * @returns {boolean}
 */
function endsNowhere(file) {
  if (existsSync(file)) return false;
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return true;
  const above = path.dirname(file);
  return above !== file && endsNowhere(above);
}

module.exports = Object.freeze({ endsNowhere });
