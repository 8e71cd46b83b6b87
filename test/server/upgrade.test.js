'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const net = require('node:net');
const { MongoClient } = require('mongodb');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { temporaryFolder } = require('../support/cleanup');
const { skipIf } = require('../support/skip');
const { obtainServer } = require('../../scripts/mongod/servers');
const { withLibraries } = require('../../scripts/mongod/prove');
const { run: upgrade } = require('../../lib/commands/upgrade');

const LATER = '99.0.0';

describe('an upgrade of a real server', () => {
  /** @type {import('../support/server').Server} */ let server;
  before(async () => {
    server = await startServer({ args: ['--setParameter', 'ttlMonitorSleepSecs=45'] });
  });
  after(() => server?.stop());

  it('is shown for a standalone, without a change of its write concern', async () => {
    const seen = await upgrade(contextOf(server.client), { to: LATER });
    assert.equal(seen.version, server.version);
    assert.ok(!seen.changes.some(({ id }) => id === 'write-concern'));
    const unknown = seen.changes.filter(({ level }) => level === 'check').map(({ id }) => id);
    if (process.platform === 'linux' && process.arch === 'x64')
      assert.deepEqual(
        unknown.filter((id) => id !== 'ttl-nan'),
        [],
      );
    assert.deepEqual([seen.order, seen.gone], [[], []], String(seen));
    assert.equal(seen.compatibility, server.version.split('.').slice(0, 2).join('.'));
  });
  it('is refused to the same release, an earlier one, and none', async () => {
    const ctx = contextOf(server.client);
    for (const to of [server.version, '3.6.0'])
      await assert.rejects(upgrade(ctx, { to }), { code: 'TUNE-10002' });
    await assert.rejects(upgrade(ctx, {}), { code: 'TUNE-10004' });
    await assert.rejects(upgrade(ctx, { to: 'newest' }), { code: 'TUNE-10002' });
  });
});

const ROAD = ['4.4.2', '5.0.4', '6.0.5', '6.0.27'];
const START_MS = 60_000;

describe(`an upgrade over ${ROAD.join(', ')}`, () => {
  /** @type {Map<string, { path: string, libraryPath?: string }>} */
  const programs = new Map();
  /** @type {string | null} */ let why = null;
  const folder = temporaryFolder('upgrade');
  /** @type {number} */ let port;
  /** @type {import('node:child_process').ChildProcess | null} */ let child = null;
  /** @type {MongoClient | null} */ let client = null;

  before(async function () {
    this.timeout(START_MS);
    // Those that are not in the cache are not fetched for this test.
    const env = { ...process.env, PIP_NO_INDEX: '1' };
    for (const version of ROAD) {
      const found = await obtainServer(version, { env, progress: () => {} });
      if ('why' in found) why ??= `${version}: ${found.why}`;
      else programs.set(version, found);
    }
    port = await freePort();
  });
  after(async () => {
    await stop();
    folder.remove();
  });

  /** @param {string} version */
  async function start(version) {
    const { path, libraryPath } = programs.get(version) ?? assert.fail(version);
    child = spawn(
      path,
      [
        ...['--dbpath', folder.path, '--port', String(port), '--bind_ip', '127.0.0.1'],
        ...['--replSet', 'road', '--nounixsocket', '--wiredTigerCacheSizeGB', '0.25'],
      ],
      { stdio: 'ignore', env: withLibraries(process.env, libraryPath) },
    );
    client = await MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      serverSelectionTimeoutMS: START_MS,
    });
    return client.db('admin');
  }
  async function stop() {
    await client?.close();
    client = null;
    const running = child;
    child = null;
    if (running === null || running.exitCode !== null) return;
    running.kill('SIGTERM');
    await new Promise((resolve) => running.once('exit', resolve));
  }

  it('each step says what then is so', async function () {
    skipIf(this, why);
    this.timeout(ROAD.length * START_MS);
    /** @type {import('../../lib/upgrade/types').UpgradeData[]} */
    const said = [];
    /** @type {(string | null)[]} */
    const sources = [];
    for (const [i, version] of ROAD.entries()) {
      const admin = await start(version);
      if (i === 0)
        await admin.command({
          replSetInitiate: { _id: 'road', members: [{ _id: 0, host: `127.0.0.1:${port}` }] },
        });
      await primary(admin);
      const source = async () =>
        (await admin.command({ getDefaultRWConcern: 1 })).defaultWriteConcernSource ?? null;
      sources.push(await source());
      const series = version.split('.').slice(0, 2).join('.');
      if (i > 0) await admin.command({ setFeatureCompatibilityVersion: series });
      sources.push(await source());
      const next = ROAD[i + 1];
      if (next !== undefined)
        said.push(await upgrade(contextOf(/** @type {MongoClient} */ (client)), { to: next }));
      await stop();
    }
    const [to50, to60, to6027] = said;
    assert.ok(to50.changes.some(({ id, level }) => id === 'write-concern' && level === 'change'));
    // The default changes with the compatibility version, not with the program.
    assert.deepEqual(sources, [null, null, null, ...Array(5).fill('implicit')]);
    assert.ok(!to60.changes.some(({ id }) => id === 'write-concern'));
    assert.deepEqual(to6027.changes, []);
    assert.deepEqual(to6027.gained, []);
    assert.ok(to6027.shownNow.includes('SERVER-115508'), String(to6027));
    assert.deepEqual(
      said.map(({ path }) => path.map(({ compatibility }) => compatibility)),
      [['5.0'], ['6.0'], [null]],
    );
    assert.deepEqual(
      said.map(({ gone }) => gone),
      [[], [], []],
    );
    assert.deepEqual(to50.order, [`127.0.0.1:${port} (step down first)`]);
  });
});

/** @param {import('mongodb').Db} admin */
async function primary(admin) {
  const until = Date.now() + START_MS;
  while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
    assert.ok(Date.now() < until, 'no primary');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (probe.address());
      probe.close(() => resolve(port));
    });
  });
