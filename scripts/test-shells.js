'use strict';

const path = require('node:path');
const { findMongod, withMongod } = require('./mongod/find');
const { installRelease } = require('./matrix/install');
const { matrixTable } = require('./matrix/table');
const { endWithChildren } = require('./testing/process');
const { runSuite } = require('./testing/suites');

/** @typedef {import('./testing/suites').Result} Result @typedef {import('./matrix/table').Missing} Missing */

const ROOT = path.join(__dirname, '..');
const LIMIT_MS = 20 * 60_000;
const USAGE = 'npm run test:shells -- [--all] [version …], such as 2.0.2 latest; without a version, all of the matrix; --all: the whole shell suite, not its core';

/** The oldest we support, the last of some lines between, the newest. */
const SHELLS = ['2.0.2', '2.1.5', '2.2.15', '2.3.9', '2.5.10', 'latest'];
/** What differs from shell to shell: loading, installing, printing, awaiting, words, completion, Ctrl-C, scripts, and every example of the help. */
const CORE = ['broken', 'check', 'commands', 'interrupt', 'node', 'snippet-install', 'terminal'];

main(process.argv.slice(2)).then((code) => { process.exitCode = code; }, (error) => {
  console.error(error);
  process.exitCode = 1;
});

/** @param {string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const all = args.includes('--all');
  const versions = args.filter((arg) => arg !== '--all');
  const wrong = versions.find((version) => !/^(latest|\d+\.\d+\.\d+)$/.test(version));
  if (wrong !== undefined) {
    console.error(`"${wrong}" is not a version. ${USAGE}`);
    return 2;
  }
  endWithChildren();
  const mongod = await findMongod({ progress: console.log });
  const env = withMongod(process.env, mongod);
  const folders = all ? ['test/shell'] : CORE.map((name) => `test/shell/${name}.test.js`);
  const results = [];
  for (const version of versions.length > 0 ? versions : SHELLS) results.push(await testWith(version, folders, env));
  const { text, code } = matrixTable('mongosh', results);
  console.log(text);
  return code;
}

/** @param {string} wanted @param {string[]} folders @param {NodeJS.ProcessEnv} env @returns {Promise<Result | Missing>} */
async function testWith(wanted, folders, env) {
  console.log(`mongosh ${wanted}`);
  const shell = await installRelease('mongosh', wanted, { progress: (line) => console.log(`    ${line}`) });
  if ('why' in shell) {
    console.log(`    not to be had: ${shell.why}`);
    return { name: wanted, why: shell.why };
  }
  const program = path.join(shell.folder, 'bin', 'mongosh.js');
  const result = await runSuite({ name: shell.version, folders, tries: 2 }, { root: ROOT, env: { ...env, TUNE_MONGOSH: program }, limitMs: LIMIT_MS });
  for (const note of result.notes) console.log(note.replace(/^/gm, '    '));
  return result;
}
