'use strict';

const path = require('node:path');
const { findMongod, withMongod } = require('./mongod/find');
const { installRelease } = require('./matrix/install');
const { matrixTable } = require('./matrix/table');
const { endWithChildren } = require('./testing/process');
const { runSuite } = require('./testing/suites');

/** @typedef {import('./testing/suites').Result} Result @typedef {import('./matrix/table').Missing} Missing */

const ROOT = path.join(__dirname, '..');
const LIMIT_MS = 15 * 60_000;
const USAGE = 'npm run test:nodes -- [version …], such as 20.19.0 24; without a version, 20.19.0, 22 and 24';

/** The oldest of `engines`, and the newest of each line that Node.js keeps up; mongosh itself comes with one of them. */
const NODES = ['20.19.0', '22', '24'];
/** All that runs without a server, the library on a real one, and the same answers beside a real mongosh. */
const FOLDERS = ['test/unit', 'test/server/status.test.js', 'test/server/apply.test.js', 'test/shell/node.test.js'];

main(process.argv.slice(2)).then((code) => { process.exitCode = code; }, (error) => {
  console.error(error);
  process.exitCode = 1;
});

/** @param {string[]} versions @returns {Promise<number>} the exit code */
async function main(versions) {
  const wrong = versions.find((version) => !/^\d+(\.\d+\.\d+)?$/.test(version));
  if (wrong !== undefined) {
    console.error(`"${wrong}" is not a version. ${USAGE}`);
    return 2;
  }
  endWithChildren();
  const mongod = await findMongod({ progress: console.log });
  const env = withMongod(process.env, mongod);
  const results = [];
  for (const version of versions.length > 0 ? versions : NODES) results.push(await testWith(version, env));
  const { text, code } = matrixTable('Node.js', results);
  console.log(text);
  return code;
}

/** @param {string} wanted @param {NodeJS.ProcessEnv} env @returns {Promise<Result | Missing>} */
async function testWith(wanted, env) {
  console.log(`Node.js ${wanted}`);
  // The program alone, without the installer of the package `node`, which is a script.
  const node = await installRelease(`node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`, wanted, { progress: (line) => console.log(`    ${line}`) });
  if ('why' in node) {
    console.log(`    not to be had: ${node.why}`);
    return { name: wanted, why: node.why };
  }
  const program = path.join(node.folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const result = await runSuite({ name: node.version, folders: FOLDERS, tries: 2 }, { root: ROOT, env, limitMs: LIMIT_MS, node: program });
  for (const note of result.notes) console.log(note.replace(/^/gm, '    '));
  return result;
}
