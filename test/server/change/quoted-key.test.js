'use strict';

const assert = require('node:assert/strict');
const { run: apply } = require('../../../lib/commands/apply');
const { run: settings } = require('../../../lib/commands/settings');
const { aroundCommand } = require('../../support/around-command');
const { temporaryFolder } = require('../../support/cleanup');
const { contextOf } = require('../../support/context');
const { cacheOf, setExternally } = require('../../support/engine');
const { useServer } = require('../../support/one-server');
const { startServer } = require('../../support/server');

const DO = Object.freeze({ confirm: true });
const MB = 2 ** 20;

describe('a key in quotes, which WiredTiger obeys and does not record', function () {
  this.timeout(60_000);
  const place = useServer();

  for (const text of ['"cache_size"=600M', '{"cache_size":629145600}'])
    it(`${text}: the next call would shrink the cache at once, and is refused`, async () => {
      const { server, context } = place;
      await setExternally(server, 'cache_size=300M');
      await setExternally(server, text);
      await assert.rejects(apply(context(), { evictionCheckpointTarget: 7 }, DO), {
        code: 'TUNE-30006',
      });
      assert.equal((await cacheOf(server)).maxBytes, 600 * MB);
      assert.equal((await apply(context(), { cacheSizeGB: 300 / 1024 }, DO)).verified, true);
      await apply(context(), { evictionCheckpointTarget: text.length }, DO);
      assert.equal((await cacheOf(server)).maxBytes, 300 * MB);
    });

  /** What differs from the record once another session has set these. @param {string[]} texts */
  async function driftAfter(...texts) {
    for (const text of texts) await setExternally(place.server, text);
    const seen = await settings(place.context());
    return seen.drift.map(({ setting, recorded, value }) => {
      assert.equal(seen[setting].value, value);
      return [setting, recorded, value];
    });
  }

  it('a threshold: it is active until the next string, which is said', async () => {
    const { context } = place;
    assert.deepEqual(await driftAfter('eviction_target=78', '"eviction_target"=71'), [
      ['evictionTarget', 78, 71],
    ]);
    const done = await apply(context(), { evictionCheckpointTarget: 7 }, DO);
    assert.match(done.warnings.join(), /evictionTarget to 78/);
    assert.equal((await settings(context())).evictionTarget.value, 78);
  });

  it('threads: they are active until the next string, which is said', async () => {
    assert.deepEqual(
      await driftAfter('eviction=(threads_min=1,threads_max=8)', 'eviction=("threads_max"=3)'),
      [['evictionThreadsMax', 8, 3]],
    );
  });
});

describe('a cache that is not as recorded, since between two calls of a change', function () {
  this.timeout(60_000);
  const place = useServer();

  for (const [what, config] of Object.entries({
    'a key in quotes': '"cache_size"=600M',
    'a string refused half-way': 'cache_size=600M,eviction=(threads_min=10,threads_max=9)',
  }))
    it(`${what}: the next call is not made`, async () => {
      const { server, context } = place;
      await setExternally(server, 'cache_size=300M,eviction_checkpoint_target=1');
      const ctx = aroundCommand(context(), ({ setParameter }) => Boolean(setParameter), {
        after: () => setExternally(server, config).catch(() => {}),
      });
      await assert.rejects(apply(ctx, { evictionCheckpointTarget: 7, evictionThreadsMax: 6 }, DO), {
        code: 'TUNE-30006',
      });
      assert.equal((await cacheOf(server)).maxBytes, 600 * MB);
      await setExternally(server, 'cache_size=300M');
    });

  it('a threshold in quotes that a later call ends is named as overwritten', async () => {
    const { server, context } = place;
    await setExternally(server, 'eviction_target=78');
    const ctx = aroundCommand(context(), ({ setParameter }) => Boolean(setParameter), {
      before: () => setExternally(server, '"eviction_target"=71'),
    });
    const done = await apply(ctx, { evictionCheckpointTarget: 8 }, DO);
    assert.deepEqual(
      done.externalChanges.map(({ values }) => [values.config, values.overwritten]),
      [['"eviction_target"=71', true]],
    );
  });
});

describe('a key in quotes among the start-up options', function () {
  this.timeout(60_000);
  /** @type {Awaited<ReturnType<typeof startServer>>} */ let server;
  const home = temporaryFolder('home');
  afterEach(() => server?.stop());
  after(() => home.remove());
  const start = async (/** @type {string} */ text) => {
    server = await startServer({
      cacheSizeGB: 0.3,
      args: ['--wiredTigerEngineConfigString', text],
    });
    return contextOf(server.client, { home: home.path });
  };

  it('the cache: a call would shrink it at once, and is refused', async () => {
    const ctx = await start('"cache_size"=600M');
    await assert.rejects(apply(ctx, { evictionCheckpointTarget: 7 }, DO), { code: 'TUNE-30006' });
    assert.equal((await cacheOf(server)).maxBytes, 600 * MB);
  });

  it('a threshold: it is said that the next call ends it', async () => {
    const ctx = await start('"eviction_target"=70');
    assert.equal((await settings(ctx)).evictionTarget.value, 70);
    const done = await apply(ctx, { evictionCheckpointTarget: 7 }, DO);
    assert.match(done.warnings.join(), /evictionTarget to 80/);
    assert.equal((await settings(ctx)).evictionTarget.value, 80);
  });
});
