'use strict';

const assert = require('node:assert/strict');
const { planOf, useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const DOCUMENTS = 60_000;
const AGAIN = 20;
const PAUSE_MS = 20;

/** As of locks, queues and caches that keep the _id. */
const DRY = Object.freeze({ confirm: false, guardian: true });

describe('documents that are deleted and inserted again while they are copied', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  it('in one go: the server reads some twice, and the copy comes to its end', async () => {
    const from = client.db('app').collection('c');
    const pad = 'x'.repeat(300);
    await from.insertMany(Array.from({ length: DOCUMENTS }, (_, _id) => ({ _id, pad })));
    const plan = await planOf(client, { moves: [{ ns: 'app.c', into: 'app2.c' }] });
    let on = true;
    const writes = (async () => {
      for (let n = 0; on; n += 1) {
        await from.deleteOne({ _id: n % AGAIN });
        await from.insertOne({ _id: n % AGAIN, n });
        await new Promise((resolve) => {
          setTimeout(resolve, PAUSE_MS);
        });
      }
    })();
    try {
      const { splits } = await splitRun(ctx, plan, { confirm: true });
      assert.equal(splits[0].phase, 'following');
    } finally {
      on = false;
      await writes;
    }
    const NOT_COMPARED = /Not compared yet/;
    assert.match(String(await splitCutover(ctx, plan.id, DRY)), NOT_COMPARED);
    // A comparison that only reads is known to this shell; the record does not have it.
    assert.equal((await splitVerify(ctx, plan.id, {})).splits[0].verified?.documents, DOCUMENTS);
    const shown = await splitCutover(ctx, plan.id, DRY);
    assert.doesNotMatch(String(shown), NOT_COMPARED);
    assert.equal(shown.splits[0].verified?.documents, DOCUMENTS);
    const { splits } = await splitVerify(ctx, plan.id, { repair: true, confirm: true });
    assert.deepEqual(
      [splits[0].verified.differences, splits[0].verified.documents],
      [0, DOCUMENTS],
    );
  });
});
