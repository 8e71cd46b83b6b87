'use strict';

const { MongoMemoryServer } = require('mongodb-memory-server');
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
const { startReplicaSet } = require('./replica-set');
const { usersOf } = require('./users');

/**
 * @import { Engine } from './mongod'
 * @import { Db, Document, MongoClient } from 'mongodb'
 */

/**
 * @typedef {object} Server
 * @property {string} uri with the credentials of root when the server asks for them
 * @property {number} port
 * @property {string} version such as 6.0.5
 * @property {string} dbPath
 * @property {number} pid of mongod
 * @property {MongoClient} client connected, with every right
 * @property {(command: Document) => Promise<Document>}
 *   adminCommand
 * @property {(name: string) => Db} db
 * @property {(name: string, roles: (string | Document)[]) => Promise<string>}
 *   addUser makes a user of the database admin and returns its URI
 * @property {(name: string, privileges: Document[], roles?: string[]) =>
 *   Promise<void>} addRole makes a role of the database admin
 * @property {(uri: string) => Promise<MongoClient>} connect a further client,
 *   closed by stop()
 * @property {(options?: { args?: string[] }) => Promise<void>} restart an orderly stop and a start
 *   on the same port and data; `args` replace those of the start
 * @property {() => Promise<void>} stop ends everything and removes the data; may be called twice
 */

/**
 * Starts a mongod of its own on 127.0.0.1.
 * @param {{
 *   args?: string[], cacheSizeGB?: number, auth?: boolean, engine?: Engine,
 *   withTimeout?: string
 * }} [options]
 *   `args` go to mongod as they are; `withTimeout`: where its data goes, such as another disk; with
 *   `auth` there is a user root whom `client` and `uri` use
 * @returns {Promise<Server>}
 */
async function startServer({
  args = [],
  cacheSizeGB = SMALL_CACHE_GB,
  auth = false,
  engine = 'wiredTiger',
  withTimeout,
} = {}) {
  const binary = await mongod();
  const folder = temporaryFolder('mongod', withTimeout);
  /** @type {MongoMemoryServer | undefined} */
  let memory;
  const processes = () => [memory?.instanceInfo?.instance.mongodProcess];
  const forget = endWithProcess(() => killNow(processes()));
  await start(() => {
    memory = new MongoMemoryServer({
      binary: binaryOptions(binary),
      spawn: spawnOptions(binary),
      instance: {
        args: allArgs(args, cacheSizeGB, engine),
        dbPath: folder.path,
        storageEngine: engine,
        launchTimeout: LAUNCH_TIMEOUT_MS,
      },
      auth: authOptions(auth),
    });
    return memory;
  });
  const { port } = memory.instanceInfo;
  const uriOf = (user) => uriFor(`127.0.0.1:${port}`, user, 'directConnection=true');
  const uri = uriOf(auth ? ROOT : undefined);
  const { api, close } = await connections(uri);
  return {
    uri,
    port,
    version: binary.version,
    dbPath: folder.path,
    get pid() {
      return processes()[0].pid;
    },
    ...api,
    ...usersOf(api, uriOf),
    async restart(again = {}) {
      await memory.stop({ doCleanup: false });
      if (again.args)
        memory.instanceInfo.instance.instanceOpts.args = allArgs(again.args, cacheSizeGB, engine);
      await memory.start(true);
      await api.adminCommand({ ping: 1 });
    },
    async stop() {
      await close();
      await kill(processes());
      await memory.stop();
      folder.remove();
      forget();
    },
  };
}

module.exports = { startServer, startReplicaSet, mongod };
