'use strict';

const assert = require('node:assert/strict');
const { ALONE, beginSplit, takesWrites } = require('../../support/begun-split');
const { useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');

const HOUR_MS = 3_600_000;

describe('a split on a server whose clock is set back', function () {
  this.timeout(60_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });
  /** What a shell of another computer wrote before, by the clock of then. */
  const leaseOf = (aheadMs) => ({
    owner: 'before',
    who: 'another computer, process 1',
    process: null,
    until: new Date(Date.now() + aheadMs),
    after: null,
  });
  const splits = () => client.db('tune').collection('splits');

  it('the lease of a shell that died before does not last as long as it was set back', async () => {
    const { id, name, read } = await beginSplit(client, ctx);
    const { into } = await read();
    await splits().updateOne({ planId: id }, { $set: { lease: leaseOf(HOUR_MS) } });
    assert.equal((await splitCutover(ctx, id, ALONE)).splits[0].phase, 'switched');
    assert.deepEqual(await takesWrites(client, name), ['app2']);
    // As after any shell that died: what that one may have sent finds its copy no more.
    assert.notEqual((await read()).into.stagingName, into.stagingName);
  });

  it('one of an ordinary length counts', async () => {
    const { id } = await beginSplit(client, ctx);
    await splits().updateOne({ planId: id }, { $set: { lease: leaseOf(44_000) } });
    await assert.rejects(splitCutover(ctx, id, ALONE), { code: 'TUNE-35003' });
  });
});
