'use strict';

/**
 * A set of three members that everybody, the members too, reaches through proxies: its own
 * configuration names them.
 */
const { MongoClient } = require('mongodb');
const { startProxy } = require('../support/held-proxy');
const { startReplicaSet } = require('../support/server');
const { until } = require('../support/split');

const ARGS = Object.freeze([
  '--setParameter',
  'enableTestCommands=1',
  '--setParameter',
  'ttlMonitorSleepSecs=1',
]);
/** MongoDB's own ten seconds are longer than a round. */
const ELECTION_MS = 4_000;
const LIMIT_MS = 120_000;

/** @typedef {Awaited<ReturnType<typeof startEnvironment>>} Environment */

/** @param {number} members */
async function startEnvironment(members = 3) {
  const set = await startReplicaSet({ members, args: [...ARGS] });
  const proxies = await Promise.all(
    set.hosts.map((host) => startProxy(Number(host.split(':')[1]))),
  );
  const names = proxies.map(({ port }) => `127.0.0.1:${port}`);
  const { config } = await set.adminCommand({ replSetGetConfig: 1 });
  config.members.forEach((/** @type {any} */ member, /** @type {number} */ i) => {
    member.host = names[i];
  });
  Object.assign(config.settings, {
    electionTimeoutMillis: ELECTION_MS,
    heartbeatIntervalMillis: 500,
  });
  await set.adminCommand({
    replSetReconfig: { ...config, version: config.version + 1 },
    force: true,
  });
  const uri = `mongodb://${names.join(',')}/?replicaSet=tune`;
  const client = await new MongoClient(uri, {
    appName: 'nemesis',
    serverSelectionTimeoutMS: 30_000,
  }).connect();
  const ends = endsOf(set);
  const environment = {
    set,
    proxies,
    uri,
    client,
    ends,
    /** Which member is primary now; null during an election. */
    async primary() {
      const hello = await client
        .db('admin')
        .command({ hello: 1 })
        .catch(() => null);
      const at = names.indexOf(hello?.primary);
      return at < 0 ? null : { proxy: proxies[at], host: set.hosts[at], at };
    },
    settled: () =>
      until(async () => {
        const { members: all } = await client
          .db('admin')
          .command({ replSetGetStatus: 1 })
          .catch(() => ({ members: [] }));
        const states = all.map((/** @type {any} */ { stateStr }) => stateStr);
        return (
          states.length === members &&
          states.includes('PRIMARY') &&
          states.every((/** @type {string} */ one) => one === 'PRIMARY' || one === 'SECONDARY')
        );
      }, LIMIT_MS),
    /**
     * kill -9, until another one is primary.
     * @returns {Promise<() => Promise<void>>} starts it again
     */
    async killPrimary() {
      const dead = await environment.primary();
      if (!dead) return async () => undefined;
      ends.expect(dead.at);
      await set.kill(dead.host);
      return async () => {
        await set.revive(dead.host);
        ends.watch();
      };
    },
    async stop() {
      await client.close(true);
      ends.expectAll();
      await set.stop();
      await Promise.all(proxies.map((proxy) => proxy.stop()));
    },
  };
  await environment.settled();
  return environment;
}

/**
 * Members that ended without being killed by the nemesis.
 * @param {Awaited<ReturnType<typeof startReplicaSet>>} set
 */
function endsOf(set) {
  /** @type {Set<unknown>} */ const watched = new Set();
  /** @type {Set<unknown>} */ const expected = new Set();
  /** @type {string[]} */ const byThemselves = [];
  /** @type {() => void} */ let notify;
  const first = new Promise((resolve) => {
    notify = () => resolve(undefined);
  });
  const watch = () =>
    set.processes().forEach((one, i) => {
      if (!one || watched.has(one)) return;
      watched.add(one);
      one.once('exit', (code, signal) => {
        if (expected.has(one)) return;
        byThemselves.push(`member ${i}: ${signal ?? code}`);
        notify();
      });
    });
  watch();
  return {
    byThemselves,
    first,
    watch,
    /** @param {number} at */
    expect: (at) => expected.add(set.processes()[at]),
    expectAll: () => set.processes().forEach((one) => expected.add(one)),
  };
}

module.exports = { startEnvironment };
