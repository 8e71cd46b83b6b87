'use strict';

const { runScript } = require('../../lib/shell/script');
const { COMMANDS } = require('../tune');

/**
 * What the files beside this folder call. A script of the runbook is such a file of a few lines,
 * which mongosh rewrites, and the file of the same name here, which says what it does.
 * @param {any} globalObject the global object of mongosh
 * @param {string} name
 */
const run = (globalObject, name) => runScript(globalObject, require(`./${name}`), COMMANDS);

module.exports = run;
