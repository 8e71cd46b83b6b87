'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { setExternally, floodLog } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');

describe('a change of several members, whose last one forgets in its log what others set', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const other = async (/** @type {string} */ host) => {
    const client = await server.connect(server.uriOf(host));
    return /** @type {any} */ ({
      db: (/** @type {string} */ name) => client.db(name),
      adminCommand: (/** @type {any} */ command) => client.db('admin').command(command),
      client,
    });
  };
  before(async () => {
    server = await startReplicaSet({ members: 2 });
    home = temporaryFolder('home');
  });
  after(async () => {
    await server?.stop();
    home?.remove();
  });

  it('no call is made there', async () => {
    const primary = await server.primary();
    const there = await other(primary);
    const ctx = contextOf(server.client, { home: home.path });
    const { connect } = ctx;
    let isDone = false;
    ctx.connect = async (host) => {
      const connected = await connect(host);
      const { adminCommand } = connected.port;
      return {
        ...connected,
        port: {
          ...connected.port,
          adminCommand: async (/** @type {any} */ command) => {
            const answer = await adminCommand(command);
            if (command.setParameter && host !== primary && !isDone) {
              isDone = true;
              await setExternally(there, 'eviction=(threads_max=9)');
              await setExternally(there, 'eviction_target=81');
              await floodLog(there);
            }
            return answer;
          },
        },
      };
    };
    const done = await apply(
      ctx,
      { evictionThreadsMax: 6 },
      { members: 'all', confirm: true },
    ).catch((error) => error);
    assert.equal(done.code, 'TUNE-30006');
  });
});
