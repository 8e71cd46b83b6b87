'use strict';

const { spawn } = require('node:child_process');
const net = require('node:net');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { MongoClient } = require('mongodb');
const { withLibraries } = require('../../scripts/mongod/prove');
const { endWithProcess, temporaryFolder } = require('./cleanup');
const { mongod, SMALL_CACHE_GB } = require('./mongod');

/**
 * A mongod that writes its own log and diagnostic data, as one in production does, so that incidents
 * can be staged on it and read afterwards.
 * @typedef {object} Staged
 * @property {string} folder
 * @property {string} dbPath
 * @property {string} log
 * @property {number} port
 * @property {() => number} pid
 * @property {() => MongoClient} client
 * @property {(signal: NodeJS.Signals) => void} signal
 * @property {() => Promise<void>} start again, with the same port and data
 * @property {() => Promise<void>} ended waits until the process is gone
 * @property {() => Promise<void>} stop in order, with a last sample; the files stay
 * @property {() => Promise<void>} remove ends everything and removes the files
 */

const START_MS = 90_000;
const STOP_MS = 30_000;

/** A port that was free a moment ago. @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/**
 * @param {{ args?: string[], dbPath?: string, cacheSizeGB?: number, onStart?: (pid: number) => void }} [options]
 *   `dbPath`: of its own file system
 * @returns {Promise<Staged>}
 */
async function stagedServer({ args = [], dbPath, cacheSizeGB = SMALL_CACHE_GB, onStart } = {}) {
  const binary = await mongod();
  const folder = temporaryFolder('staged');
  const data = dbPath ?? folder.path;
  const log = path.join(folder.path, 'mongod.log');
  const port = await freePort();
  /** @type {import('node:child_process').ChildProcess} */
  let child;
  /** @type {MongoClient} */
  let client;
  const forget = endWithProcess(() => child?.kill('SIGKILL'));
  const ended = async () => {
    for (const end = Date.now() + STOP_MS; Date.now() < end;) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      await sleep(50);
    }
    throw new Error('mongod did not end');
  };
  const start = async () => {
    child = spawn(
      binary.path,
      [
        ...['--dbpath', data, '--port', String(port), '--bind_ip', '127.0.0.1', '--nounixsocket'],
        ...['--logpath', log, '--logappend', '--wiredTigerCacheSizeGB', String(cacheSizeGB)],
        ...args,
      ],
      { env: withLibraries(process.env, binary.libraryPath), stdio: 'ignore' },
    );
    onStart?.(/** @type {number} */ (child.pid));
    client = await connected(port, child);
  };
  await start();
  return {
    folder: folder.path,
    dbPath: data,
    log,
    port,
    pid: () => /** @type {number} */ (child.pid),
    client: () => client,
    signal: (signal) => child.kill(signal),
    start: async () => {
      await client.close().catch(() => {});
      await start();
    },
    ended,
    stop: async () => {
      await client.close().catch(() => {});
      child.kill('SIGTERM');
      await ended();
    },
    remove: async () => {
      await client?.close().catch(() => {});
      child.kill('SIGCONT');
      child.kill('SIGKILL');
      await ended().catch(() => {});
      folder.remove();
      forget();
    },
  };
}

/** @param {number} port @param {import('node:child_process').ChildProcess} child */
async function connected(port, child) {
  for (const end = Date.now() + START_MS; Date.now() < end;) {
    if (child.exitCode !== null) throw new Error(`mongod ended with ${child.exitCode}`);
    try {
      return await MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
        serverSelectionTimeoutMS: 1000,
        socketTimeoutMS: 60_000,
      });
    } catch (_notYet) {
      await sleep(200);
    }
  }
  throw new Error('mongod did not start');
}

/**
 * Makes one member of each server a replica set, and waits for its primary.
 * @param {readonly Staged[]} servers the first one becomes primary
 * @param {{ arbiters?: number, electionTimeoutMs?: number }} [options] `arbiters`: so many of the last
 */
async function asReplicaSet(servers, { arbiters = 0, electionTimeoutMs = 10_000 } = {}) {
  const admin = servers[0].client().db('admin');
  await admin.command({
    replSetInitiate: {
      _id: 'staged',
      members: servers
        .map(({ port }, i) => ({
          _id: i,
          host: `127.0.0.1:${port}`,
          priority: i === 0 ? 2 : 1,
          arbiterOnly: i >= servers.length - arbiters,
        }))
        .map((member) => (member.arbiterOnly ? { ...member, priority: 0 } : member)),
      settings: { electionTimeoutMillis: electionTimeoutMs, heartbeatIntervalMillis: 500 },
    },
  });
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(200))
    if ((await admin.command({ hello: 1 })).isWritablePrimary) return;
  throw new Error('no primary was elected');
}

module.exports = { stagedServer, asReplicaSet };
