'use strict';

const fs = require('node:fs');
const path = require('node:path');

/**
 * What tune reads of its own package while it runs. The bundle of one file has all of it inside
 * (scripts/bundle/own-files.js), so nothing else in lib looks beside itself.
 */

const ROOT = path.join(__dirname, '../..');

/**
 * The modules of a folder, which are the registry of what they are.
 * @param {string} folder below the package, `lib/commands`
 * @returns {{ name: string, load(): any }[]} by name; not loaded yet
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
 * What fork() starts.
 * @param {string} file below the package
 * @returns {{ main: string, env: Record<string, string> }}
 */
const programOf = (file) => ({ main: path.join(ROOT, file), env: {} });

/** @returns {string} of tune */
const ownVersion = () => JSON.parse(textOf('package.json')).version;

module.exports = { modulesIn, textOf, programOf, ownVersion };
