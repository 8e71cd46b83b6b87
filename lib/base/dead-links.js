'use strict';

// Taken at the start: what a shell replaces later changes nothing here.
const { existsSync, lstatSync } = require('node:fs');
const path = require('node:path');

/**
 * Whether a link leads nowhere, itself or by a folder above it, such as one to a mount that is
 * absent: its user meant the place behind it.
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
