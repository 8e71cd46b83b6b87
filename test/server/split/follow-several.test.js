'use strict';

/** Two collections of a plan are followed, and one of them fails. */
const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { planOf, useSet } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { splitCutover } = require('../../../lib/commands/split-cutover');
const { splitResume } = require('../../../lib/commands/split-resume');
const { splitRun } = require('../../../lib/commands/split-run');

const DO = Object.freeze({ confirm: true });
const never = new AbortController().signal;

describe('resume { follow } of several collections', function () {
  this.timeout(150_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  it('has ended when it says that it failed: the other collections can be cut over', async () => {
    for (const name of ['f1', 'f2'])
      await client
        .db('app')
        .collection(name)
        .insertMany([{ _id: 1 }, { _id: 2 }]);
    const plan = await planOf(client, {
      moves: ['f1', 'f2'].map((name) => ({ ns: `app.${name}`, into: `app2.${name}` })),
    });
    await splitRun(ctx, plan, DO);
    const shell = new AbortController();
    const followed = splitResume(contextOf(client, { signal: shell.signal }), plan.id, {
      follow: true,
      confirm: true,
    }).then(
      () => null,
      (error) => error,
    );
    await sleep(1_500, never);
    await client.db('app').collection('f1').drop();
    assert.equal((await followed)?.code, 'TUNE-35005');
    const other = `${plan.id}:app.f2`;
    const { splits } = await splitCutover(ctx, other, { ...DO, guardian: false });
    shell.abort();
    assert.equal(splits[0].phase, 'switched');
  });
});
