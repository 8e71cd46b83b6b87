'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { MongoClient } = require('mongodb');
const { asReplicaSet, stagedServer } = require('../../support/staged-server');
const { fill, steadyLoad } = require('../../support/incident-load');
const { temporaryFolder } = require('../../support/cleanup');
const { skipIf } = require('../../support/skip');
const { run: incident } = require('../../../lib/commands/incident');

/** @import { Staged } from '../../support/staged-server' */

// Incidents staged on real servers: the first cause must be the one that was staged, and what follows
// it must be in its order.

const QUIET_MS = 15_000;
const AFTER_MS = 8000;

/** @param {readonly Staged[]} servers @param {object} [more] */
async function told(servers, more = {}) {
  if (process.env.KEEP_INCIDENTS)
    servers.forEach(({ dbPath, log }, i) => {
      const to = `${process.env.KEEP_INCIDENTS}/${i}`;
      fs.rmSync(to, { recursive: true, force: true });
      fs.cpSync(path.join(dbPath, 'diagnostic.data'), path.join(to, 'diagnostic.data'), {
        recursive: true,
      });
      fs.cpSync(log, path.join(to, 'mongod.log'));
    });
  const ctx = { signal: new AbortController().signal, progress() {}, home: '/nowhere' };
  const answer = await incident(ctx, {
    dbpath: servers.map(({ dbPath }) => dbPath),
    log: servers.map(({ log }) => log),
    ...more,
  });
  if (process.env.SHOW_INCIDENTS) process.stdout.write(`${answer}\n`);
  return answer;
}

/**
 * @param {Awaited<ReturnType<typeof told>>} answer
 * @param {{ first: string[], then?: string[] }} expected `then`: codes in their order, others may be between
 */
function check(answer, { first, then = [] }) {
  const codeOf = (/** @type {string | null} */ id) =>
    answer.events.find((one) => one.id === id)?.code;
  assert.equal(answer.verdict, 'incident', String(answer.all()));
  assert.ok(first.includes(String(codeOf(answer.firstCause))), String(answer.all()));
  const codes = answer.chain.slice(1).map(({ event }) => codeOf(event));
  let at = -1;
  for (const code of then) {
    const found = codes.indexOf(code, at + 1);
    assert.ok(found > at, `${code} is not behind the others in ${codes.join()}\n${answer.all()}`);
    at = found;
  }
  assert.ok(String(answer).split('\n').length <= 24, String(answer));
}

