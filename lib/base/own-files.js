'use strict';

const fs = require('node:fs');
const path = require('node:path');

/**
 * Finds the files of its own package that tune reads while it runs. The bundle of one file contains
 * all of them (scripts/bundle/own-files.js), so no other file of lib reads the package's folders.
 */

const ROOT = path.join(__dirname, '../..');

/**
 * Lists the modules of a folder, which is the registry of its modules.
 * @param {string} folder a folder of the package, `lib/commands`
 * @returns {{ name: string, load(): any }[]} in the order of names; not loaded yet
 */
function modulesIn(folder) {
  const at = path.resolve(ROOT, folder);
  return fs
    .readdirSync(at)
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -'.js'.length))
    .sort()
    .map((name) => ({ name, load: () => require(path.join(at, `${name}.js`)) }));
}

/** @param {string} file below the package, `lib/host/collect.sh` @returns {string} */
const textOf = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8');

/**
 * Finds the program that fork() starts.
 * @param {string} file a file of the package
 * @returns {{ main: string, env: Record<string, string> }}
 */
const programOf = (file) => ({ main: path.join(ROOT, file), env: {} });

/** @returns {string} of tune */
const ownVersion = () => JSON.parse(textOf('package.json')).version;

module.exports = { modulesIn, textOf, programOf, ownVersion };
