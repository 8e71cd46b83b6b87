'use strict';

const path = require('node:path');
const { matrixTable } = require('./table');
const { endWithChildren } = require('../testing/process');
const { runSuite } = require('../testing/suites');

/**
 * @import { Result } from '../testing/suites'
 * @import { Missing } from './table'
 */

/**
 * The same tests with one version after the other of something: what all the matrices have in
 * common.
 * @typedef {{ env: NodeJS.ProcessEnv, progress: (line: string) => void }} Means
 * @typedef {{ name: string, env: NodeJS.ProcessEnv, node?: string }} Ready `name`: what was really
 *   obtained; `env`: in which the tests use it; `node`: to run them with
 * @typedef {{
 *   what: string, usage: string, versions: readonly string[], pattern: RegExp,
 *   core: readonly string[], all?: readonly string[], limitMs: number,
 *   prepare?: (env: NodeJS.ProcessEnv) => Promise<NodeJS.ProcessEnv>,
 *   obtain: (version: string, means: Means) => Promise<Ready | { why: string }>,
 * }} Matrix `versions`: where none is asked for; `core`: test files and folders, `all`: those of
 *   --all; `limitMs`: for one version;
 *   `prepare`: once, before the first version
 */

const ROOT = path.join(__dirname, '../..');
const ALL = '--all';
// What another program takes from a small machine for a moment is no fault of a version. Every
// second try is told of.
const TRIES = 2;

/**
 * Runs it with the arguments of the program, and sets its exit code: 1 where a test failed or
 * nothing was to be had, 2 for wrong arguments.
 * @param {Matrix} matrix
 */
function runMatrix(matrix) {
  main(matrix, process.argv.slice(2)).then(
    (code) => {
      process.exitCode = code;
    },
    (error) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
}

/** @param {Matrix} matrix @param {string[]} args @returns {Promise<number>} the exit code */
async function main(matrix, args) {
  const asked = args.filter((arg) => arg !== ALL || matrix.all === undefined);
  const wrong = asked.find((version) => !matrix.pattern.test(version));
  if (wrong !== undefined) {
    console.error(`"${wrong}" is not a version. ${matrix.usage}`);
    return 2;
  }
  endWithChildren();
  const env = await (matrix.prepare ?? (async (same) => same))(process.env);
  const folders = asked.length < args.length && matrix.all ? matrix.all : matrix.core;
  const results = [];
  for (const version of asked.length > 0 ? asked : matrix.versions)
    results.push(await testWith(version, { ...matrix, folders }, env));
  const { text, code } = matrixTable(matrix.what, results);
  console.log(text);
  return code;
}

/**
 * @param {string} version
 * @param {Matrix & { folders: readonly string[] }} matrix
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Result | Missing>}
 */
async function testWith(version, { what, folders, limitMs, obtain }, env) {
  console.log(`${what} ${version}`);
  const ready = await obtain(version, { env, progress: (line) => console.log(`    ${line}`) });
  if ('why' in ready) {
    console.log(`    not to be had: ${ready.why}`);
    return { name: version, why: ready.why };
  }
  const result = await runSuite(
    { name: ready.name, folders: [...folders], tries: TRIES },
    { root: ROOT, env: ready.env, limitMs, node: ready.node },
  );
  console.log(
    `    ${ready.name}: ${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`,
  );
  for (const note of result.notes) console.log(note.replace(/^/gm, '    '));
  return result;
}

module.exports = { runMatrix };
