'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { startWorkload } = require('../../support/workload');
const { whyNotLong } = require('../../support/trial');
const { setByOthers } = require('../../support/engine');
const { slowDisk, whyNoSlowDisk } = require('../../support/slow-disk');
const { skipIf } = require('../../support/skip');
const { status } = require('../../../lib/commands/status');
const { trial } = require('../../../lib/commands/trial');
const { auto } = require('../../../lib/commands/auto');
const { decide } = require('../../../lib/diagnose/trial/decide');

/** Servers beside each other, each with a load of its own. */
const LANES = 4;
const RUNS_EACH = 5;
const LIMIT_MS = 45 * 60_000;
/** A smaller one acts as the dirty target, which is 5: to the server nothing changes. */
const NOTHING = Object.freeze({ evictionCheckpointTarget: 2 });

describe('twenty trials of nothing', function () {
  this.timeout(LIMIT_MS);
  this.retries(0);
  before(function () { skipIf(this, whyNotLong()); });

  it('are the same in 19 of 20 at the least', async () => {
    /** @type {Record<string, Record<string, number>>} */ const tally = {};
    const note = (/** @type {string} */ metric, /** @type {string} */ verdict) => { (tally[metric] ??= {})[verdict] = (tally[metric][verdict] ?? 0) + 1; };
    await Promise.all(Array.from({ length: LANES }, () => lane(note)));
    process.stderr.write(`      ${JSON.stringify(tally)}\n`);
    assert.ok((tally.verdict.same ?? 0) >= LANES * RUNS_EACH - 1, JSON.stringify(tally));
  });

  /** @param {(metric: string, verdict: string) => void} note */
  async function lane(note) {
    const server = await startServer();
    const load = await startWorkload(server.uri, 'paced');
    for (let run = 0; run < RUNS_EACH; run += 1) {
      const done = await trial(contextOf(server.client), NOTHING, { confirm: true, blocks: 8, seconds: 10 });
      note('verdict', String(done.verdict));
      for (const [metric, effect] of Object.entries(done.effects)) note(metric, decide(/** @type {any} */ ({ ...effect, pairs: done.pairs, spread: 0 }), /** @type {any} */ (metric)));
      process.stderr.write(`      ${done.verdict}, ×${Number(done.ratio).toFixed(3)} (${Number(done.low).toFixed(3)} to ${Number(done.high).toFixed(3)}), ended ${done.ended}\n`);
    }
    await load.stop();
    await server.stop();
  }
});

describe('a search on a slow disk', function () {
  this.timeout(LIMIT_MS);
  this.retries(0);
  const SIZES_MB = [256, 512, 1024, 2048];
  /** @type {import('../../support/server').Server} */ let server;
  /** @type {import('../../support/slow-disk').SlowDisk} */ let disk;
  /** @type {{ stop(): Promise<void> }} */ let load;
  before(async function () {
    this.timeout(LIMIT_MS);
    skipIf(this, whyNotLong() ?? whyNoSlowDisk());
    disk = slowDisk();
    server = await startServer({ within: disk.path, args: ['--wiredTigerEngineConfigString', 'direct_io=[data],buffer_alignment=4K'] });
    load = await startWorkload(server.uri, 'read');
    disk.limit({ readOps: 600 }, server.pid);
  });
  after(async () => { disk?.release(); await load?.stop(); await server?.stop(); disk?.remove(); });

  /** @param {string} config @returns {Promise<number>} operations a second, after it has settled */
  async function throughput(config) {
    await setByOthers(server, config);
    await status(contextOf(server.client), { seconds: 20 });
    return Number((await status(contextOf(server.client), { seconds: 12 })).ops.readsPerSec);
  }
  const size = (/** @type {number} */ mb) => `cache_size=${mb}M`;

  it('ends at 0.95 of the best of all sizes at the least, and not below the start', async function () {
    this.timeout(LIMIT_MS);
    const sweep = [];
    for (const mb of SIZES_MB) sweep.push({ mb, opsPerSec: await throughput(size(mb)) });
    await setByOthers(server, size(SIZES_MB[0]));
    const ctx = contextOf(server.client);
    await status(ctx, { seconds: 10 });
    const found = await auto(ctx, { confirm: true, minutes: 15, seconds: 8 });
    process.stderr.write(`${JSON.stringify(sweep)}\n${found}\n`);
    assert.ok(found.change, `${found}`);
    const best = sweep.reduce((a, b) => (b.opsPerSec > a.opsPerSec ? b : a));
    const endMB = Number(found.change.cacheSizeGB) * 1024;
    const rates = { end: [0, 0], best: [0, 0], start: [0, 0] };
    for (const i of [0, 1]) {
      rates.end[i] = await throughput(size(endMB));
      rates.best[i] = await throughput(size(best.mb));
      rates.start[i] = await throughput(size(SIZES_MB[0]));
    }
    process.stderr.write(`${JSON.stringify({ endMB, bestMB: best.mb, ...rates })}\n`);
    const mean = ([a, b]) => (a + b) / 2;
    assert.ok(mean(rates.end) >= 0.95 * mean(rates.best), JSON.stringify(rates));
    assert.ok(mean(rates.end) >= mean(rates.start), JSON.stringify(rates));
  });
});
