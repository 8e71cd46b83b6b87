'use strict';

const path = require('node:path');
const { SERVERS, obtainServer } = require('./mongod/servers');
const { endWithChildren } = require('./testing/process');
const { runSuite } = require('./testing/suites');
const { total } = require('./testing/total');

/** @typedef {import('./testing/suites').Result} Result @typedef {{ version: string, why: string }} Missing */

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
  return summarize(results);
}

/** @param {string} version @returns {Promise<Result | Missing>} */
async function testOn(version) {
  console.log(`mongod ${version}`);
  const server = await obtainServer(version, { env: process.env, progress: (line) => console.log(`    ${line}`) });
  if ('why' in server) {
    console.log(`    not to be had: ${server.why}`);
    return { version, why: server.why };
  }
  const env = { ...process.env, MONGOMS_SYSTEM_BINARY: server.path, TUNE_MONGOD_LIBRARY_PATH: server.libraryPath };
  const result = await runSuite({ name: version, folders: ['test/server'] }, { root: ROOT, env, limitMs: LIMIT_MS });
  for (const note of result.notes) console.log(note.replace(/^/gm, '    '));
  return result;
}

/** @param {(Result | Missing)[]} results @returns {number} the exit code: also 1 when no server at all could be had */
function summarize(results) {
  console.log(`\n${'mongod'.padEnd(10)}${['passed', 'failed', 'skipped', 'seconds'].map((head) => head.padStart(9)).join('')}`);
  for (const result of results) {
    if ('why' in result) console.log(`${result.version.padEnd(10)}  not to be had: ${result.why}`);
    else console.log(`${result.name.padEnd(10)}${[result.passed, result.failed, result.skipped, Math.round(result.ms / 1000)].map((n) => String(n).padStart(9)).join('')}`);
  }
  const ran = results.filter((result) => !('why' in result));
  const { failed, line } = total(/** @type {Result[]} */ (ran));
  console.log(`\n${ran.length} of ${results.length} servers, ${results.length - ran.length} not to be had`);
  console.log(line);
  return failed > 0 || ran.length === 0 ? 1 : 0;
}
