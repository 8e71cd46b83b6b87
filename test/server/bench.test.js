'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../support/server');
const { contextOf } = require('../support/context');
const { run: bench } = require('../../lib/commands/bench');
const { run: benchClean } = require('../../lib/commands/bench-clean');
const { WORKLOADS } = require('../../lib/bench/load/workloads/workloads');
const { startLoad } = require('../support/load');

/**
 * @import { Server } from '../support/server'
 * @import { Collection } from 'mongodb'
 */

const RECORDS = 2000;
/** Short, and what is not its business not looked for. */
const QUICK = Object.freeze({
  records: RECORDS,
  seconds: 1,
  warmSeconds: 0.3,
  threads: 4,
  processes: 1,
  confirm: true,
  force: true,
});

describe('tune.bench on a real server', function () {
  this.timeout(120_000);
  /** @type {Server} */ let server;
  const run = (/** @type {object} */ options, /** @type {object} */ more = {}) =>
    bench(contextOf(server.client, more), /** @type {any} */ ({ ...QUICK, ...options }));
  const databases = async () =>
    (await server.adminCommand({ listDatabases: 1, nameOnly: true })).databases.map(
      ({ name }) => name,
    );
  const untouched = async () => {
    const [one] = await server.db('shop').collection('orders').find().toArray();
    return one.total;
  };
  before(async () => {
    server = await startServer();
    await server.db('shop').collection('orders').insertOne({ total: 12 });
  });
  after(() => server?.stop());
  afterEach(async () => {
    assert.ok(!(await databases()).includes('tune_bench'), 'the database of the benchmark is gone');
    assert.equal(await untouched(), 12);
  });

  it('without confirm shows what it would do, and writes nothing', async () => {
    const ctx = contextOf(server.client);
    const shown = await bench(ctx, { workload: 'ycsb-a', records: 5000, force: true });
    assert.equal(shown.dryRun, true);
    assert.deepEqual([shown.database, shown.records, shown.found], ['tune_bench', 5000, 'none']);
    assert.ok(shown.loadBytes > 5e6 && shown.freeBytes > 0);
    assert.match(
      String(shown),
      /nothing was written[^]* {2}Run {8}tune\.bench\(\{ workload: "ycsb-a", records: 5000, force: true,\s+confirm: true \}\)/,
    );
  });

  for (const [name, { kinds }] of WORKLOADS) {
    it(`${name} runs, without errors`, async () => {
      const seen = await run({ workload: name, ...(name === 'iibench' && { queries: 0.2 }) });
      assert.ok(seen.opsPerSec > 0 && seen.perSecond.length === 1);
      assert.deepEqual(
        [
          seen.dryRun,
          seen.ended,
          seen.errors.byCode.filter(({ code }) => code !== 11000),
          seen.threads,
          seen.processes,
        ],
        [false, 'complete', [], 4, 1],
      );
      assert.deepEqual(Object.keys(seen.operations).sort(), [...kinds].sort());
      const { p50, p95, p99, max } = seen.latencyMs;
      assert.ok(p50 > 0 && p50 <= p95 && p95 <= p99 && p99 <= max, JSON.stringify(seen.latencyMs));
      assert.ok(seen.notFound <= seen.opsPerSec * 0.01, `${seen.notFound} not found`);
      assert.equal(typeof seen.clientBound, 'boolean');
      assert.equal(seen.documentsPerSec === null, name !== 'iibench');
      assert.match(String(seen), new RegExp(`RESULT [^]*${name}, 2,000 records[^]*LATENCY, MS`));
    });
  }

  it('several processes share the threads, and each does its part', async () => {
    const seen = await run({ workload: 'ycsb-d', threads: 5, processes: 2 });
    assert.deepEqual([seen.threads, seen.processes, seen.errors.count], [5, 2, 0]);
  });

  it('finds the number of threads and processes by itself', async () => {
    const seen = await run({ workload: 'ycsb-c', threads: 'auto', processes: 'auto' });
    assert.ok(seen.trials.length >= 3);
    assert.ok(
      seen.trials.some(
        ({ threads, processes }) => threads === seen.threads && processes >= seen.processes,
      ),
    );
  });

  it('keeps the data if asked, uses it again, and never the same key twice', async () => {
    const first = await run({ workload: 'ycsb-d', keepData: true });
    assert.deepEqual([first.loaded.records, first.loaded.resumed], [RECORDS, false]);
    assert.equal(
      (await bench(contextOf(server.client), { workload: 'ycsb-a', records: RECORDS, force: true }))
        .found,
      'reused',
    );
    assert.equal(
      (await bench(contextOf(server.client), { workload: 'ycsb-a', records: 99, force: true }))
        .found,
      'replaced',
    );
    const second = await run({ workload: 'ycsb-d' });
    assert.deepEqual([second.loaded.records, second.errors.count], [0, 0]);
  });

  it('goes on with a load that was interrupted, and puts in only what is missing', async () => {
    const records = 60_000;
    const stop = new AbortController();
    const ctx = contextOf(server.client, { signal: stop.signal });
    ctx.progress = (text) => {
      if (/loading/.test(text ?? '')) stop.abort();
    };
    await assert.rejects(
      bench(ctx, { ...QUICK, records, workload: 'ycsb-c' }),
      (error) => error.code === 'TUNE-30009' && /continues with it/.test(error.message),
    );
    const there = await server.db('tune_bench').collection('loaded').countDocuments();
    assert.ok(there > 0 && there < 60, `${there} pieces`);
    // In the middle of a piece, too.
    const { pieces } = {
      pieces: await server.db('tune_bench').collection('loaded').find().toArray(),
    };
    await server.db('tune_bench').collection('loaded').deleteOne({ _id: pieces[0]._id });
    assert.equal(
      (await bench(contextOf(server.client), { workload: 'ycsb-c', records, force: true })).found,
      'resumed',
    );
    const seen = await bench(contextOf(server.client), {
      ...QUICK,
      records,
      workload: 'ycsb-c',
      keepData: true,
    });
    assert.deepEqual(
      [seen.loaded.resumed, seen.loaded.records, seen.notFound],
      [true, records - (there - 1) * 1000, 0],
    );
    assert.equal(await server.db('tune_bench').collection('usertable').countDocuments(), records);
    assert.equal((await benchClean(contextOf(server.client))).dryRun, true);
    assert.deepEqual(
      await benchClean(contextOf(server.client), { confirm: true }).then(({ found, dropped }) => [
        found,
        dropped,
      ]),
      [true, true],
    );
    assert.equal((await benchClean(contextOf(server.client), { confirm: true })).found, false);
  });

  it('an open loop keeps its rate', async () => {
    const seen = await run({ workload: 'ycsb-b', ratePerSec: 200, seconds: 3 });
    assert.ok(Math.abs(seen.opsPerSec - 200) < 20, `${seen.opsPerSec} a second`);
  });

  describe('a server that stalls for two seconds', () => {
    /** The same stall, seen by both. @param {object} options */
    async function stalled(options) {
      const ctx = contextOf(server.client);
      let stopped = false;
      ctx.progress = (text) => {
        if (stopped || !/: [12] of/.test(text ?? '')) return;
        stopped = true;
        process.kill(server.pid, 'SIGSTOP');
        setTimeout(() => process.kill(server.pid, 'SIGCONT'), 2000);
      };
      const seen = await bench(ctx, { ...QUICK, seconds: 6, workload: 'ycsb-c', ...options });
      assert.ok(stopped);
      return seen;
    }

    it('open loop: the stall is in the percentiles, for every operation that it held up counts', async () => {
      const seen = await stalled({ ratePerSec: 200 });
      assert.ok(seen.latencyMs.max >= 1900, `max ${seen.latencyMs.max} ms`);
      // A third of the time stalled.
      assert.ok(seen.latencyMs.p95 >= 1000, `p95 ${seen.latencyMs.p95} ms`);
      assert.equal(seen.stalls.count, 1);
      assert.ok(
        seen.stalls.longestMs >= 1500 && seen.stalls.longestMs <= 4000,
        `${seen.stalls.longestMs} ms`,
      );
    });

    it('closed loop: the percentiles hide it, the stall is counted all the same', async () => {
      const seen = await stalled({});
      assert.ok(seen.latencyMs.max >= 1900, `max ${seen.latencyMs.max} ms`);
      assert.ok(seen.latencyMs.p99 < 1000, `p99 ${seen.latencyMs.p99} ms`);
      assert.ok(seen.stalls.count >= 1 && seen.stalls.longestMs >= 1500);
    });
  });

  for (const [what, work] of /** @type {[string, (orders: Collection) => Promise<unknown>][]} */ ([
    ['reads', (orders) => orders.findOne({})],
    ['aggregations', (orders) => orders.aggregate([{ $match: { total: 12 } }]).toArray()],
  ])) {
    it(`is refused where others are at work with ${what}, unless forced`, async () => {
      const load = startLoad(() => work(server.db('shop').collection('orders')));
      try {
        await assert.rejects(
          run({ force: false }),
          (error) =>
            error.code === 'TUNE-31001' &&
            error.value > 20 &&
            /operations\/s without a benchmark/.test(error.message),
        );
      } finally {
        await load.stop();
      }
    });
  }

  it('is refused for a database that it did not make', async () => {
    await assert.rejects(run({ database: 'shop' }), { code: 'TUNE-31002' });
    assert.deepEqual(
      await benchClean(contextOf(server.client), { database: 'shop', confirm: true }).then(
        ({ found, dropped }) => [found, dropped],
      ),
      [false, false],
    );
    for (const database of ['admin', 'local', 'config', 'a/b', 'a.b'])
      await assert.rejects(run({ database }), { code: 'TUNE-10002' }, database);
  });

  it('is refused where the disk has no room', async () => {
    await assert.rejects(
      run({ records: 1e9, force: false }),
      (error) => error.code === 'TUNE-30003' && /left/.test(error.message),
    );
  });

  it('Ctrl-C ends it within seconds, with what was seen', async () => {
    const stop = new AbortController();
    const ctx = contextOf(server.client, { signal: stop.signal });
    ctx.progress = (text) => {
      if (/: 2 of/.test(text ?? '')) stop.abort();
    };
    const seen = await bench(ctx, { ...QUICK, workload: 'ycsb-b', seconds: 600 });
    assert.equal(seen.ended, 'interrupted');
    assert.ok(seen.tookSeconds < 100 && seen.opsPerSec > 0, `${seen.tookSeconds} s`);
  });
});
