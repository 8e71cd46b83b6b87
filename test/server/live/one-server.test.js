'use strict';

const assert = require('node:assert/strict');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { startForwarder } = require('../../support/forwarder');
const { temporaryFolder } = require('../../support/cleanup');
const { beforeCall } = require('../../support/beside');
const { apply } = require('../../../lib/commands/apply');
const { history } = require('../../../lib/commands/history');

const ON_CALL = (/** @type {any} */ command) => Boolean(command.setParameter);

describe('an election between the last hello and the call', function () {
  this.timeout(180_000);
  /** @type {Awaited<ReturnType<typeof startReplicaSet>>} */ let server;
  /** @type {{ path: string, remove(): void }} */ let home;
  const lastAt = async (/** @type {string} */ host) =>
    (
      await (
        await server.connect(server.uriOf(host))
      )
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
    await apply(
      beforeCall(ctx, ON_CALL, stepDown),
      { evictionThreadsMax: 6 },
      { confirm: true },
    ).catch(() => undefined);
    const [other] = server.hosts.filter((host) => host !== old);
    assert.equal(await lastAt(other), '');
  });

  describe('a member whose name leads nowhere from here, over the connection of the shell', () => {
    /** @type {Awaited<ReturnType<typeof startForwarder>>} */ let forwarder;
    /** @param {string} host */
    const portOf = (host) => Number(host.split(':')[1]);
    const moved = async () => {
      forwarder.switchTo(portOf(server.hosts[1]));
      // The driver has seen that its connections ended.
      await new Promise((resolve) => {
        setTimeout(resolve, 300);
      });
    };
    const context = async () => {
      const ctx = contextOf(
        await server.connect(`mongodb://127.0.0.1:${forwarder.port}/?directConnection=true`),
        { home: home.path },
      );
      ctx.connect = async () => {
        throw Object.assign(new Error('no route from here'), { name: 'MongoNetworkError' });
      };
      return ctx;
    };
    beforeEach(async () => {
      forwarder = await startForwarder(portOf(server.hosts[0]));
    });
    afterEach(() => forwarder.stop());

    it('another member that takes its place just before the call is not changed', async () => {
      const [first, second] = server.hosts;
      const before = await lastAt(second);
      await apply(
        beforeCall(await context(), ON_CALL, moved),
        { evictionThreadsMax: 7 },
        { confirm: true, members: [first] },
      ).catch(() => undefined);
      assert.equal(await lastAt(second), before);
    });

    it('what is in force there is not said to be taken back by a restart that there was not', async () => {
      const [first] = server.hosts;
      const ctx = await context();
      const { adminCommand } = ctx.port;
      ctx.port.adminCommand = async (command) => {
        const answer = await adminCommand(command);
        if (command.setParameter) await moved();
        return answer;
      };
      const done = await apply(
        ctx,
        { evictionThreadsMax: 8 },
        { confirm: true, members: [first] },
      ).catch((error) => error);
      assert.match(await lastAt(first), /threads_max=8/);
      assert.doesNotMatch(done.message, /restarted|in force on no member/);
      const entry = (await history(ctx, { all: true })).at(-1);
      assert.notEqual(entry?.outcome, 'undone');
    });
  });
});
