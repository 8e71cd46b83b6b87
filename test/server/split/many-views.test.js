'use strict';

/** A collection that many views read. */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { splitCutover } = require('../../../lib/commands/split-cutover');

const never = new AbortController().signal;

describe('a collection that many views read', function () {
  this.timeout(280_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  for (const views of [300, 1000])
    it(`${views} views: others are held up for less than a second, and it is cut over`, async () => {
      const split = await beginSplit(client, ctx);
      for (let i = 0; i < views; i += 1)
        await client
          .db('app')
          .command({
            create: `${split.name}_v${i}`,
            viewOn: split.name,
            pipeline: [{ $match: { a: i } }],
          });
      const seen = { longestMs: 0, on: true };
      const canary = (async () => {
        while (seen.on) {
          const began = performance.now();
          await client.db('elsewhere').collection('c').insertOne({});
          seen.longestMs = Math.max(seen.longestMs, performance.now() - began);
          await sleep(10, never);
        }
      })();
      const interrupt = new AbortController();
      setTimeout(() => interrupt.abort(), 60_000).unref();
      const said = await splitCutover(
        contextOf(client, { signal: interrupt.signal }),
        split.id,
        ALONE,
      ).then(
        ({ splits }) => splits[0].phase,
        (error) => error.message,
      );
      seen.on = false;
      await canary;

      assert.equal(said, 'switched');
      assert.ok(seen.longestMs < 1_000, `${seen.longestMs} ms`);
    });
});
