'use strict';

const fs = require('node:fs');
const path = require('node:path');

/**
 * All JavaScript files below a folder.
 * @param {string} folder
 * @returns {string[]}
 */
const sourceFiles = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => path.join(folder, name));

module.exports = { sourceFiles };
