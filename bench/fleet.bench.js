'use strict';

const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const { temporaryFolder } = require('../test/support/cleanup');
const { startFleet } = require('../test/support/fleet/fleet');
const { runMongosh } = require('../test/support/mongosh');
const { startServer } = require('../test/support/server');
const { show } = require('./kit');

/**
 * tune.fleet() as it is called without options, over servers of which one in ten is in trouble or
 * cannot be looked at; they share the machine with it.
 */
const SERVERS = 500;
const BAR_SECONDS = 60;
const BAR_MB = 300;
const MB = 1e6;
/** Milliseconds, after which a mongosh that hangs is ended. */
const LONGEST_MS = 300_000;

async function run() {
  const server = await startServer();
  const simulated = await startFleet(server.client, { servers: SERVERS });
  await server.stop();
  const folder = temporaryFolder('fleet-bench');
  const file = path.join(folder.path, 'servers.json');
  fs.writeFileSync(file, JSON.stringify(simulated.servers.map(({ uri }) => uri)), { mode: 0o600 });
  const lookable = simulated.servers.filter(
    ({ kind }) => kind === 'well' || kind === 'busy',
  ).length;
  const results = [
    ...shown('Node.js', await fromNode(file, folder.path), lookable),
    ...shown('mongosh', await fromShell(file), lookable),
  ];
  await simulated.stop();
  folder.remove();
  return results;
}

/** @param {string} file @param {string} home @returns {Promise<string>} */
async function fromNode(file, home) {
  return (
    await promisify(execFile)(process.execPath, [
      path.join(__dirname, 'fleet-client.js'),
      file,
      home,
    ])
  ).stdout;
}

/** @param {string} file @returns {Promise<string>} */
async function fromShell(file) {
  const env = {
    TUNE_BENCH_INDEX: path.join(__dirname, '..', 'index.js'),
    TUNE_BENCH_KIT: path.join(__dirname, 'kit.js'),
    TUNE_BENCH_LIST: file,
  };
  const { stdout, stderr, code } = await runMongosh(
    ['--nodb', '--quiet', '--file', path.join(__dirname, 'fleet-shell.js')],
    { env, timeout: LONGEST_MS, coverage: false },
  );
  if (code !== 0) throw new Error(`mongosh ended with ${code}: ${stderr || stdout}`);
  return stdout;
}

/** @param {string} from @param {string} reported @param {number} lookable @returns {boolean[]} */
function shown(from, reported, lookable) {
  const { seconds, rows, states, statuses, rssBytes, cpuSeconds } = JSON.parse(reported);
  const words = (/** @type {Record<string, number>} */ counts) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ');
  return [
    rows === SERVERS && states.examined === lookable,
    show({
      name: `tune.fleet() over ${SERVERS} servers from ${from}`,
      value: seconds,
      bar: BAR_SECONDS,
      unit: 's',
      how: `${words(states)}; ${words(statuses)}; ${cpuSeconds.toFixed(0)} s of processor`,
    }),
    show({
      name: `its memory from ${from}`,
      value: rssBytes / MB,
      bar: BAR_MB,
      unit: 'MB',
      how: 'largest resident size of its process',
    }),
  ];
}

module.exports = { run };
