'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { setExternally } = require('../../support/engine');
const { skipIf } = require('../../support/skip');
const { slowDisk, whyNoSlowDisk } = require('../../support/slow-disk');
const { startWorkload } = require('../../support/workload');
const { whyNotLong } = require('../../support/trial');
const { DIRECT } = require('../../support/patient');
const { configStringOf } = require('../../../lib/config/engine-config');
const { showChange } = require('../../../lib/config/change');
const { run: auto } = require('../../../lib/commands/auto');
const { run: status } = require('../../../lib/commands/status');

/**
 * @import { Change } from '../../../lib/base/types'
 * @import { Server } from '../../support/server'
 * @import { SlowDisk } from '../../support/slow-disk'
 * @import { KindName } from '../../support/workload'
 */

/**
 * A search against everything that it may choose from: each combination of the same settings, one
 * after the other.
 * @typedef {{
 *   what: string, bottleneck: string, kind: KindName, ill: Change,
 *   readOps?: number
 * }} Case
 */

/** All settings at which a bottleneck begins; what a case does not name is as mongod starts it. */
const WELL = Object.freeze({
  cacheSizeGB: 0.25,
  evictionThreadsMin: 4,
  evictionThreadsMax: 4,
  evictionDirtyTarget: 5,
  evictionDirtyTrigger: 20,
});
/** @type {Case[]} */
const CASES = [
  {
    what: 'readers of more than the cache holds, from 600 reads a second of a disk',
    bottleneck: 'cache-read',
    kind: 'read',
    ill: {},
    readOps: 600,
  },
  {
    what: 'changes to more pages than may be dirty',
    bottleneck: 'cache-dirty',
    kind: 'update',
    ill: {},
  },
  {
    what: 'a dirty trigger that somebody lowered',
    bottleneck: 'cache-dirty',
    kind: 'touch',
    ill: { evictionDirtyTarget: 1, evictionDirtyTrigger: 3 },
  },
  {
    what: 'one eviction thread',
    bottleneck: 'eviction-threads',
    kind: 'few',
    ill: { evictionThreadsMin: 1, evictionThreadsMax: 1 },
  },
];
const LIMIT_MS = 45 * 60_000;
/**
 * A larger cache fills from a slow disk at 38 MB a second; one that has filled does not gain any
 * more from one sample to the next.
 */
const MAX_SNAPSHOTS = 10;
const STEADY_RATIO = 1.15;
const SAMPLE_SECONDS = 5;
/** End, best and start in turns: a drift of the machine meets all. */
const ROUNDS = 3;
const MIN_RATIO = 0.95;

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)];

for (const { what, bottleneck, kind, ill, readOps } of CASES) {
  describe(`a search against a sweep: ${what}`, function () {
    this.timeout(LIMIT_MS);
    this.retries(0);
    /** @type {Server} */ let server;
    /** @type {SlowDisk | undefined} */ let disk;
    /** @type {{ stop(): Promise<void> } | undefined} */ let load;
    before(async function () {
      this.timeout(LIMIT_MS);
      skipIf(this, whyNotLong() ?? (readOps ? whyNoSlowDisk() : null));
      if (readOps) disk = slowDisk();
      server = await startServer({ args: [...DIRECT], ...(disk && { withTimeout: disk.path }) });
      load = await startWorkload(server.uri, kind);
      if (readOps) disk?.limit({ readOps }, server.pid);
    });
    after(async () => {
      disk?.release();
      await load?.stop();
      await server?.stop();
      disk?.remove();
    });

    /**
     * @param {Change} change on top of what the bottleneck begins with
     * @returns {Promise<number>} operations a second, once it has settled
     */
    async function throughput(change) {
      await setExternally(server, configStringOf({ ...WELL, ...ill, ...change }));
      for (let attempts = 1, before = 0; ; attempts += 1) {
        const { ops } = await status(contextOf(server.client), { seconds: SAMPLE_SECONDS });
        const opsPerSec = Number(ops.readsPerSec) + Number(ops.writesPerSec);
        if (attempts > 2 && (opsPerSec < STEADY_RATIO * before || attempts === MAX_SNAPSHOTS))
          return (opsPerSec + before) / 2;
        before = opsPerSec;
      }
    }

    it('ends at 0.95 of the best of all at the least, and not below the start', async () => {
      await throughput({});
      const ctx = contextOf(server.client);
      const shown = await auto(ctx, { seconds: 8 });
      assert.equal(shown.bottleneck, bottleneck, `${shown}`);
      const sweep = [];
      for (const change of combinations(shown.dimensions))
        sweep.push({ change, opsPerSec: await throughput(change) });
      const best = sweep.reduce((a, b) => (b.opsPerSec > a.opsPerSec ? b : a)).change;
      await throughput({});
      const found = await auto(ctx, { confirm: true, minutes: 20, seconds: 8 });
      process.stderr.write(
        `${sweep.map(({ change, opsPerSec }) => `      ${showChange(change) || 'as it begins'}: ${opsPerSec.toFixed(0)}`).join('\n')}\n${found}\n`,
      );
      /** @type {Record<'end' | 'best' | 'start', number[]>} */
      const rates = { end: [], best: [], start: [] };
      for (let round = 0; round < ROUNDS; round += 1) {
        rates.end.push(await throughput(found.change ?? {}));
        rates.best.push(await throughput(best));
        rates.start.push(await throughput({}));
      }
      process.stderr.write(`      ${JSON.stringify({ best, rates })}\n`);
      const end = found.change ?? {};
      // The same settings differ by chance alone.
      if (showChange(end) !== showChange(best))
        assert.ok(median(rates.end) >= MIN_RATIO * median(rates.best), JSON.stringify(rates));
      if (found.change) assert.ok(median(rates.end) >= median(rates.start), JSON.stringify(rates));
    });
  });
}

/** @param {{ changes: Change[] }[]} dimensions @returns {Change[]} none of them first */
function combinations(dimensions) {
  return dimensions.reduce(
    (/** @type {Change[]} */ all, { changes }) =>
      all.flatMap((one) => [one, ...changes.map((change) => ({ ...one, ...change }))]),
    [{}],
  );
}
