'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { run: apply } = require('../../../lib/commands/apply');

describe('an election while secondaries are changed', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const admin = async (/** @type {string} */ host) =>
    (await server.connect(server.uriOf(host))).db('admin');
  before(async () => {
    server = await startReplicaSet({ members: 3 });
    home = temporaryFolder('home');
  });
  after(async () => {
    await server?.stop();
    home?.remove();
  });

  it('a member that has become the primary is not changed with { members: "secondaries" }', async () => {
    const old = await server.primary();
    const ctx = contextOf(server.client, { home: home.path });
    const [first] = server.hosts.filter((host) => host !== old);
    await (await admin(first)).command({ replSetFreeze: 60 });
    const { connect } = ctx;
    let isDone = false;
    /** @type {[string, boolean][]} */ const changed = [];
    ctx.connect = async (host) => {
      const connected = await connect(host);
      const { adminCommand } = connected.port;
      return {
        ...connected,
        port: {
          ...connected.port,
          adminCommand: async (/** @type {any} */ command) => {
            if (command.setParameter)
              changed.push([
                host,
                (await (await admin(host)).command({ hello: 1 })).isWritablePrimary,
              ]);
            const answer = await adminCommand(command);
            if (command.setParameter && host === first && !isDone) {
              isDone = true;
              await server.electAnother();
            }
            return answer;
          },
        },
      };
    };
    await apply(ctx, { evictionThreadsMax: 6 }, { members: 'secondaries', confirm: true }).catch(
      () => undefined,
    );
    assert.ok(
      changed.every(([, isPrimary]) => !isPrimary),
      JSON.stringify(changed),
    );
  });
});
