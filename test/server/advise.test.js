'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { startLoad: startDemoLoad } = require('../../scripts/demo/server');
const { run: advise } = require('../../lib/commands/advise');
const { run: apply } = require('../../lib/commands/apply');
const { run: undo } = require('../../lib/commands/undo');
const { run: status } = require('../../lib/commands/status');

/**
 * @import { Server } from '../support/server'
 * @import { Collection } from 'mongodb'
 */

/** What a busy machine may need until the load outruns eviction. */
const PRESSURE_MS = 30_000;
/** Healthy is at most 0.05. */
const LOST_THREADS = 0.5;

/**
 * Eviction compresses, clients do not: pages of zlib are outrun also where the clients get little
 * of the CPUs.
 */
const SLOW_TO_EVICT = { storageEngine: { wiredTiger: { configString: 'block_compressor=zlib' } } };

/** @param {any} s an answer of tune.status() */
const lost = (s) => s.clients.evictingThreads + s.clients.waitingThreads;

/**
 * @param {ReturnType<typeof contextOf>} ctx
 * @returns {Promise<any>} the first status under pressure, or the last sample of all
 */
async function underPressure(ctx) {
  for (const end = performance.now() + PRESSURE_MS; ;) {
    const seen = await status(ctx, { seconds: 3 });
    if (lost(seen) > LOST_THREADS || performance.now() > end) return seen;
  }
}

describe('advise: cause the fault, see the finding, apply the cure, see it go', () => {
  /** @type {Server} */ let server;
  /** @type {Collection<any>} */ let collection;
  /** @type {ReturnType<typeof contextOf>} */ let ctx;
  before(async () => {
    server = await startServer();
    collection = server.db('shop').collection('orders');
    ctx = contextOf(server.client);
  });
  /** @type {{ stop(): Promise<void> } | undefined} */ let load;
  afterEach(() => load?.stop());
  after(() => server?.stop());

  it('an idle server: idle, and nothing to change', async () => {
    const advice = await advise(ctx, { seconds: 3 });
    assert.equal(advice.bottleneck, 'idle');
    assert.equal(advice.change, null);
    assert.equal(advice.conf, null);
    assert.match(`${advice}`, /RECOMMENDED +no setting change/);
  });

  it('a busy healthy server: none, and nothing to change', async () => {
    await collection.insertOne({ _id: -1 });
    load = startLoad(
      () => collection.findOne({ _id: -1 }).then(() => new Promise((go) => setTimeout(go, 2))),
      { loops: 2 },
    );
    const advice = await advise(ctx, { seconds: 4 });
    await load.stop();
    assert.equal(advice.bottleneck, 'none', advice.because);
    assert.equal(advice.change, null);
  });

  it(
    'write pressure: cache-dirty; the cure is applied, the finding goes, and undo brings the ' +
      'old size back',
    async () => {
      await collection.drop();
      await server.db('shop').createCollection('orders', SLOW_TO_EVICT);
      load = await startDemoLoad(server.uri);
      const before = await underPressure(ctx);
      assert.ok(lost(before) > LOST_THREADS, `the load does not outrun eviction here: ${before}`);
      const advice = await advise(ctx, { seconds: 6 });
      assert.equal(advice.bottleneck, 'cache-dirty', `${advice}`);
      assert.ok(
        advice.change && advice.change.cacheSizeGB && advice.change.cacheSizeGB > 0.25,
        `${advice}`,
      );
      assert.equal(advice.evidence.length, 3);
      assert.match(String(advice.conf), /cacheSizeGB: /);

      const shown = await apply(ctx, advice);
      assert.equal(shown.dryRun, true);
      assert.equal((await status(ctx)).cache.maxBytes, 256 * 2 ** 20, 'showing changes nothing');
      const done = await apply(ctx, advice, { confirm: true });
      assert.equal(done.verified, true);

      await new Promise((go) => setTimeout(go, 3000));
      const after = await status(ctx, { seconds: 4 });
      await load.stop();
      assert.ok(
        lost(after) < lost(before) / 2,
        `${lost(before)} → ${lost(after)} application threads lost`,
      );

      await undo(ctx, { confirm: true });
      assert.equal((await status(ctx)).cache.maxBytes, 256 * 2 ** 20);
    },
  );

  it('few tickets and many slow readers: concurrency, and no cache change', async () => {
    const name = Object.keys(await server.adminCommand({ getParameter: '*' })).find((key) =>
      /ConcurrentReadTransactions$/.test(key),
    );
    await server.adminCommand({ setParameter: 1, [String(name)]: 5 });
    load = startLoad(
      async () => {
        await collection.findOne({ _id: 5, $where: 'sleep(40) || true' });
      },
      { loops: 24 },
    );
    await new Promise((go) => setTimeout(go, 1500));
    const advice = await advise(ctx, { seconds: 5 });
    await load.stop();
    await server.adminCommand({ setParameter: 1, [String(name)]: 128 });
    assert.equal(advice.bottleneck, 'concurrency', `${advice}`);
    assert.equal(advice.change, null);
  });

  it('Ctrl-C: the answer is over what was seen until then, and says so', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 1300);
    const advice = await advise(contextOf(server.client, { signal: stop.signal }), { seconds: 60 });
    assert.ok(advice.window.samples >= 2 && advice.window.samples < 5);
    assert.match(advice.notes.join(), /Interrupted/);
  });

  it('shows its progress, and takes it away', () => {
    assert.ok(
      ctx.progressed.some((line) => line !== null && /tune\.advise: 2 of 4 samples/.test(line)),
    );
    assert.equal(ctx.progressed.at(-1), null);
  });
});
