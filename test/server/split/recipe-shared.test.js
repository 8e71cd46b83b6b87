'use strict';

/** The recipe of the guide with one list of places for several operations at a time. */
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { MongoClient } = require('mongodb');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { slowProxy } = require('../../support/slow-proxy');
const { useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');

const GUIDE = fs.readFileSync(path.join(__dirname, '../../../docs/split.md'), 'utf8');
const [, RECIPE] = /```js\n(const REFUSED = [^]*?\n\}\n)const orders/.exec(GUIDE) ?? [];

describe('the recipe of the guide, with one list of places for the application', function () {
  this.timeout(300_000);
  let client;
  let ctx;
  let server;
  useSet((set) => {
    ({ client, ctx, server } = set);
  });

  for (const [atOnce, awayMs] of [
    [2, 1],
    [2, 10],
    [2, 30],
    [4, 30],
  ])
    it(`${atOnce} operations at a time, ${awayMs} ms away, long after a cutover: all are done`, async () => {
      const documents = Array.from({ length: atOnce }, (_, i) => ({ _id: i, n: 0 }));
      const split = await beginSplit(client, ctx, { documents });
      await splitCutover(ctx, split.id, ALONE);
      const proxy = await slowProxy(server.port, awayMs / 2);
      const away = await new MongoClient(`mongodb://127.0.0.1:${proxy.port}/`, {
        directConnection: true,
      }).connect();
      const { either } = new Function(`${RECIPE} return { either };`)();
      const orders = ['app', 'app2'].map((db) => away.db(db).collection(split.name));
      // Its connections are there, as in any application at work.
      const warm = () => Promise.all(documents.map(({ _id }) => orders[1].findOne({ _id })));
      for (let i = 0; i < 5; i += 1) await warm();
      const began = Date.now();
      const ended = await Promise.allSettled(
        documents.map(({ _id }) =>
          either(orders, (collection) => collection.updateOne({ _id }, { $inc: { n: 1 } })),
        ),
      );
      const tookMs = Date.now() - began;
      await away.close();
      await proxy.close();
      const failed = ended.filter(({ status }) => status === 'rejected');

      assert.deepEqual(
        [failed.length, failed[0]?.reason?.message, tookMs < 5_000],
        [0, undefined, true],
      );
    });
});
