'use strict';

/** The recipe of the guide, with what writes several documents. */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { MongoBulkWriteError } = require('mongodb');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');

const GUIDE = fs.readFileSync(path.join(__dirname, '../../../docs/split.md'), 'utf8');
const [, RECIPE] = /```js\n(const REFUSED = [^]*?\n\}\n)const orders/.exec(GUIDE) ?? [];
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

  it('an operation of a bulk that fails by itself hides none that was refused, and is not repeated', async () => {
    const places = ['half', 'whole'].map((name) => client.db('app').collection(name));
    const { eitherBulk } = new Function(`${RECIPE} return { either, eitherBulk };`)();
    for (const codes of [
      [11000, 0, 166, 166],
      [166, 175, 0, 166],
    ]) {
      await Promise.all(places.map((place) => place.deleteMany({})));
      const refusing = {
        bulkWrite: async (/** @type {any[]} */ operations) => {
          const done = operations.filter((_, i) => codes[i] === 0);
          await places[0].bulkWrite(done, { ordered: false });
          const writeErrors = codes.flatMap((code, index) => (code ? [{ index, code }] : []));
          throw new MongoBulkWriteError(
            /** @type {any} */ ({ code: writeErrors[0].code, writeErrors }),
            /** @type {any} */ ({}),
          );
        },
      };
      const operations = codes.map((_, i) => ({ insertOne: { document: { _id: i } } }));
      const error = await eitherBulk([refusing, places[1]], operations).catch(
        (/** @type {any} */ one) => one,
      );
      const [done, moved] = await Promise.all(
        places.map(async (place) => (await place.find().toArray()).map(({ _id }) => _id)),
      );
      assert.deepEqual(
        [error.code, error.failed.map((/** @type {any} */ { index }) => index), done, moved],
        [
          codes.find((code) => ![0, 166].includes(code)),
          codes.flatMap((code, i) => ([0, 166].includes(code) ? [] : [i])),
          codes.flatMap((code, i) => (code === 0 ? [i] : [])),
          codes.flatMap((code, i) => (code === 166 ? [i] : [])),
        ],
      );
    }
  });
});
