'use strict';

const fs = require('node:fs');
const path = require('node:path');

/**
 * @param {string} folder
 * @param {Map<string, string>} wanted
 * @param {boolean} [isShared] there are pages of others; else the folder is made whole, and what is
 *   not wanted there is removed
 * @returns {string[]} names that are missing, differ, or belong to nothing any more
 */
function differing(folder, wanted, isShared = false) {
  const there = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const present = isShared ? there.filter((name) => wanted.has(name)) : there;
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
