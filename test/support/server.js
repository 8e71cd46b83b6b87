'use strict';

const fs = require('node:fs');
const { MongoClient } = require('mongodb');
const { MongoMemoryServer, MongoMemoryReplSet } = require('mongodb-memory-server');
const { findMongod } = require('../../scripts/mongod/find');
const { withLibraries } = require('../../scripts/mongod/prove');
const { endWithProcess, kill, killNow, temporaryFolder } = require('./cleanup');
const { usersOf } = require('./users');

// The binary was proven when it was found; checking again would print a warning, and fails for one that needs its own libraries.
process.env.MONGOMS_SYSTEM_BINARY_VERSION_CHECK = 'false';

// The smallest cache that mongod accepts at start: tests want it full within seconds.
const SMALL_CACHE_GB = 0.25;
// mongod answers within a second; two cores shared with a whole test suite can take many.
const LAUNCH_TIMEOUT_MS = 60_000;
const SELECTION_TIMEOUT_MS = 10_000;
const ROOT = { name: 'root', password: 'root-password' };

// Members wait this long before one of them stands for election, and hear of each other this often.
const FAST_FIRST_ELECTION = { electionTimeoutMillis: 500, heartbeatIntervalMillis: 200 };
// MongoDB's default: on a busy machine half a second would make primaries step down.
const ELECTION_TIMEOUT_MS = 10_000;

/** @type {Promise<import('../../scripts/mongod/find').Mongod> | undefined} */
let found;

/** The mongod of this run: found once, and said in one line when finding it takes time. */
function mongod() {
  found ??= findMongod({ progress: process.env.MONGOMS_SYSTEM_BINARY ? undefined : (line) => process.stderr.write(`${line}\n`) });
  return found;
}

/**
 * @typedef {object} Server
 * @property {string} uri with the credentials of root when the server asks for them
 * @property {number} port
 * @property {string} version such as 6.0.5
 * @property {string} dbPath
 * @property {number} pid of mongod
 * @property {MongoClient} client connected, with every right
 * @property {(command: import('mongodb').Document) => Promise<import('mongodb').Document>} adminCommand
 * @property {(name: string) => import('mongodb').Db} db
 * @property {(name: string, roles: (string | import('mongodb').Document)[]) => Promise<string>} addUser makes a user of the database admin and returns its URI
 * @property {(name: string, privileges: import('mongodb').Document[], roles?: string[]) => Promise<void>} addRole makes a role of the database admin
 * @property {(uri: string) => Promise<MongoClient>} connect a further client, closed by stop()
 * @property {(options?: { args?: string[] }) => Promise<void>} restart an orderly stop and a start on the same port and data; `args` replace those of the start
 * @property {() => Promise<void>} stop ends everything and removes the data; may be called twice
 */

/**
 * Starts a mongod of its own on 127.0.0.1.
 * @param {{ args?: string[], cacheSizeGB?: number, auth?: boolean, engine?: 'wiredTiger' | 'ephemeralForTest' }} [options]
 *   `args` go to mongod as they are; with `auth` there is a user root whom `client` and `uri` use
 * @returns {Promise<Server>}
 */
async function startServer({ args = [], cacheSizeGB = SMALL_CACHE_GB, auth = false, engine = 'wiredTiger' } = {}) {
  const binary = await mongod();
  const folder = temporaryFolder('mongod');
  const memory = new MongoMemoryServer({
    binary: binaryOptions(binary), spawn: spawnOptions(binary),
    instance: { args: allArgs(args, cacheSizeGB, engine), dbPath: folder.path, storageEngine: engine, launchTimeout: LAUNCH_TIMEOUT_MS },
    auth: authOptions(auth),
  });
  const processes = () => [memory.instanceInfo?.instance.mongodProcess];
  const forget = endWithProcess(() => killNow(processes()));
  await memory.start();
  const port = memory.instanceInfo.port;
  const uri = uriFor(`127.0.0.1:${port}`, auth ? ROOT : undefined, 'directConnection=true');
  const clients = await connections(uri);
  return {
    uri, port, version: binary.version, dbPath: folder.path,
    get pid() { return memory.instanceInfo.instance.mongodProcess.pid; },
    ...clients.api,
    ...usersOf(clients.api, (user) => uriFor(`127.0.0.1:${port}`, user, 'directConnection=true')),
    async restart(again = {}) {
      await memory.stop({ doCleanup: false });
      if (again.args) memory.instanceInfo.instance.instanceOpts.args = allArgs(again.args, cacheSizeGB, engine);
      await memory.start(true);
      await clients.api.adminCommand({ ping: 1 });
    },
    async stop() {
      await clients.close();
      await kill(processes());
      await memory.stop();
      folder.remove();
      forget();
    },
  };
}

/**
 * Starts a replica set on 127.0.0.1 and waits until its members are primary, secondary or arbiter.
 * @param {{ members?: number | import('mongodb').Document[], args?: string[], cacheSizeGB?: number, auth?: boolean, engine?: 'wiredTiger' | 'ephemeralForTest' }} [options]
 *   `members` is their number, or for each its part of the replica set's configuration, such as `{ arbiterOnly: true }`
 * @returns {Promise<Server & { hosts: string[], primary: () => Promise<string>, uriOf: (host: string) => string }>}
 *   `uri` and `client` follow the primary; `uriOf(host)` reaches one member alone
 */
