'use strict';

const { execFile } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { promisify } = require('node:util');
const { temporaryFolder } = require('../test/support/cleanup');
const { startFleet } = require('../test/support/fleet/fleet');
const { startServer } = require('../test/support/server');
const { show } = require('./kit');

/** tune.fleet() as it is called without options, over servers of which one in ten is in trouble or cannot be looked at; they share the machine with it. */
const SERVERS = 500;
const BAR_SECONDS = 60;
const BAR_MB = 300;
const MB = 1e6;

async function run() {
  const server = await startServer();
  const simulated = await startFleet(server.client, { servers: SERVERS });
  await server.stop();
  const folder = temporaryFolder('fleet-bench');
  const file = path.join(folder.path, 'servers.json');
  fs.writeFileSync(file, JSON.stringify(simulated.servers.map(({ uri }) => uri)), { mode: 0o600 });
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(__dirname, 'fleet-client.js'), file, folder.path]);
  await simulated.stop();
  folder.remove();
  const { seconds, rows, states, statuses, rssBytes, cpuSeconds } = JSON.parse(stdout);
  const words = (/** @type {Record<string, number>} */ counts) => Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(', ');
  return [
    rows === SERVERS && states.looked === simulated.servers.filter(({ kind }) => kind === 'well' || kind === 'busy').length,
    show({ name: `tune.fleet() over ${SERVERS} servers`, value: seconds, bar: BAR_SECONDS, unit: 's', how: `${words(states)}; ${words(statuses)}; ${cpuSeconds.toFixed(0)} s of processor` }),
    show({ name: 'its memory', value: rssBytes / MB, bar: BAR_MB, unit: 'MB', how: 'largest resident size of its process' }),
  ];
}

module.exports = { run };
