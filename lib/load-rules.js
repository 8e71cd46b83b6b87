'use strict';

const fs = require('node:fs');
const path = require('node:path');

const FOLDER = path.join(__dirname, 'diagnose', 'rules');

/** @type {readonly import('./diagnose/define-rule').Rule[] | null} */
let loaded = null;

/**
 * The folder is the registry: a file in it is a rule. Read on first use, so that a shell which only loads tune does not pay.
 * @returns {readonly import('./diagnose/define-rule').Rule[]} in the order of their names
 */
function loadRules() {
  loaded ??= Object.freeze(fs.readdirSync(FOLDER).filter((name) => name.endsWith('.js')).sort().map((name) => require(path.join(FOLDER, name))));
  return loaded;
}

module.exports = { loadRules };
