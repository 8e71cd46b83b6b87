'use strict';

const assert = require('node:assert/strict');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');
const { readLines } = require('../../../lib/change/journal');
const { aroundAll, aroundCall, aroundCommand } = require('../../support/around-command');
const { temporaryFolder } = require('../../support/cleanup');
const { contextOf } = require('../../support/context');
const { askedStrings, cacheOf, setExternally } = require('../../support/engine');
const { useServer } = require('../../support/one-server');
const { startServer } = require('../../support/server');

/**
 * The connection of the shell is used where no own one can be had, and by trials: a driver turns to
 * another server by itself.
 */
describe('a call is refused, and another server answers from then on', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startServer>>} */ let planned;
  /** @type {Awaited<ReturnType<typeof startServer>>} */ let other;
  /** @type {{ path: string, remove(): void }} */ let home;
  before(async () => {
    [planned, other] = [await startServer(), await startServer()];
  });
  after(async () => {
    await planned?.stop();
    await other?.stop();
  });
  beforeEach(() => {
    home = temporaryFolder('home');
  });
  afterEach(() => home.remove());

  for (const [what, code] of Object.entries({ 'a server that shuts down': 91, WiredTiger: 2 }))
    it(`by ${what}: the other one is not changed`, async () => {
      await setExternally(planned, 'cache_size=256M,eviction_target=80');
      await setExternally(other, 'cache_size=700M');
      await setExternally(other, 'file_manager=(close_idle_time=600)');
      const there = contextOf(other.client, { home: home.path });
      let isOver = false;
      const ctx = aroundAll(
        contextOf(planned.client, { home: home.path }),
        async (command, next) => {
          if (isOver) return there.port.adminCommand(command);
          if (!command.setParameter) return next();
          isOver = true;
          throw Object.assign(new Error('no'), { name: 'MongoServerError', code });
        },
      );
      const before = [await askedStrings(other), (await cacheOf(other)).maxBytes];
      const error = await apply(ctx, { cacheSizeGB: 0.5 }, { confirm: true }).then(
        () => assert.fail('it must not succeed'),
        (/** @type {any} */ one) => one,
      );
      assert.equal(error.code, code === 91 ? 'TUNE-20006' : 'TUNE-30005', error.message);
      assert.deepEqual([await askedStrings(other), (await cacheOf(other)).maxBytes], before);
      await undo(contextOf(planned.client, { home: home.path }), { confirm: true }).catch(() => {});
    });
});

describe('another session sets the cache while a change is planned', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startServer>>} */ let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  for (const where of ['hostInfo', 'getCmdLineOpts', 'getParameter', 'getLog', 'serverStatus'])
    it(`just before ${where}: it comes back, or nothing is sent`, async () => {
      const home = temporaryFolder('home');
      await setExternally(server, 'cache_size=256M');
      const ctx = aroundCommand(
        contextOf(server.client, { home: home.path }),
        (command) => command[where] !== undefined,
        { before: () => setExternally(server, 'cache_size=512M') },
      );
      const done = await apply(ctx, { cacheSizeGB: 1 }, { confirm: true }).catch((error) => error);
      if (done instanceof Error) assert.equal(/** @type {any} */ (done).code, 'TUNE-30006');
      else await undo(contextOf(server.client, { home: home.path }), { confirm: true });
      assert.equal((await cacheOf(server)).maxBytes, 512 * 2 ** 20);
      home.remove();
    });
});

describe('another session sets what tune may not send, just before a call that is refused', function () {
  this.timeout(60_000);
  const place = useServer();

  it('stays as it is, and is said', async () => {
    const { server, context } = place;
    await setExternally(server, 'cache_size=512M');
    const external = 'cache_size=256M,eviction_dirty_trigger=30,statistics=(fast)';
    const ctx = aroundCall(context(), { before: () => setExternally(server, external) });
    /** @type {any} */
    const error = await apply(ctx, { evictionDirtyTrigger: 400 * 2 ** 20 }, { confirm: true }).then(
      () => assert.fail('it must not succeed'),
      (one) => one,
    );
    assert.equal(error.code, 'TUNE-20008', error.message);
    assert.match((await askedStrings(server)).at(-1) ?? '', /^eviction_dirty_trigger=30/);
    const lines = readLines(place.home.path).lines.filter(({ kind }) => kind === 'external');
    assert.deepEqual(
      lines.flatMap((line) => (line.kind === 'external' ? line.configs : [])),
      [external],
    );
  });

  it('also what a string before that one has set', async () => {
    const { server, context } = place;
    await setExternally(server, 'cache_size=512M,eviction_dirty_trigger=20');
    const ctx = aroundCall(context(), {
      before: async () => {
        await setExternally(server, 'cache_size=256M,eviction_dirty_trigger=30');
        await setExternally(server, 'statistics=(fast)');
      },
    });
    await assert.rejects(apply(ctx, { evictionDirtyTrigger: 400 * 2 ** 20 }, { confirm: true }), {
      code: 'TUNE-20008',
    });
    assert.match((await askedStrings(server)).at(-1) ?? '', /^eviction_dirty_trigger=30/);
  });
});