async function startReplicaSet({ members = 1, args = [], cacheSizeGB = SMALL_CACHE_GB, auth = false, engine = 'wiredTiger' } = {}) {
  const binary = await mongod();
  const configs = Array.isArray(members) ? members : Array.from({ length: members }, () => ({}));
  const folders = configs.map((_, i) => temporaryFolder(`member${i}`));
  const memory = new MongoMemoryReplSet({
    binary: binaryOptions(binary),
    instanceOpts: configs.map((replicaMemberConfig, i) => ({ replicaMemberConfig, dbPath: folders[i].path, storageEngine: engine, launchTimeout: LAUNCH_TIMEOUT_MS })),
    replSet: { count: configs.length, name: 'tune', args: allArgs(args, cacheSizeGB, engine), spawn: spawnOptions(binary), storageEngine: engine, auth: authOptions(auth), configSettings: FAST_FIRST_ELECTION },
  });
  const processes = () => memory.servers.map(({ instanceInfo }) => instanceInfo?.instance.mongodProcess);
  const forget = endWithProcess(() => {
    killNow(processes());
    if (memory._keyfiletmp) fs.rmSync(memory._keyfiletmp, { recursive: true, force: true });
  });
  await memory.start();
  await memory.waitUntilRunning();
  const hosts = memory.servers.map(({ instanceInfo }) => `127.0.0.1:${instanceInfo.port}`);
  const root = auth ? ROOT : undefined;
  const uri = uriFor(hosts.join(','), root, 'replicaSet=tune');
  const clients = await connections(uri);
  await calmElections(clients.api);
  await settled(clients.api);
  return {
    uri, hosts, version: binary.version, dbPath: folders[0].path, port: memory.servers[0].instanceInfo.port,
    get pid() { return memory.servers[0].instanceInfo.instance.mongodProcess.pid; },
    ...clients.api,
    ...usersOf(clients.api, (user) => uriFor(hosts.join(','), user, 'replicaSet=tune')),
    uriOf: (host) => uriFor(host, root, 'directConnection=true'),
    primary: async () => (await clients.api.adminCommand({ hello: 1 })).primary,
    async restart() {
      await memory.stop({ doCleanup: false });
      await memory.start();
      await memory.waitUntilRunning();
    },
    async stop() {
      await clients.close();
      await kill(processes());
      await memory.stop();
      folders.forEach((folder) => folder.remove());
      forget();
    },
  };
}

/** @param {Pick<Server, 'adminCommand'>} server */
async function calmElections({ adminCommand }) {
  const { config } = await adminCommand({ replSetGetConfig: 1 });
  config.settings.electionTimeoutMillis = ELECTION_TIMEOUT_MS;
  // Forced, because the ordinary command waits for two rounds of heartbeats.
  await adminCommand({ replSetReconfig: { ...config, version: config.version + 1 }, force: true });
}

/** Waits until no member starts up or copies data any more. @param {Pick<Server, 'adminCommand'>} server */
async function settled({ adminCommand }) {
  const deadline = Date.now() + LAUNCH_TIMEOUT_MS;
  for (;;) {
    const { members } = await adminCommand({ replSetGetStatus: 1 });
    if (members.every(({ stateStr }) => ['PRIMARY', 'SECONDARY', 'ARBITER'].includes(stateStr))) return;
    if (Date.now() > deadline) throw new Error(`the replica set does not settle: ${members.map(({ name, stateStr }) => `${name} ${stateStr}`).join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** @param {import('../../scripts/mongod/find').Mongod} binary */
function binaryOptions({ path, version }) {
  return { systemBinary: path, version };
}

/** The libraries reach mongod alone. @param {import('../../scripts/mongod/find').Mongod} binary */
function spawnOptions({ libraryPath }) {
  return { env: withLibraries(process.env, libraryPath) };
}

/** @param {string[]} args @param {number} cacheSizeGB @param {string} engine */
function allArgs(args, cacheSizeGB, engine) {
  const cache = engine === 'wiredTiger' ? ['--wiredTigerCacheSizeGB', String(cacheSizeGB)] : [];
  return ['--nounixsocket', ...cache, ...args];
}

/** @param {boolean} enable */
function authOptions(enable) {
  return { enable, customRootName: ROOT.name, customRootPwd: ROOT.password };
}

/** @param {string} hosts @param {{ name: string, password: string } | undefined} user @param {string} query */
function uriFor(hosts, user, query) {
  const credentials = user ? `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}@` : '';
  return `mongodb://${credentials}${hosts}/?${query}${user ? '&authSource=admin' : ''}`;
}

/** The clients of one server. @param {string} uri */
async function connections(uri) {
  /** @type {MongoClient[]} */
  const open = [];
  const connect = async (to) => {
    const client = new MongoClient(to, { serverSelectionTimeoutMS: SELECTION_TIMEOUT_MS });
    open.push(client);
    return client.connect();
  };
  const client = await connect(uri);
  return {
    api: { client, connect, adminCommand: (command) => client.db('admin').command(command), db: (name) => client.db(name) },
    close: () => Promise.all(open.splice(0).map((one) => one.close(true))),
  };
}

module.exports = { startServer, startReplicaSet, mongod };
