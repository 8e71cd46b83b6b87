'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { skipIf } = require('../../support/skip');
const { mongod, startReplicaSet, startServer } = require('../../support/server');

const SUPPORT = path.join(__dirname, '../../support/server.js');

describe('the servers of the tests', () => {
  it('starts a WiredTiger server with the cache asked for, and removes it', async () => {
    const server = await startServer({
      cacheSizeGB: 0.3,
      args: ['--setParameter', 'ttlMonitorSleepSecs=7'],
    });
    const { pid, dbPath } = server;
    const status = await server.adminCommand({ serverStatus: 1 });
    assert.equal(status.storageEngine.name, 'wiredTiger');
    assert.equal(
      status.wiredTiger.cache['maximum bytes configured'],
      Math.floor(0.3 * 1024) * 1024 ** 2,
    );
    assert.equal(status.version, server.version);
    assert.equal(
      (await server.adminCommand({ getParameter: 1, ttlMonitorSleepSecs: 1 })).ttlMonitorSleepSecs,
      7,
    );
    await server.stop();
    assert.equal(fs.existsSync(dbPath), false);
    assert.equal(isRunning(pid), false);
    await server.stop();
  });

  it('keeps the data over a restart, on the same port, with other arguments', async () => {
    const server = await startServer();
    try {
      await server.db('test').collection('kept').insertOne({ _id: 1 });
      const { pid, port } = server;
      await server.restart({ args: ['--setParameter', 'ttlMonitorSleepSecs=9'] });
      assert.notEqual(server.pid, pid);
      assert.equal(server.port, port);
      assert.equal(await server.db('test').collection('kept').countDocuments(), 1);
      assert.equal(
        (await server.adminCommand({ getParameter: 1, ttlMonitorSleepSecs: 1 }))
          .ttlMonitorSleepSecs,
        9,
      );
    } finally {
      await server.stop();
    }
  });

  it('knows users with roles, and roles of single privileges', async () => {
    const server = await startServer({ auth: true });
    try {
      await server.addRole('statusReader', [
        { resource: { cluster: true }, actions: ['serverStatus'] },
      ]);
      const reader = (await server.connect(await server.addUser('reader', ['statusReader']))).db(
        'admin',
      );
      const monitor = (
        await server.connect(await server.addUser('monitor', ['clusterMonitor']))
      ).db('admin');
      assert.equal((await reader.command({ serverStatus: 1 })).ok, 1);
      await assert.rejects(reader.command({ getParameter: '*' }), { codeName: 'Unauthorized' });
      assert.equal((await monitor.command({ getParameter: '*' })).ok, 1);
      const stranger = await server.connect(
        `mongodb://127.0.0.1:${server.port}/?directConnection=true`,
      );
      await assert.rejects(stranger.db('admin').command({ serverStatus: 1 }), {
        codeName: 'Unauthorized',
      });
    } finally {
      await server.stop();
    }
  });

  it('starts a server without WiredTiger', async function () {
    const { version } = await mongod();
    skipIf(
      this,
      Number.parseInt(version, 10) >= 7 ? `MongoDB ${version} has no engine but WiredTiger` : null,
    );
    const server = await startServer({ engine: 'ephemeralForTest' });
    try {
      assert.equal((await server.adminCommand({ serverStatus: 1 })).wiredTiger, undefined);
    } finally {
      await server.stop();
    }
  });

  it('starts a replica set with an arbiter, and reaches each member alone', async () => {
    const set = await startReplicaSet({ members: [{}, {}, { arbiterOnly: true }] });
    try {
      assert.ok(set.hosts.includes(await set.primary()));
      await set
        .db('test')
        .collection('a')
        .insertOne({ _id: 1 }, { writeConcern: { w: 2 } });
      const roles = await Promise.all(
        set.hosts.map(async (host) => {
          const hello = await (
            await set.connect(set.uriOf(host))
          )
            .db('admin')
            .command({ hello: 1 });
          if (hello.arbiterOnly) return 'arbiter';
          return hello.isWritablePrimary ? 'primary' : 'secondary';
        }),
      );
      assert.deepEqual(roles.sort(), ['arbiter', 'primary', 'secondary']);
    } finally {
      await set.stop();
    }
  });

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    it(`leaves nothing behind after ${signal}`, async () => {
      const script =
        `require(${JSON.stringify(SUPPORT)}).startServer().then((server) => ` +
        'console.log(JSON.stringify({ pid: server.pid, dbPath: server.dbPath })))';
      const child = spawn(process.execPath, ['-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const { pid, dbPath } = await new Promise((resolve) =>
        child.stdout.once('data', (data) => resolve(JSON.parse(data))),
      );
      const ended = new Promise((resolve) => child.on('close', resolve));
      child.kill(signal);
      assert.equal(await ended, code);
      assert.equal(fs.existsSync(dbPath), false);
      await gone(pid);
    });
  }
});

/**
 * SIGKILL has been sent: the kernel may need a moment, and the machine's first process another to
 * take note.
 */
async function gone(pid) {
  for (let tries = 0; tries < 50; tries += 1) {
    if (!isRunning(pid)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`mongod ${pid} is still there`);
}

function isRunning(pid) {
  try {
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    assert.ok(['ENOENT', 'ESRCH'].includes(error.code), error);
    return false;
  }
}
