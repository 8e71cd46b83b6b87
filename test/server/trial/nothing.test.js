'use strict';

const assert = require('node:assert/strict');
const { startServer } = require('../../support/server');
const { contextOf } = require('../../support/context');
const { startWorkload } = require('../../support/workload');
const { whyNotLong } = require('../../support/trial');
const { skipIf } = require('../../support/skip');
const { run: trial } = require('../../../lib/commands/trial');
const { decide } = require('../../../lib/trial/pure/compare');

/** Servers beside each other, each with a load of its own. */
const LANES = 4;
const RUNS_EACH = 5;
const LIMIT_MS = 45 * 60_000;
/** A smaller one acts as the dirty target, which is 5: to the server nothing changes. */
const NOTHING = Object.freeze({ evictionCheckpointTarget: 2 });

describe('twenty trials of nothing', function () {
  this.timeout(LIMIT_MS);
  this.retries(0);
  before(function () {
    skipIf(this, whyNotLong());
  });

  it('are the same in 19 of 20 at the least', async () => {
    /** @type {Record<string, Record<string, number>>} */ const tally = {};
    const note = (/** @type {string} */ metric, /** @type {string} */ verdict) => {
      (tally[metric] ??= {})[verdict] = (tally[metric][verdict] ?? 0) + 1;
    };
    await Promise.all(Array.from({ length: LANES }, () => lane(note)));
    process.stderr.write(`      ${JSON.stringify(tally)}\n`);
    assert.ok((tally.verdict.same ?? 0) >= LANES * RUNS_EACH - 1, JSON.stringify(tally));
  });

  /** @param {(metric: string, verdict: string) => void} note */
  async function lane(note) {
    const server = await startServer();
    const load = await startWorkload(server.uri, 'paced');
    for (let run = 0; run < RUNS_EACH; run += 1) {
      const done = await trial(contextOf(server.client), NOTHING, {
        confirm: true,
        blocks: 8,
        blockSeconds: 10,
      });
      note('verdict', String(done.verdict));
      for (const [metric, effect] of Object.entries(done.effects))
        note(
          metric,
          decide(
            /** @type {any} */ ({ ...effect, pairs: done.pairs, spread: 0 }),
            /** @type {any} */ (metric),
          ),
        );
      process.stderr.write(
        `      ${done.verdict}, ×${Number(done.ratio).toFixed(3)} ` +
          `(${Number(done.low).toFixed(3)} to ${Number(done.high).toFixed(3)}), ended ` +
          `${done.ended}\n`,
      );
    }
    await load.stop();
    await server.stop();
  }
});
