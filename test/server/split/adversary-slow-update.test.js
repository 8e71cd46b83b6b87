'use strict';

/* eslint-disable no-console -- what was seen is the evidence */

/**
 * An update of one document that takes the server longer than the time between two yields: it is
 * done, the server lets go of its lock, and the cut comes before the command has ended. It ends
 * with error 175, and what it did is there.
 */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { contextOf } = require('../../support/context');
const { startServer } = require('../../support/server');
const { planOf } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { run: splitRun } = require('../../../lib/commands/split-run');

const GUIDE = fs.readFileSync(path.join(__dirname, '../../../docs/split.md'), 'utf8');
const [, RECIPE] = /```js\n(const REFUSED = [^]*?\n\}\n)await either/.exec(GUIDE) ?? [];
const never = new AbortController().signal;
const WRITERS = 4;
const TAGS = 2_000;
const ROUNDS = 6;

describe('an update of one document that takes longer than a moment', function () {
  this.timeout(300_000);
  let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  /** Each document with many index keys, so that an update takes some 50 ms. */
  const tagsOf = (/** @type {string} */ text) =>
    Array.from({ length: TAGS }, (_, i) => `${text}-${i}`);

  it('by its _id, with the recipe: nothing is done twice', async () => {
    const { client } = server;
    for (let round = 0; round < ROUNDS; round += 1) {
      const [from, into] = ['app', 'app2'].map((db) => client.db(db).collection(`b${round}`));
      await from.insertMany(
        Array.from({ length: WRITERS }, (_, w) => ({ _id: w, n: 0, tags: tagsOf(`${w}`) })),
      );
      await from.createIndex({ tags: 1 });
      const moves = [{ ns: `app.b${round}`, into: `app2.b${round}` }];
      const plan = await planOf(client, { moves, mode: 'offline' });
      const { either } = new Function(`${RECIPE} return { either };`)();
      const seen = { on: true, done: Array(WRITERS).fill(0), codes: {} };
      const apps = seen.done.map(async (_none, w) => {
        const places = [from, into];
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
      await splitRun(contextOf(client), plan, { confirm: true });
      await sleep(300, never);
      seen.on = false;
      await Promise.all(apps);
      const found = await into
        .find({}, { projection: { n: 1 } })
        .sort({ _id: 1 })
        .toArray();
      const counted = found.map(({ n }) => n);

      console.log({ codes: seen.codes, counted, acknowledged: seen.done });
      assert.deepEqual(counted, seen.done);
    }
  });
});
