'use strict';

const path = require('node:path');
const { temporaryFolder } = require('../../support/cleanup');

const ROOT = path.join(__dirname, '../../..');
const LOAD_TUNE = `load(${JSON.stringify(path.join(ROOT, 'index.js'))})`;
/** Loads the commands of support/commands.js instead of the real ones. */
const LOAD_TEST_COMMANDS = `require(${JSON.stringify(path.join(__dirname, 'commands.js'))})(globalThis)`;

/** @param {...string} lines each an --eval of its own, after tune is loaded */
const evals = (...lines) => [
  '--quiet',
  ...[LOAD_TUNE, ...lines].flatMap((line) => ['--eval', line]),
];

/** A folder for the journal, away from the one of who runs the tests. */
function makeTuneHome() {
  const folder = temporaryFolder('journal');
  return { env: { MONGOSH_TUNE_HOME: folder.path }, ...folder };
}

module.exports = { ROOT, LOAD_TUNE, LOAD_TEST_COMMANDS, evals, makeTuneHome };
