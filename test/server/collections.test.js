'use strict';

const assert = require('node:assert/strict');
const { skipIf } = require('../support/skip');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { run: collections } = require('../../lib/commands/collections');

/**
 * @import { Server } from '../support/server'
 */

const pad = 'x'.repeat(1000);
const documents = (n) => Array.from({ length: n }, (_, a) => ({ a, pad }));

describe('collections on a real server', function () {
  this.timeout(120_000);
  /** @type {Server} */ let server;
  before(async function () {
    server = await startServer({ auth: true });
    skipIf(this, server.version.startsWith('4.') ? 'time series collections came with 5.0' : null);
    const db = server.db('shop');
    await db.collection('large').createIndex({ a: 1 });
    await db.collection('large').insertMany(documents(5000));
    await db.collection('small').insertMany(documents(10));
    await db.createCollection('seen', { viewOn: 'large', pipeline: [] });
    await db.createCollection('points', { timeseries: { timeField: 't' } });
    await db.createCollection('last', { capped: true, size: 1e6 });
  });
  after(() => server?.stop());
  const rowOf = ({ rows }, ns, index = null) =>
    rows.find((row) => row.ns === ns && row.index === index);

  it('agrees with collStats, knows indexes, capped and time series, and leaves views out', async () => {
    const answer = await collections(contextOf(server.client), { seconds: 0.2, limit: 1000 });
    const raw = await server.db('shop').command({ collStats: 'large' });
    assert.equal(answer.rows[0].ns, 'shop.large');
    assert.equal(answer.rows[0].cacheBytes, raw.wiredTiger.cache['bytes currently in the cache']);
    assert.equal(
      rowOf(answer, 'shop.large', 'a_1').cacheBytes,
      raw.indexDetails.a_1.cache['bytes currently in the cache'],
    );
    assert.equal(rowOf(answer, 'shop.large', 'a_1').storageBytes, raw.indexSizes.a_1);
    assert.deepEqual(
      [answer.rows[0].documents, answer.rows[0].storageBytes, answer.rows[0].capped],
      [5000, raw.storageSize, false],
    );
    assert.equal(rowOf(answer, 'shop.last').capped, true);
    const names = answer.rows.filter(({ kind }) => kind === 'collection').map(({ ns }) => ns);
    assert.ok(
      names.includes('shop.system.buckets.points') &&
        names.includes('shop.system.views') &&
        names.includes('local.startup_log'),
      names.join(),
    );
    assert.ok(!names.includes('shop.seen') && !names.includes('shop.points'), names.join());
    assert.equal(answer.collections, names.length);
    assert.ok(
      answer.cache.foundBytes > 5e6 && answer.cache.foundBytes < answer.cache.usedBytes * 2,
    );
    assert.deepEqual([answer.ended, answer.notes], ['complete', []]);
    assert.match(String(answer), /^ {2}shop\.large {2}a_1\n *[\d.]+ [KM]iB /m);
  });

  it('sees who is written and read, and dirty until the checkpoint', async () => {
    let i = 0;
    // What was inserted before is dirty, too, as long as no checkpoint has come by.
    await server.adminCommand({ fsync: 1 });
    const load = startLoad(
      async () => {
        await server.db('shop').collection('small').insertOne({ i: i++, pad });
        await server
          .db('shop')
          .collection('large')
          .findOne({ a: i % 5000 });
      },
      { loops: 2 },
    );
    const ctx = contextOf(server.client);
    const { progress } = ctx;
    /** @type {{ done: number, at: number }[]} the beginning of the pause and the first thing after it */ const marks =
      [];
    ctx.progress = (text) => {
      progress(text);
      if (/until the second sample|: second sample/.test(String(text)) && marks.length < 2)
        marks.push({ done: load.done(), at: performance.now() });
    };
    const answer = await collections(ctx, { by: 'dirty', seconds: 2, limit: 1000 });
    const perSec = (marks[1].done - marks[0].done) / ((marks[1].at - marks[0].at) / 1000);
    const flushed = collections(contextOf(server.client), { by: 'writes', seconds: 2 });
    setTimeout(() => server.adminCommand({ fsync: 1 }), 1000);
    const {
      rows: [max],
    } = await flushed;
    await load.stop();
    const [small, large] = [rowOf(answer, 'shop.small'), rowOf(answer, 'shop.large')];
    assert.equal(answer.rows[0].ns, 'shop.small');
    assert.ok(small.dirtyBytes > 1000, `${small.dirtyBytes}`);
    assert.ok(
      Math.abs(small.writeOpsPerSec - perSec) < 0.35 * perSec,
      `${small.writeOpsPerSec} against ${perSec}`,
    );
    assert.ok(large.readOpsPerSec > 0.65 * perSec, `${large.readOpsPerSec} against ${perSec}`);
    assert.deepEqual([large.writeOpsPerSec, rowOf(answer, 'shop.last').writeOpsPerSec], [0, 0]);
    assert.equal(max.ns, 'shop.small');
    assert.ok(max.writtenBytesPerSec > 1000, `${max.writtenBytesPerSec}`);
  });

  it('a collection dropped between the samples is said and left out', async () => {
    await server.db('shop').collection('gone').insertMany(documents(100));
    const running = collections(contextOf(server.client), { by: 'cache', seconds: 1, limit: 1000 });
    await new Promise((resolve) => setTimeout(resolve, 600));
    await server.db('shop').collection('gone').drop();
    const answer = await running;
    assert.deepEqual(answer.notes, ['Dropped during sampling: shop.gone.']);
    assert.equal(rowOf(answer, 'shop.gone'), undefined);
  });

  it('Ctrl-C answers from what was seen', async () => {
    await server.db('shop').collection('large').find().toArray();
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    const answer = await collections(contextOf(server.client, { signal: stop.signal }), {
      seconds: 60,
    });
    assert.equal(answer.ended, 'interrupted');
    const large = rowOf(answer, 'shop.large');
    assert.ok(large.cacheBytes > 5e6, `${large.cacheBytes}`);
    assert.deepEqual(
      [large.readBytesPerSec, large.readOpsPerSec, answer.seconds],
      [null, null, null],
    );
    assert.match(answer.notes[0], /^Interrupted after \d+ of \d+ collections: partial result\.$/);
  });

  it('shows its progress and takes it away', async () => {
    const ctx = contextOf(server.client);
    await collections(ctx, { seconds: 0.1 });
    assert.match(String(ctx.progressed[0]), /first sample, 1 of \d+ collections; Ctrl-C/);
    assert.equal(ctx.progressed.at(-1), null);
  });

  it('clusterMonitor is enough; what is refused becomes a note', async () => {
    const monitor = await collections(
      contextOf(await server.connect(await server.addUser('monitor', ['clusterMonitor']))),
      { seconds: 0.1 },
    );
    assert.deepEqual([rowOf(monitor, 'shop.large').readOpsPerSec, monitor.notes], [0, []]);
    await server.addRole('looker', [
      { resource: { cluster: true }, actions: ['serverStatus', 'listDatabases'] },
      { resource: { db: 'shop', collection: '' }, actions: ['find'] },
      { resource: { db: 'shop', collection: 'small' }, actions: ['collStats'] },
    ]);
    const looker = await collections(
      contextOf(await server.connect(await server.addUser('looker', ['looker']))),
      { seconds: 0.1 },
    );
    assert.equal(
      looker.rows
        .filter(({ kind }) => kind === 'collection')
        .map(({ ns }) => ns)
        .join(),
      'shop.small',
    );
    assert.equal(looker.rows[0].readOpsPerSec, null);
    assert.match(looker.notes.join('\n'), /\d collections of shop were skipped: .*\$collStats/);
    assert.match(looker.notes.join('\n'), /command top was refused/);
  });

  it('keeps what it saw when the connection is lost, and needs to have seen something', async () => {
    const other = await startServer();
    const ctx = contextOf(other.client);
    setTimeout(() => process.kill(other.pid, 'SIGKILL'), 1000);
    const answer = await collections(ctx, { seconds: 2 });
    assert.equal(answer.ended, 'lost');
    assert.ok(answer.collections > 0);
    assert.match(answer.notes[0], /connection was lost after \d+ of \d+ collections/);
    await other.stop();
  });

  for (const [options, code] of [
    [{ by: 'size' }, 'TUNE-10002'],
    [{ limit: 0 }, 'TUNE-10002'],
    [{ limit: 1.5 }, 'TUNE-10002'],
    [{ seconds: 0 }, 'TUNE-10002'],
    [{ top: 3 }, 'TUNE-10001'],
  ]) {
    it(`refuses ${JSON.stringify(options)} with ${code}`, () =>
      assert.rejects(collections(contextOf(server.client), /** @type {any} */ (options)), {
        name: 'TuneError',
        code,
      }));
  }
});
