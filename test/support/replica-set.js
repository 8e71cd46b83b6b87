'use strict';

const fs = require('node:fs');
const { MongoMemoryReplSet } = require('mongodb-memory-server');
const { endWithProcess, kill, killNow, temporaryFolder } = require('./cleanup');
const { connections } = require('./connections');
const {
  mongod,
  start,
  binaryOptions,
  spawnOptions,
  allArgs,
  authOptions,
  uriFor,
  ROOT,
  SMALL_CACHE_GB,
  LAUNCH_TIMEOUT_MS,
} = require('./mongod');
const { usersOf } = require('./users');

/**
 * @import { Engine } from './mongod'
 * @import { Server } from './server'
 * @import { Document } from 'mongodb'
 * @import { ChildProcess } from 'node:child_process'
 */

const NAME = 'tune';
// Members wait this long before one of them stands for election, and hear of each other this often.
const FAST_FIRST_ELECTION = { electionTimeoutMillis: 500, heartbeatIntervalMillis: 200 };
// While the first user is made among several members, a busy machine must not make the primary step
// down.
const SAFE_FIRST_ELECTION = { electionTimeoutMillis: 5000, heartbeatIntervalMillis: 500 };
// MongoDB's default: on a busy machine half a second would make primaries step down.
const ELECTION_TIMEOUT_MS = 10_000;
const POLL_EVERY_MS = 50;

/**
 * Starts a replica set on 127.0.0.1 and waits until its members are primary, secondary or arbiter.
 * @param {{
 *   members?: number | Document[], args?: string[], cacheSizeGB?: number,
 *   auth?: boolean, engine?: Engine, name?: string
 * }} [options]
 *   `members` is their number, or for each its part of the replica set's configuration, such as
 *   `{ arbiterOnly: true }`
 * @returns {Promise<Server & { hosts: string[], primary: () => Promise<string>, uriOf: (host:
 *   string) => string, processes: () => (ChildProcess | undefined)[],
 *   kill: (host: string) => Promise<void>, revive: (host: string) => Promise<void>,
 *   electAnother: () => Promise<void> }>}
 *   `uri` and `client` follow the primary; `uriOf(host)` reaches one member alone; `kill` is kill
 *   -9, `revive` the same member again with its port and data; `port`, `pid` and `dbPath` are those
 *   of the first member; `electAnother` has the primary step down and waits for another
 */
async function startReplicaSet({
  members = 1,
  args = [],
  cacheSizeGB = SMALL_CACHE_GB,
  auth = false,
  engine = 'wiredTiger',
  name = NAME,
} = {}) {
  const binary = await mongod();
  const configs = Array.isArray(members) ? members : Array.from({ length: members }, () => ({}));
  const folders = configs.map((_, i) => temporaryFolder(`member${i}`));
  /** @type {MongoMemoryReplSet | undefined} */
  let memory;
  const processes = () =>
    memory?.servers.map(({ instanceInfo }) => instanceInfo?.instance.mongodProcess) ?? [];
  const forget = endWithProcess(() => {
    killNow(processes());
    if (memory?._keyfiletmp) fs.rmSync(memory._keyfiletmp, { recursive: true, force: true });
  });
  await start(() => {
    memory = new MongoMemoryReplSet({
      binary: binaryOptions(binary),
      instanceOpts: configs.map((replicaMemberConfig, i) => ({
        replicaMemberConfig,
        dbPath: folders[i].path,
        storageEngine: engine,
        launchTimeout: LAUNCH_TIMEOUT_MS,
      })),
      replSet: {
        count: configs.length,
        name,
        args: allArgs(args, cacheSizeGB, engine),
        spawn: spawnOptions(binary),
        storageEngine: engine,
        auth: authOptions(auth),
        configSettings: auth && configs.length > 1 ? SAFE_FIRST_ELECTION : FAST_FIRST_ELECTION,
      },
    });
    return memory;
  });
  await memory.waitUntilRunning();
  const hosts = memory.servers.map(({ instanceInfo }) => `127.0.0.1:${instanceInfo.port}`);
  const root = auth ? ROOT : undefined;
  const uri = uriFor(hosts.join(','), root, `replicaSet=${name}`);
  const { api, close } = await connections(uri);
  await calmElections(api);
  await settled(api);
  const uriOf = (host) => uriFor(host, root, 'directConnection=true');
  const primary = async () => (await api.adminCommand({ hello: 1 })).primary;
  return {
    uri,
    hosts,
    version: binary.version,
    dbPath: folders[0].path,
    port: memory.servers[0].instanceInfo.port,
    get pid() {
      return processes()[0].pid;
    },
    ...api,
    ...usersOf(
      api,
      (user) => uriFor(hosts.join(','), user, `replicaSet=${name}`),
      configs.filter(({ arbiterOnly }) => !arbiterOnly).length,
    ),
    uriOf,
    primary,
    processes,
    kill: (host) => kill([processes()[hosts.indexOf(host)]]),
    async revive(host) {
      const member = memory.servers[hosts.indexOf(host)];
      await member.stop({ doCleanup: false });
      await member.start(true);
    },
    async electAnother() {
      const old = await primary();
      const there = (await api.connect(uriOf(old))).db('admin');
      await there.command({ replSetStepDown: 60, secondaryCatchUpPeriodSecs: 10 });
      for (const end = Date.now() + LAUNCH_TIMEOUT_MS; Date.now() < end;) {
        const now = await primary().catch(() => undefined);
        if (now !== undefined && now !== old)
          return void (await there.command({ replSetFreeze: 0 }));
        await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
      }
      throw new Error(`no member was elected after ${old}`);
    },
    async restart() {
      await memory.stop({ doCleanup: false });
      await memory.start();
      await memory.waitUntilRunning();
      await settled(api);
    },
    async stop() {
      await close();
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

/**
 * Waits until no member starts up or copies data any more.
 * @param {Pick<Server, 'adminCommand'>} server
 */
async function settled({ adminCommand }) {
  const deadline = Date.now() + LAUNCH_TIMEOUT_MS;
  for (;;) {
    const { members } = await adminCommand({ replSetGetStatus: 1 });
    if (members.every(({ stateStr }) => ['PRIMARY', 'SECONDARY', 'ARBITER'].includes(stateStr)))
      return;
    if (Date.now() > deadline)
      throw new Error(
        'the replica set does not settle: ' +
          `${members.map(({ name, stateStr }) => `${name} ${stateStr}`).join(', ')}`,
      );
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

module.exports = { startReplicaSet };
