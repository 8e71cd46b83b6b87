'use strict';

/** A driver sends a write a second time where it lost the answer; meanwhile the name refuses. */
const assert = require('node:assert/strict');
const { Long } = require('mongodb');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

/** @type {Record<string, (name: string, number: number) => Record<string, unknown>>} */
const WRITES = {
  update: (name) => ({ update: name, updates: [{ q: { _id: 1 }, u: { $inc: { n: 1 } } }] }),
  insert: (name, number) => ({ insert: name, documents: [{ _id: `new ${number}` }] }),
  delete: (name) => ({ delete: name, deletes: [{ q: { kind: 'many' }, limit: 1 }] }),
  findAndModify: (name) => ({ findAndModify: name, query: { _id: 2 }, update: { $inc: { n: 1 } } }),
};

describe('a write that is sent again after its name began to refuse', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  for (const [what, write] of Object.entries(WRITES))
    it(`${what}: the server answers that it was done, so nobody does it twice`, async () => {
      const documents = [
        ...[1, 2].map((_id) => ({ _id, n: 0 })),
        ...['a', 'b', 'c'].map((_id) => ({ _id, kind: 'many' })),
      ];
      const split = await beginSplit(client, ctx, { documents });
      // Not ended: the driver would take it again for writes of its own.
      const session = client.startSession();
      const send = (/** @type {any} */ collection, /** @type {number} */ number) =>
        client
          .db(collection.dbName)
          .command(
            { ...write(collection.collectionName, number), txnNumber: Long.fromNumber(number) },
            { session },
          )
          .then(
            (/** @type {any} */ { n, lastErrorObject }) => n ?? lastErrorObject.n,
            (/** @type {any} */ error) => error.code,
          );
      const answers = [await send(split.from, 1)];
      await splitCutover(ctx, split.id, ALONE);
      answers.push(await send(split.from, 1), await send(split.into, 2));
      await splitRollback(ctx, split.id, ALONE);
      answers.push(await send(split.into, 2));
      assert.deepEqual(answers, [1, 1, 1, 1]);
    });
});
