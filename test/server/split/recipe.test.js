'use strict';

/** The recipe of the guide, "it works at any moment", with what writes several documents. */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { splitCutover } = require('../../../lib/commands/split-cutover');

const GUIDE = fs.readFileSync(path.join(__dirname, '../../../docs/split.md'), 'utf8');
const [, RECIPE] = /```js\n(const REFUSED = [^]*?\n\}\n)await either/.exec(GUIDE) ?? [];
const never = new AbortController().signal;

/** @type {Record<string, (recipe: any, places: any[], w: number) => Promise<any>>} */
const OPERATIONS = {
  'updates of one document': async ({ either }, places, w) => {
    for (let i = 0; i < 50; i += 1)
      await either(places, (c) => c.updateOne({ _id: `${w}-${i}` }, { $inc: { n: 1 } }));
  },
  'an unordered bulk': ({ eitherBulk }, places, w) =>
    eitherBulk(
      places,
      Array.from({ length: 50 }, (_, i) => ({
        updateOne: { filter: { _id: `${w}-${i}` }, update: { $inc: { n: 1 } } },
      })),
    ),
};

describe('the recipe of the guide', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  for (const [what, operate] of Object.entries(OPERATIONS))
    it(`with ${what}: nothing is done twice`, async () => {
      const documents = Array.from({ length: 4 }, (_, w) =>
        Array.from({ length: 50 }, (_one, i) => ({ _id: `${w}-${i}`, w, n: 0 })),
      ).flat();
      const split = await beginSplit(client, ctx, { documents, indexes: [[{ w: 1 }]] });
      const recipe = new Function(`${RECIPE} return { either, eitherBulk };`)();
      const seen = { on: true, done: [0, 0, 0, 0] };
      const apps = seen.done.map(async (_none, w) => {
        const places = [split.from, split.into];
        while (seen.on) {
          await operate(recipe, places, w);
          seen.done[w] += 1;
          await sleep(50, never);
        }
      });
      await sleep(300, never);
      await splitCutover(ctx, split.id, ALONE);
      await sleep(300, never);
      seen.on = false;
      await Promise.all(apps);
      const wrong = (await split.into.find().toArray()).filter(({ w, n }) => n !== seen.done[w]);

      assert.equal(wrong.length, 0);
    });
});
