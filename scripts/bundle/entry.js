'use strict';

// What the bundle does when it is loaded; esbuild starts here. It is loaded by tune.js (loader.js), or
// started by tune itself as a process of its own.
const { findState } = require('../../lib/shell/mongosh');

/** What fork() starts, by its file in the package (lib/base/own-files.js). */
const PROGRAMS = Object.freeze({
  'lib/shell/guardian.js': () => require('../../lib/shell/guardian'),
  'lib/bench/load/worker/main.js': () => require('../../lib/bench/load/worker/main'),
});

/**
 * As lib/entry.js; with MONGOSH_TUNE_SCRIPT it is a script of the runbook.
 * @param {any} globalObject
 * @param {{ exports: unknown }} parentModule
 * @returns {unknown} mongosh waits for it
 */
function enter(globalObject, parentModule) {
  const script = process.env.MONGOSH_TUNE_SCRIPT;
  if (!script || !findState(globalObject))
    return require('../../lib/entry')(globalObject, parentModule);
  const { run, SCRIPTS } = require('../../lib/shell/runbook');
  if (!Object.hasOwn(SCRIPTS, script))
    throw new Error(`there is no script ${script}: ${Object.keys(SCRIPTS).join(', ')}`);
  return run(globalObject, script);
}

const program = process.send && process.env.MONGOSH_TUNE_PROGRAM;
if (program && Object.hasOwn(PROGRAMS, program))
  PROGRAMS[/** @type {keyof typeof PROGRAMS} */ (program)]();

module.exports = enter;
