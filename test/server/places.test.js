'use strict';

const assert = require('node:assert/strict');
const { startServer, startReplicaSet } = require('../support/server');
const { contextOf } = require('../support/context');
const { run: status } = require('../../lib/commands/status');
const { run: config } = require('../../lib/commands/settings');
const { observe } = require('../../lib/observe/observe');

/**
 * @import { Server } from '../support/server'
 */

describe('places that cannot be examined', () => {
  it('a server without WiredTiger', async () => {
    const server = await startServer({ engine: 'ephemeralForTest' });
    await assert.rejects(
      status(contextOf(server.client)),
      (error) =>
        error.code === 'TUNE-20002' &&
        /"ephemeralForTest"/.test(error.message) &&
        /tune\.lint/.test(error.message),
    );
    await server.stop();
  });

  it('an arbiter is refused by name; the primary beside it says its role', async () => {
    const set = await startReplicaSet({ members: [{}, { arbiterOnly: true }] });
    const arbiter = await set.connect(set.uriOf(set.hosts[1]));
    await assert.rejects(status(contextOf(arbiter)), { code: 'TUNE-20004' });
    assert.equal((await status(contextOf(set.client))).role, 'primary');
    await set.stop();
  });

  // No mongos can be had as a package: its answer to hello, as the manual gives it.
  it('a mongos', async () => {
    const ctx = {
      ...contextOf(/** @type {any} */ (null)),
      port: {
        adminCommand: async () => ({ isWritablePrimary: true, msg: 'isdbgrid', ok: 1 }),
        command: async () => ({}),
      },
    };
    await assert.rejects(
      status(ctx),
      (error) => error.code === 'TUNE-20003' && /no storage engine/.test(error.message),
    );
  });

  // Seen on 6.0 and older when a lock is not free at once, and on 8.2 at start-up: the section is
  // missing or has no "cache".
  for (const wiredTiger of [undefined, { uri: 'statistics:' }]) {
    it(`serverStatus with wiredTiger: ${JSON.stringify(wiredTiger)} is "unknown", never 0`, async () => {
      const ctx = {
        ...contextOf(/** @type {any} */ (null)),
        port: {
          adminCommand: async () => ({
            ok: 1,
            host: 'h',
            version: '8.2.0',
            storageEngine: { name: 'wiredTiger' },
            wiredTiger,
          }),
          command: async () => ({}),
        },
      };
      await assert.rejects(observe(ctx, { seconds: 0.1, every: 0.1 }), { code: 'TUNE-20009' });
    });
  }
});

describe('privileges', () => {
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer({ auth: true });
  });
  after(() => server?.stop());

  it('clusterMonitor is enough to look', async () => {
    const client = await server.connect(await server.addUser('watcher', ['clusterMonitor']));
    const answer = await status(contextOf(client));
    assert.equal(answer.cache.maxBytes, 256 * 2 ** 20);
    assert.deepEqual(answer.notes, []);
  });

  it('the smallest role of the documentation is enough, too', async () => {
    const { READ_ROLE } = require('../../lib/server/pure/commands');
    await server.addRole('tuneRead', READ_ROLE.privileges);
    const client = await server.connect(await server.addUser('smallest', ['tuneRead']));
    const answer = await status(contextOf(client));
    assert.equal(answer.thresholds.dirtyTriggerRatio, 0.2);
    assert.deepEqual(answer.notes, []);
  });

  it('nobody logged in: that is said, not a lack of the user', async () => {
    const client = await server.connect(
      `mongodb://127.0.0.1:${server.port}/?directConnection=true`,
    );
    await assert.rejects(
      status(contextOf(client)),
      (error) =>
        error.code === 'TUNE-20005' &&
        /This connection is not authenticated/.test(error.message) &&
        !/This user cannot read/.test(error.message),
    );
  });

  it('without getLog that is the reason for what is not known, not a log that has run over', async () => {
    await server.addRole('tuneNoLog', [
      {
        resource: { cluster: true },
        actions: ['serverStatus', 'hostInfo', 'getCmdLineOpts', 'getParameter'],
      },
    ]);
    const client = await server.connect(await server.addUser('deaf', ['tuneNoLog']));
    await server.adminCommand({
      setParameter: 1,
      wiredTigerEngineRuntimeConfig: 'eviction_target=79',
    });
    const { notes, complete, evictionTarget, evictionTrigger } = await config(contextOf(client));
    assert.deepEqual(
      [complete, evictionTarget.value, evictionTrigger.from],
      [false, 79, 'unknown'],
    );
    assert.match(
      notes.join('\n'),
      /not known: this user cannot read the server log \(privilege getLog on the cluster, role clusterMonitor\)/,
    );
    assert.doesNotMatch(notes.join('\n'), /no longer covers/);
  });

  it('without it, one sentence that names the privilege', async () => {
    const client = await server.connect(
      await server.addUser('nobody', [{ role: 'read', db: 'test' }]),
    );
    await assert.rejects(
      status(contextOf(client)),
      (error) =>
        error.code === 'TUNE-20005' &&
        /serverStatus/.test(error.message) &&
        /clusterMonitor/.test(error.message),
    );
  });
});
