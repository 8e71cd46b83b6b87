'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { fork } = require('node:child_process');
const { MongoMemoryServer } = require('mongodb-memory-server');
const { findMongod } = require('../mongod/find');
const { withLibraries } = require('../mongod/prove');

/** The smallest cache that mongod accepts at start: outrun within a second. */
const CACHE_GB = '0.25';
const LAUNCH_TIMEOUT_MS = 60_000;

/**
 * A mongod with a small cache on a free port, in a temporary folder.
 * @param {(line: string) => void} say
 */
async function startDemoServer(say) {
  const mongod = await findMongod({ progress: say });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `mongosh-tune-${process.pid}-demo-`));
  const dbPath = path.join(folder, 'db');
  fs.mkdirSync(dbPath);
  process.env.MONGOMS_SYSTEM_BINARY_VERSION_CHECK = 'false';
  const server = new MongoMemoryServer({
    binary: { systemBinary: mongod.path, version: mongod.version },
    // Detached: Ctrl-C on the terminal is for the shell, not for the server.
    spawn: { env: withLibraries(process.env, mongod.libraryPath), detached: true },
    instance: {
      dbPath,
      storageEngine: 'wiredTiger',
      launchTimeout: LAUNCH_TIMEOUT_MS,
      args: ['--nounixsocket', '--wiredTigerCacheSizeGB', CACHE_GB],
    },
  });
  await server.start();
  const port = server.instanceInfo?.port;
  say(
    `mongod ${mongod.version} (${mongod.from}) on port ${port}, cache ${CACHE_GB} GB, data ` +
      `in ${dbPath}`,
  );
  return {
    journal: path.join(folder, 'journal'), // a throw-away server has no place in the user's own history
    uri: `mongodb://127.0.0.1:${port}/?directConnection=true`,
    async stop() {
      server.instanceInfo?.instance.mongodProcess?.kill('SIGKILL'); // its data is thrown away: no checkpoint first
      await server.stop();
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    },
  };
}

/**
 * @param {string} uri
 * @returns {Promise<{ stop(): Promise<void> }>} once the data is in and the load runs
 */
async function startLoad(uri) {
  const child = fork(path.join(__dirname, 'load.js'), [uri], { detached: true });
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the load ended with ${code} before it began`)));
  });
  child.removeAllListeners('exit');
  return {
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return void resolve();
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

module.exports = { startDemoServer, startLoad };
