'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { startLoad } = require('../support/load');
const { run: status } = require('../../lib/commands/status');
const { run: watch } = require('../../lib/commands/watch');

/**
 * @import { Server } from '../support/server'
 */

describe('status and watch on a real server', () => {
  /** @type {Server} */ let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  it('agrees with what the server says of itself', async () => {
    const [answer, raw] = [
      await status(contextOf(server.client)),
      await server.adminCommand({ serverStatus: 1 }),
    ];
    assert.equal(answer.host, raw.host);
    assert.equal(answer.version, raw.version);
    assert.equal(answer.role, 'standalone');
    assert.equal(answer.engine, 'wiredTiger');
    assert.equal(answer.cache.maxBytes, 256 * 2 ** 20);
    assert.deepEqual(
      [answer.eviction.threadsMin, answer.eviction.threadsMax, answer.eviction.threadsActive],
      [4, 4, 4],
    );
    assert.deepEqual([answer.tickets.readTotal, answer.checkpoint.running], [128, false]);
    assert.equal(answer.thresholds.dirtyTriggerRatio, 0.2);
    assert.deepEqual(answer.notes, []);
  });

  it('idle: every rate is 0, every level is small', async () => {
    const { ops, clients, cache, eviction } = await status(contextOf(server.client));
    assert.deepEqual(
      [
        ops.readsPerSec,
        ops.writesPerSec,
        clients.evictingThreads,
        clients.waitingThreads,
        eviction.appPagesPerSec,
      ],
      [0, 0, 0, 0, 0],
    );
    assert.ok(cache.usedRatio !== null && cache.usedRatio < 0.1);
  });

  it('sees the load that a client makes, as the client counts it', async () => {
    const collection = server.db('test').collection('counted');
    const load = startLoad(async () => {
      await collection.insertOne({ at: Date.now() });
    });
    const before = load.done();
    const started = performance.now();
    const { ops } = await status(contextOf(server.client), { seconds: 2 });
    const perSec = (load.done() - before) / ((performance.now() - started) / 1000);
    await load.stop();
    assert.ok(
      ops.writesPerSec !== null && Math.abs(ops.writesPerSec - perSec) < 0.35 * perSec,
      `${ops.writesPerSec} against ${perSec}`,
    );
    assert.ok(ops.writeLatencyMs !== null && ops.writeLatencyMs > 0);
  });

  it('watches a line for each sample and returns the window', async () => {
    const ctx = contextOf(server.client);
    const window = await watch(ctx, { seconds: 1, everySeconds: 0.25 });
    assert.equal(window.samples, 5);
    assert.ok(Math.abs(window.seconds - 1) < 0.3);
    assert.equal(window.ended, 'complete');
    assert.equal(ctx.lines.length, 7); // two of title, head, four lines
  });

  it('an interrupted watch keeps what it saw', async () => {
    const stop = new AbortController();
    const ctx = contextOf(server.client, { signal: stop.signal });
    setTimeout(() => stop.abort(), 600);
    const started = performance.now();
    const window = await watch(ctx, { everySeconds: 0.2 });
    assert.ok(performance.now() - started < 20_000, 'it goes on for ever otherwise');
    assert.equal(window.ended, 'interrupted');
    assert.ok(window.samples >= 2);
    assert.match(window.notes[0], /Interrupted after \d+ samples/);
  });

  for (const [options, code] of [
    [{ second: 1 }, 'TUNE-10001'],
    [{ seconds: 'x' }, 'TUNE-10002'],
    [{ seconds: 0 }, 'TUNE-10002'],
    [7, 'TUNE-10002'],
    [null, 'TUNE-10002'],
    [{ seconds: Infinity }, 'TUNE-10002'],
  ]) {
    it(`refuses ${JSON.stringify(options)} with ${code}`, () =>
      assert.rejects(status(contextOf(server.client), /** @type {any} */ (options)), {
        name: 'TuneError',
        code,
      }));
  }
});

describe('a connection lost in the middle', () => {
  it('keeps and says what was seen', async () => {
    const server = await startServer();
    const ctx = contextOf(server.client);
    setTimeout(() => process.kill(server.pid, 'SIGKILL'), 700);
    const window = await watch(ctx, { seconds: 30, everySeconds: 0.2 });
    await server.stop();
    assert.equal(window.ended, 'lost');
    assert.ok(window.samples >= 2);
    assert.match(window.notes.join(), /connection was lost after \d+ samples.*partial result/);
  });
});
