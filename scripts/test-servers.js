'use strict';

const path = require('node:path');
const { SERVERS, obtainServer } = require('./mongod/servers');
const { matrixTable } = require('./matrix/table');
const { endWithChildren } = require('./testing/process');
const { runSuite } = require('./testing/suites');

/** @typedef {import('./testing/suites').Result} Result @typedef {import('./matrix/table').Missing} Missing */

const ROOT = path.join(__dirname, '..');
const LIMIT_MS = 15 * 60_000;
const USAGE = 'npm run test:servers -- [version …], such as 4.4.2 6.0.27; without a version, all of them';

main(process.argv.slice(2)).then((code) => { process.exitCode = code; }, (error) => {
  console.error(error);
  process.exitCode = 1;
});

/** @param {string[]} versions @returns {Promise<number>} the exit code */
async function main(versions) {
  const wrong = versions.find((version) => !/^\d+\.\d+\.\d+$/.test(version));
  if (wrong !== undefined) {
    console.error(`"${wrong}" is not a version. ${USAGE}`);
    return 2;
  }
  endWithChildren();
  const results = [];
  for (const version of versions.length > 0 ? versions : SERVERS.map((server) => server.version)) results.push(await testOn(version));
  const { text, code } = matrixTable('mongod', results);
  console.log(text);
  return code;
}

/** @param {string} version @returns {Promise<Result | Missing>} */
async function testOn(version) {
  console.log(`mongod ${version}`);
  const server = await obtainServer(version, { env: process.env, progress: (line) => console.log(`    ${line}`) });
  if ('why' in server) {
    console.log(`    not to be had: ${server.why}`);
    return { name: version, why: server.why };
  }
  const env = { ...process.env, MONGOMS_SYSTEM_BINARY: server.path, TUNE_MONGOD_LIBRARY_PATH: server.libraryPath };
  const result = await runSuite({ name: version, folders: ['test/server'] }, { root: ROOT, env, limitMs: LIMIT_MS });
  for (const note of result.notes) console.log(note.replace(/^/gm, '    '));
  return result;
}
