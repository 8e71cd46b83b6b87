'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { temporaryFolder } = require('../../support/cleanup');
const { beforeCall } = require('../../support/beside');
const { apply } = require('../../../lib/commands/apply');
const { undo } = require('../../../lib/commands/undo');
const { history } = require('../../../lib/commands/history');

const ON_CALL = (/** @type {any} */ command) => Boolean(command.setParameter);

describe('an election between the last hello and the call', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const lastAt = async (/** @type {string} */ host) =>
    (
      await (await server.connect(server.uriOf(host)))
        .db('admin')
        .command({ getParameter: 1, wiredTigerEngineRuntimeConfig: 1 })
    ).wiredTigerEngineRuntimeConfig;
  before(async () => {
    server = await startReplicaSet({ members: 2 });
    home = temporaryFolder('home');
  });
  after(async () => {
    await server?.stop();
    home?.remove();
  });

  it('the new primary is not changed in place of the old one', async () => {
    const old = await server.primary();
    const stepDown = async () => {
      const there = await server.connect(server.uriOf(old));
      await there.db('admin').command({ replSetStepDown: 30, secondaryCatchUpPeriodSecs: 10 });
      for (const end = Date.now() + 60_000; Date.now() < end;) {
        const { primary } = await server.adminCommand({ hello: 1 }).catch(() => ({ primary: old }));
        if (primary !== undefined && primary !== old) return;
        await new Promise((resolve) => {
          setTimeout(resolve, 100);
        });
      }
    };
    const ctx = contextOf(server.client, { home: home.path });
    const done = await apply(
      beforeCall(ctx, ON_CALL, stepDown),
      { evictionThreadsMax: 6 },
      { confirm: true },
    ).catch((error) => error);
    const [other] = server.hosts.filter((host) => host !== old);
    console.log({ old, other }, done.code, done.message, done.host, done.verified, String(done).slice(0, 300));
    console.log('old', await lastAt(old), 'new', await lastAt(other));
    console.log(await history(ctx), (await undo(ctx, { confirm: true }).catch((e) => e)).message);
    console.log('old', await lastAt(old), 'new', await lastAt(other));
    assert.equal(await lastAt(other), '');
  });
});
