'use strict';

const { statuses } = require('./statuses');

/**
 * @import { Port } from '../../lib/base/context'
 */

/**
 * A sharded cluster as it answers at the port, after the manual and the shapes of 6.0: a mongos,
 * and shards that are replica sets.
 * @typedef {Record<string, any>} Answers by command; an Error is thrown, a function is called
 */

const NOW = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
const refusal = (code = 13) =>
  Object.assign(new Error('not authorized on admin to execute command'), {
    name: 'MongoServerError',
    code,
  });
const lost = (why = 'connect ECONNREFUSED') =>
  Object.assign(new Error(why), { name: 'MongoServerSelectionError' });

/** As `config.version` has it. */
const CLUSTER_ID = '64b0c0ffee64b0c0ffee0001';

/** @param {Answers} answers @returns {Port} */
function portOf(answers) {
  const adminCommand = async (/** @type {Record<string, unknown>} */ command) => {
    const answer = answers[Object.keys(command)[0]];
    if (answer === undefined)
      throw Object.assign(new Error(`no such command: '${Object.keys(command)[0]}'`), {
        name: 'MongoServerError',
        code: 59,
      });
    const value = typeof answer === 'function' ? await answer(command) : answer;
    if (value instanceof Error) throw value;
    return value;
  };
  return { adminCommand, command: async (_database, command) => adminCommand(command) };
}

/**
 * @param {string} set
 * @param {string[]} hosts the first is the primary
 * @param {string} me
 * @returns {Answers}
 */
function memberAnswers(set, hosts, me) {
  let i = 0;
  const attempts = statuses(200, () => ({}));
  return {
    hello: {
      setName: set,
      me,
      primary: hosts[0],
      hosts,
      isWritablePrimary: me === hosts[0],
      secondary: me !== hosts[0],
      ok: 1,
    },
    replSetGetStatus: {
      set,
      majorityVoteCount: 2,
      optimes: { lastCommittedWallTime: NOW },
      members: hosts.map((name, n) => ({
        name,
        health: 1,
        stateStr: n === 0 ? 'PRIMARY' : 'SECONDARY',
        optimeDate: NOW,
        self: name === me,
      })),
    },
    replSetGetConfig: {
      config: {
        members: hosts.map((host, _id) => ({
          _id,
          host,
          arbiterOnly: false,
          hidden: false,
          priority: 1,
          votes: 1,
          secondaryDelaySecs: 0,
        })),
        settings: { heartbeatIntervalMillis: 20 },
      },
    },
    serverStatus: () => ({ ...attempts[i++ % attempts.length], host: me, pid: 7, ok: 1 }),
    hostInfo: { system: { memSizeMB: 16_384, memLimitMB: 16_384, numCores: 8 } },
    buildInfo: { version: '6.0.5' },
    getCmdLineOpts: {
      argv: ['mongod', '-f', '/etc/mongod.conf'],
      parsed: {
        config: '/etc/mongod.conf',
        sharding: { clusterRole: 'shardsvr' },
        replication: { replSetName: set },
      },
    },
    getParameter: (command) =>
      command.getParameter === '*'
        ? { ttlMonitorSleepSecs: 60, ok: 1 }
        : { wiredTigerEngineRuntimeConfig: '', syncdelay: 60, journalCommitInterval: 100, ok: 1 },
    getLog: { log: [], totalLinesWritten: 0 },
    shardingState: {
      enabled: true,
      configServer: 'csrs/c1:1',
      shardName: set.replace('rs', 'shard'),
      clusterId: CLUSTER_ID,
      ok: 1,
    },
  };
}

const SHARDS = Object.freeze({
  shard1: ['rs1', ['a1:1', 'a2:1', 'a3:1']],
  shard2: ['rs2', ['b1:1', 'b2:1', 'b3:1']],
});

/** @returns {{ mongos: Answers, members: Map<string, Answers> }} */
function recordedCluster() {
  const members = new Map(
    Object.values(SHARDS).flatMap(([set, hosts]) =>
      /** @type {string[]} */ (hosts).map(
        (host) =>
          /** @type {[string, Answers]} */ ([
            host,
            memberAnswers(String(set), /** @type {string[]} */ (hosts), host),
          ]),
      ),
    ),
  );
  const hostOf = ([set, hosts]) => `${set}/${hosts.join(',')}`;
  const mongos = {
    hello: { msg: 'isdbgrid', isWritablePrimary: true, ok: 1 },
    listShards: {
      shards: Object.entries(SHARDS).map(([_id, shard]) => ({
        _id,
        host: hostOf(shard),
        state: 1,
      })),
      ok: 1,
    },
    getShardMap: {
      map: {
        config: 'csrs/c1:1',
        ...Object.fromEntries(Object.entries(SHARDS).map(([id, shard]) => [id, hostOf(shard)])),
      },
      ok: 1,
    },
    find: { cursor: { firstBatch: [{ _id: 1, clusterId: CLUSTER_ID }], id: 0 }, ok: 1 },
    serverStatus: {
      host: 'router:27017',
      version: '6.0.5',
      process: 'mongos',
      pid: 1,
      uptimeMillis: 1000,
      localTime: NOW,
    },
  };
  return { mongos, members };
}

/**
 * @param {ReturnType<typeof recordedCluster>} cluster
 * @param {{ home?: string, signal?: AbortSignal, connect?: (host: string) => Promise<any> }}
 *   [options]
 * @returns {any} a context whose connection leads to the mongos
 */
function contextOn(
  { mongos, members },
  { home = '/nowhere', signal = new AbortController().signal, connect } = {},
) {
  const closed = /** @type {string[]} */ ([]);
  return {
    port: portOf(mongos),
    signal,
    progress: () => {},
    home,
    terminal: { isTTY: false, columns: 80, write() {} },
    closed,
    connect:
      connect ??
      (async (host) => {
        const answers = members.get(host);
        if (answers === undefined) throw lost(`getaddrinfo ENOTFOUND ${host}`);
        return {
          port: portOf(answers),
          close: async () => {
            closed.push(host);
          },
        };
      }),
  };
}

module.exports = { recordedCluster, contextOn, portOf, memberAnswers, refusal, lost, NOW };
