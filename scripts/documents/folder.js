'use strict';

const fs = require('node:fs');
const path = require('node:path');

/** A folder that is made whole by a script: what is not wanted there is removed. */

/**
 * @param {string} folder
 * @param {Map<string, string>} wanted
 * @returns {string[]} names that are missing, differ, or belong to nothing any more
 */
function differing(folder, wanted) {
  const present = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const text = (/** @type {string} */ name) =>
    present.includes(name) ? fs.readFileSync(path.join(folder, name), 'utf8') : null;
  return [...new Set([...wanted.keys(), ...present])]
    .filter((name) => text(name) !== wanted.get(name))
    .sort();
}

/** @param {string} folder @param {Map<string, string>} wanted @param {readonly string[]} names */
function write(folder, wanted, names) {
  fs.mkdirSync(folder, { recursive: true });
  for (const name of names) {
    const page = wanted.get(name);
    if (page === undefined) fs.rmSync(path.join(folder, name));
    else fs.writeFileSync(path.join(folder, name), page);
  }
}

module.exports = { differing, write };
