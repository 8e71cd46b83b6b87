'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const net = require('node:net');
const { MongoClient } = require('mongodb');
const { endWithProcess, kill, killNow } = require('./cleanup');
const { startReplicaSet } = require('./replica-set');

/** mongos connects to its config servers, which have to elect, first. */
const START_MS = 60_000;

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | null} the binary that TUNE_MONGOS names, or the one on PATH
 */
function findMongos(env = process.env) {
  if (env.TUNE_MONGOS) return env.TUNE_MONGOS;
  const places = (env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'mongos'));
  return places.find((file) => fs.existsSync(file)) ?? null;
}

/** @returns {Promise<number>} a port of 127.0.0.1 that is free now */
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * One shard of two members behind a mongos, with a config server of one.
 * @param {string} binary of mongos
 * @returns {Promise<{ uri: string, client: MongoClient, shard: Awaited<ReturnType<typeof
 *   startReplicaSet>>, stop: () => Promise<void> }>}
 */
async function startCluster(binary) {
  const [config, shard] = await Promise.all([
    startReplicaSet({ args: ['--configsvr'], name: 'conf' }),
    startReplicaSet({ members: 2, args: ['--shardsvr'], name: 'shard1' }),
  ]);
  const port = await freePort();
  const mongos = spawn(
    binary,
    [
      '--configdb',
      `conf/${config.hosts.join(',')}`,
      '--port',
      String(port),
      '--bind_ip',
      '127.0.0.1',
      '--nounixsocket',
    ],
    { stdio: 'ignore' },
  );
  const forget = endWithProcess(() => killNow([mongos]));
  const uri = `mongodb://127.0.0.1:${port}/`;
  const client = await new MongoClient(uri, { serverSelectionTimeoutMS: START_MS }).connect();
  await client.db('admin').command({ addShard: `shard1/${shard.hosts.join(',')}` });
  return {
    uri,
    client,
    shard,
    async stop() {
      await client.close();
      await kill([mongos]);
      await Promise.all([config.stop(), shard.stop()]);
      forget();
    },
  };
}

module.exports = { findMongos, startCluster };
