'use strict';

/**
 * An update of one document that takes the server longer than the time between two yields: it is
 * done, the server lets go of its lock, and the cut comes before the command has ended.
 */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');

const GUIDE = fs.readFileSync(path.join(__dirname, '../../../docs/split.md'), 'utf8');
const [, RECIPE] = /```js\n(const REFUSED = [^]*?\n\}\n)await either/.exec(GUIDE) ?? [];
const never = new AbortController().signal;
const WRITERS = 4;
const ROUNDS = 8;
const TAGS = 2_000;

describe('an update of one document that takes longer than a moment', function () {
  this.timeout(300_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** Each document with many index keys, so that an update takes some 50 ms. */
  const tagsOf = (/** @type {string} */ text) =>
    Array.from({ length: TAGS }, (_, i) => `${text}-${i}`);

  it('by its _id: the recipe does nothing twice', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const split = await beginSplit(client, ctx, {
        documents: Array.from({ length: WRITERS }, (_, w) => ({
          _id: w,
          n: 0,
          tags: tagsOf(`${w}`),
        })),
        indexes: [[{ tags: 1 }]],
      });
      const { either } = new Function(`${RECIPE} return { either };`)();
      const seen = { on: true, done: Array(WRITERS).fill(0), codes: {} };
      const apps = seen.done.map(async (_none, w) => {
        const places = [split.from, split.into];
        for (let i = 0; seen.on; i += 1) {
          const change = { $inc: { n: 1 }, $set: { tags: tagsOf(`${w}-${i}`) } };
          await either(places, (c) =>
            c.updateOne({ _id: w }, change).catch((error) => {
              seen.codes[error.code] = (seen.codes[error.code] ?? 0) + 1;
              throw error;
            }),
          );
          seen.done[w] += 1;
        }
      });
      await sleep(500, never);
      await splitCutover(ctx, split.id, ALONE).catch((error) => {
        if (error.code !== 'TUNE-35006') throw error;
      });
      await sleep(300, never);
      seen.on = false;
      await Promise.all(apps);
      const { phase } = await split.read();
      const there = phase === 'switched' ? split.into : split.from;
      const found = await there
        .find({}, { projection: { n: 1 } })
        .sort({ _id: 1 })
        .toArray();
      const counted = found.map(({ n }) => n);

      console.log({ phase, codes: seen.codes, counted, acknowledged: seen.done });
      assert.deepEqual(counted, seen.done);
    }
  });
});
