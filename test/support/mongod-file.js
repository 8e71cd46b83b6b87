'use strict';

const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { MongoClient } = require('mongodb');
const { mongod } = require('./server');
const { withLibraries } = require('../../scripts/mongod/prove');
const { endWithProcess, kill, killNow, temporaryFolder } = require('./cleanup');

/**
 * @import { AddressInfo } from 'node:net'
 */

const STARTED_WITHIN_MS = 30_000;

/**
 * Starts a mongod with a configuration file, as an administrator would: nothing of it is on the
 * command line but the place.
 * @param {string} yaml
 * @param {(client: MongoClient) => Promise<void>} work
 * @returns {Promise<number | null>} the exit code when mongod did not start; null when it did, and
 *   `work` was done
 */
async function withConfigFile(yaml, work) {
  const { path: binary, libraryPath } = await mongod();
  const folder = temporaryFolder('conf');
  const file = path.join(folder.path, 'mongod.conf');
  fs.writeFileSync(file, yaml);
  fs.mkdirSync(path.join(folder.path, 'data'));
  const port = await freePort();
  const args = [
    '--config',
    file,
    '--dbpath',
    path.join(folder.path, 'data'),
    '--port',
    String(port),
    '--bind_ip',
    '127.0.0.1',
    '--nounixsocket',
    '--logpath',
    path.join(folder.path, 'log'),
  ];
  const child = spawn(binary, args, {
    stdio: 'ignore',
    env: withLibraries(process.env, libraryPath),
  });
  const forget = endWithProcess(() => killNow([child]));
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: STARTED_WITHIN_MS,
  });
  try {
    const ended = once(child, 'exit').then(([code]) => ({ code }));
    const first = await Promise.race([ended, client.connect()]);
    if ('code' in first) return first.code;
    await work(client);
    return null;
  } finally {
    await client.close(true);
    await kill([child]);
    folder.remove();
    forget();
  }
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

module.exports = { withConfigFile };
