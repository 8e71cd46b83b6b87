'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { fieldPath, absent } = require('../support/field');
const { skipIf } = require('../support/skip');
const { Recording } = require('../../lib/recording/ftdc/recording');
const { findFiles } = require('../../lib/recording/ftdc/files');
const { sampleAt } = require('../../lib/series/columns');
const { findCheckpoints } = require('../../lib/server/pure/checkpoints');

const folder = fieldPath('field', 'ftdc');
const names = folder === null ? [] : fs.readdirSync(folder).filter((name) => !name.endsWith('.gz'));
const GAP_MS = 5000;
const TOTAL = 'checkpoint.totalMs';

/** Runs of samples without a gap, a restart, or a missing counter. @param {string} file */
async function runsOf(file) {
  const runs = [[]];
  for await (const { block } of new Recording(await findFiles([file]), {}).pieces()) {
    for (let i = 0; i < block.length; i++) {
      const sample = sampleAt(block, i);
      const before = runs.at(-1).at(-1);
      if (
        before &&
        (sample.atMs - before.atMs > GAP_MS || !(sample.counters[TOTAL] >= before.counters[TOTAL]))
      )
        runs.push([]);
      if (sample.counters[TOTAL] !== undefined) runs.at(-1).push(sample);
    }
  }
  return runs.filter((run) => run.length > 1);
}

describe("checkpoints of strangers' servers of many releases", function () {
  this.timeout(60_000);
  it('recordings are at hand', function () {
    skipIf(this, absent(folder));
  });

  for (const name of names) {
    it(`${name.slice(0, 20)}…: as many as the server counted, and all of their time`, async () => {
      for (const run of await runsOf(path.join(String(folder), name))) {
        const found = findCheckpoints(/** @type {any} */ ({ samples: run })) ?? [];
        const grown = (metric) => run.at(-1).counters[metric] - run[0].counters[metric];
        assert.equal(
          found.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0),
          grown(TOTAL),
        );
        // Old releases count one at its beginning: the edges of a run may see it from the other
        // side.
        assert.ok(
          Math.abs(found.length - grown('checkpoint.count')) <= 1,
          `${found.length} found, ${grown('checkpoint.count')} counted`,
        );
        for (const { fromMs, toMs } of found)
          assert.ok(
            toMs === null ||
              (toMs > fromMs && fromMs <= run.at(-1).atMs && toMs >= run[0].atMs - GAP_MS),
          );
      }
    });
  }
});