describe('incidents staged on a real server', function () {
  this.timeout(300_000);
  /** @type {Staged[]} */ let servers = [];
  /** @type {{ stop(): Promise<void> } | null} */ let load = null;
  afterEach(async () => {
    await load?.stop();
    load = null;
    await Promise.all(servers.map((server) => server.remove()));
    servers = [];
  });
  /** @param {Parameters<typeof stagedServer>[0]} [options] */
  const start = async (options) => {
    const server = await stagedServer(options);
    servers.push(server);
    return server;
  };
  const admin = (/** @type {Staged} */ server) => server.client().db('admin');
  const loaded = async (/** @type {Staged} */ server, /** @type {any} */ options = {}) => {
    await fill(server.client(), options);
    load = steadyLoad(server.client(), options);
    await sleep(QUIET_MS);
  };
  const finish = async (/** @type {object} */ more = {}) => {
    await sleep(AFTER_MS);
    await load?.stop();
    await Promise.all(servers.map((server) => server.stop().catch(() => {})));
    return told(servers, more);
  };

  it('kill -9: the process died, and its next start was unclean', async () => {
    const server = await start();
    await loaded(server);
    server.signal('SIGKILL');
    await server.ended();
    await sleep(3000);
    await server.start();
    check(await finish(), { first: ['process-died'], then: ['process-unclean-start'] });
  });

  it('somebody stops it: the signal, then the restart', async () => {
    const server = await start();
    await loaded(server);
    server.signal('SIGTERM');
    await server.ended();
    await sleep(2000);
    await server.start();
    check(await finish(), { first: ['process-signal'], then: ['process-restarted'] });
  });

  it("somebody's setParameter: a cache made far too small", async () => {
    const server = await start();
    await loaded(server, { threads: 16, pauseMs: 0, documents: 60_000, bytes: 3000 });
    await admin(server).command({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig: 'cache_size=4MB',
    });
    await sleep(10_000);
    check(await finish(), { first: ['parameter-set'], then: ['clients-blocked'] });
  });

  it('a dirty trigger lowered to next to nothing', async () => {
    const server = await start();
    await loaded(server, { threads: 12, pauseMs: 0, documents: 60_000, bytes: 3000 });
    await admin(server).command({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig:
        'eviction_dirty_target=1,eviction_dirty_trigger=1,eviction_updates_target=1,eviction_updates_trigger=1',
    });
    await sleep(12_000);
    check(await finish(), { first: ['parameter-set'], then: ['clients-blocked'] });
  });

  it('a TTL index that a year of documents is due by', async () => {
    const server = await start({ args: ['--setParameter', 'ttlMonitorSleepSecs=5'] });
    const size = { documents: 150_000, bytes: 3000, more: { old: new Date(0) } };
    await fill(server.client(), size);
    const shop = server.client().db('shop');
    const TEN_YEARS = 2e9;
    for (const key of ['part', 'note', 'payload'])
      await shop.collection('orders').createIndex({ [key]: 1 });
    await shop.collection('orders').createIndex({ old: 1 }, { expireAfterSeconds: TEN_YEARS });
    load = steadyLoad(server.client(), { threads: 12, pauseMs: 0, ...size });
    await sleep(2 * QUIET_MS);
    await shop.command({
      collMod: 'orders',
      index: { keyPattern: { old: 1 }, expireAfterSeconds: 60 },
    });
    await sleep(20_000);
    check(await finish(), { first: ['ttl-deleted', 'ttl-burst'] });
  });

  it('a storm of connections', async () => {
    const server = await start();
    await loaded(server);
    const clients = await Promise.all(
      Array.from({ length: 400 }, () =>
        MongoClient.connect(`mongodb://127.0.0.1:${server.port}/?directConnection=true`),
      ),
    );
    const orders = clients.map((client) => client.db('shop').collection('orders'));
    for (let i = 0; i < 3; i++)
      await Promise.all(orders.map((one) => one.find({ part: { $lt: 0.001 } }).toArray()));
    await sleep(5000);
    await Promise.all(clients.map((client) => client.close()));
    check(await finish(), { first: ['connections-up'] });
  });

  it('writes locked by fsync', async () => {
    const server = await start();
    await loaded(server);
    await admin(server).command({ fsync: 1, lock: true });
    await sleep(12_000);
    await admin(server).command({ fsyncUnlock: 1 });
    check(await finish(), { first: ['fsync-locked'] });
  });

  it('an election because the primary was frozen', async () => {
    for (let i = 0; i < 3; i++) await start({ args: ['--replSet', 'staged'] });
    await asReplicaSet(servers, { electionTimeoutMs: 3000 });
    await loaded(servers[0]);
    servers[0].signal('SIGSTOP');
    await sleep(14_000);
    servers[0].signal('SIGCONT');
    check(await finish(), { first: ['sample-gap'], then: ['election-started', 'stepped-down'] });
  });

  it('a majority that lags since the secondary does not answer', async () => {
    for (let i = 0; i < 3; i++) await start({ args: ['--replSet', 'staged'] });
    await asReplicaSet(servers, { arbiters: 1 });
    await loaded(servers[0]);
    servers[1].signal('SIGSTOP');
    await sleep(25_000);
    servers[1].signal('SIGCONT');
    check(await finish(), { first: ['sample-gap', 'member-down'], then: ['majority-lag'] });
  });

  it('a long transaction, for which more history is kept than the cache holds', async () => {
    const server = await start({ args: ['--replSet', 'staged'] });
    await asReplicaSet(servers);
    await loaded(server, { threads: 16, pauseMs: 0, documents: 4000, bytes: 24_000 });
    const session = server.client().startSession();
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    await server.client().db('shop').collection('orders').findOne({}, { session });
    await sleep(50_000);
    await session.abortTransaction();
    check(await finish(), { first: ['transaction-long'] });
  });

  it('a disk without free space', async function () {
    const folder = temporaryFolder('small-disk');
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=420m', 'tmpfs', folder.path], {
        stdio: 'pipe',
      });
    } catch (error) {
      skipIf(this, `no file system can be mounted here: ${/** @type {Error} */ (error).message}`);
    }
    try {
      const server = await start({ dbPath: folder.path });
      load = steadyLoad(server.client());
      await sleep(5000);
      await fill(server.client(), { documents: 200_000, bytes: 8000 }).catch(() => {});
      await server.ended();
      check(await told(servers), { first: ['disk-full'], then: ['process-fatal'] });
    } finally {
      await Promise.all(servers.map((server) => server.remove()));
      servers = [];
      execFileSync('umount', [folder.path]);
      folder.remove();
    }
  });

  it('killed by the kernel in its control group', async function () {
    const group = controlGroup();
    skipIf(this, group === null ? 'no control group with a memory limit can be made here' : null);
    const { folder, limit, remove } = /** @type {NonNullable<typeof group>} */ (group);
    const kernelLog = path.join(folder, 'dmesg');
    try {
      const server = await start({ onStart: (pid) => limit(pid, 230) });
      load = steadyLoad(server.client());
      await sleep(QUIET_MS);
      await fill(server.client(), { documents: 200_000, bytes: 6000 }).catch(() => {});
      await server.ended();
      limit(process.pid, null);
      fs.writeFileSync(kernelLog, execFileSync('dmesg', ['-T']));
      await server.start().catch(() => {});
      check(await finish({ kernelLog }), { first: ['kernel-oom-kill'], then: ['process-died'] });
    } finally {
      await Promise.all(servers.map((server) => server.remove()));
      servers = [];
      remove();
    }
  });
});

