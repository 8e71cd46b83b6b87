'use strict';

const assert = require('node:assert/strict');
const { aroundCall } = require('../../support/around-command');
const { startReplicaSet } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { startForwarder } = require('../../support/forwarder');
const { temporaryFolder } = require('../../support/cleanup');
const { run: apply } = require('../../../lib/commands/apply');
const { run: history } = require('../../../lib/commands/history');
const { run: undo } = require('../../../lib/commands/undo');

const NO_ROUTE = Object.assign(new Error('no route from here'), { name: 'MongoNetworkError' });

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

  const otherThan = (/** @type {string} */ old) =>
    /** @type {string} */ (server.hosts.find((host) => host !== old));

  it('the new primary is not changed in place of the old one', async () => {
    const old = await server.primary();
    let isDone = false;
    const ctx = aroundCall(contextOf(server.client, { home: home.path }), {
      before: async () => {
        await server.electAnother();
        isDone = true;
      },
    });
    const { id } = await apply(ctx, { evictionThreadsMax: 6 }, { confirm: true });
    assert.equal(isDone, true);
    assert.equal(await lastAt(otherThan(old)), '');
    assert.match(await lastAt(old), /threads_max=6/);
    const direct = await server.connect(server.uriOf(old));
    await undo(contextOf(direct, { home: home.path }), String(id), { confirm: true });
    assert.match(await lastAt(old), /threads_max=4/);
  });

  it('where there is no way to it alone, it is not said which of them was changed', async () => {
    const old = await server.primary();
    const ctx = aroundCall(contextOf(server.client, { home: home.path }), {
      before: () => server.electAnother(),
    });
    ctx.connect = async () => {
      throw NO_ROUTE;
    };
    const error = await apply(ctx, { evictionThreadsMax: 5 }, { confirm: true }).catch(
      (one) => one,
    );
    assert.equal(error.code, 'TUNE-20006');
    assert.ok(error.message.includes(otherThan(old)), error.message);
    const entry = (await history(ctx, { all: true })).at(-1);
    assert.equal(entry?.outcome, 'unknown');
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
      const { connect } = ctx;
      ctx.connect = async (host) => {
        if (server.hosts.includes(host)) throw NO_ROUTE;
        return connect(host);
      };
      return ctx;
    };
    beforeEach(async () => {
      forwarder = await startForwarder(portOf(server.hosts[0]));
    });
    afterEach(() => forwarder.stop());
    const undoAll = async () => {
      home.remove();
      home = temporaryFolder('home');
      for (const host of server.hosts)
        await (
          await server.connect(server.uriOf(host))
        )
          .db('admin')
          .command({
            setParameter: 1,
            wiredTigerEngineRuntimeConfig: 'eviction=(threads_min=4,threads_max=4)',
          });
    };

    for (const [what, withoutWay] of /** @type {[string, boolean][]} */ ([
      ['over a connection to the same address', false],
      ['over the connection there is', true],
    ])) {
      const there = async () => {
        const ctx = await context();
        if (withoutWay)
          ctx.connect = async () => {
            throw NO_ROUTE;
          };
        return ctx;
      };

      it(`${what}: another member that takes its place just before the call is not changed unsaid`, async () => {
        const [first, second] = server.hosts;
        const before = await lastAt(second);
        const error = await apply(
          aroundCall(await there(), { before: moved }),
          { evictionThreadsMax: 7 },
          { confirm: true, members: [first] },
        ).catch((one) => one);
        if (withoutWay) assert.equal(error.code, 'TUNE-20006', error.message);
        else assert.equal(await lastAt(second), before);
        assert.doesNotMatch(error.message, /restarted/);
        await undoAll();
      });

      it(`${what}: what is in effect there is not said to be taken back by a restart that there was not`, async () => {
        const [first] = server.hosts;
        const ctx = await there();
        const done = await apply(
          aroundCall(ctx, { after: moved }),
          { evictionThreadsMax: 8 },
          { confirm: true, members: [first] },
        ).catch((error) => error);
        assert.match(await lastAt(first), /threads_max=8/);
        assert.doesNotMatch(done.message, /restarted|not active on any member/);
        const entry = (await history(ctx, { all: true })).at(-1);
        assert.notEqual(entry?.outcome, 'undone');
        await undoAll();
      });
    }
  });
});