/** A control group of this test below its own, of version 1 or 2. */
function controlGroup() {
  const folder = temporaryFolder('group');
  try {
    const own = /^\d+:memory:(.*)$/m.exec(fs.readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
    if (own === undefined) throw new Error('version 2');
    const group = path.join('/sys/fs/cgroup/memory', own, `mongosh-tune-${process.pid}`);
    fs.mkdirSync(group);
    execFileSync('dmesg', ['-T'], { stdio: 'pipe' });
    return {
      folder: folder.path,
      limit: (/** @type {number} */ pid, /** @type {number | null} */ megabytes) => {
        if (megabytes === null) return;
        fs.writeFileSync(path.join(group, 'memory.limit_in_bytes'), String(megabytes * 2 ** 20));
        fs.writeFileSync(path.join(group, 'cgroup.procs'), String(pid));
      },
      remove: () => {
        fs.rmdirSync(group);
        folder.remove();
      },
    };
  } catch (_notHere) {
    folder.remove();
    return null;
  }
}

describe('quiet nights on a real server', function () {
  this.timeout(300_000);
  for (const [title, act] of /** @type {[string, (server: Staged) => Promise<unknown>][]} */ ([
    ['an even load', async () => {}],
    [
      'a small index build, and a change of the log level',
      async (server) => {
        await server.client().db('shop').collection('orders').createIndex({ part: 1 });
        await server.client().db('admin').command({ setParameter: 1, logLevel: 0 });
      },
    ],
    ['a log that is rotated', (server) => server.client().db('admin').command({ logRotate: 1 })],
    [
      'a few more clients',
      async (server) => {
        const clients = await Promise.all(
          Array.from({ length: 10 }, () =>
            MongoClient.connect(`mongodb://127.0.0.1:${server.port}/?directConnection=true`),
          ),
        );
        await Promise.all(clients.map((client) => client.db('shop').command({ ping: 1 })));
        await Promise.all(clients.map((client) => client.close()));
      },
    ],
    [
      'a setting that changes nothing for this load',
      (server) =>
        server
          .client()
          .db('admin')
          .command({ setParameter: 1, wiredTigerEngineRuntimeConfig: 'eviction_dirty_trigger=25' }),
    ],
  ]))
    it(`${title}: nothing unusual`, async () => {
      const server = await stagedServer();
      try {
        await fill(server.client());
        const load = steadyLoad(server.client());
        await sleep(QUIET_MS);
        await act(server);
        await sleep(QUIET_MS);
        await load.stop();
        await server.stop();
        const answer = await told([server]);
        assert.equal(answer.verdict, 'nothing-unusual', String(answer.all()));
        assert.ok(String(answer).split('\n').length <= 24);
      } finally {
        await server.remove();
      }
    });
});
