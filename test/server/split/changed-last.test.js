'use strict';

const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { useSet } = require('../../support/split');
const { splitCutover } = require('../../../lib/commands/split-cutover');
const { splitRollback } = require('../../../lib/commands/split-rollback');

const UNIQUE = Object.freeze({ unique: true, sparse: true });

/** Between the last look at both collections and the cut. */
describe('what is changed right before a cut', function () {
  this.timeout(120_000);
  let client;
  useSet((set) => {
    ({ client } = set);
  });

  /** Once, before the lock of the first step is tried. @param {() => Promise<unknown>} change */
  function changing(change) {
    const ctx = contextOf(client);
    const { adminCommand } = ctx.port;
    let changed = null;
    ctx.port.adminCommand = async (spec) => {
      if (spec.applyOps) await (changed ??= change());
      return adminCommand(spec);
    };
    return ctx;
  }
  const names = async (collection) => (await collection.indexes()).map(({ name }) => name).sort();

  it('an index of the source: it answers again, and the next cutover takes it along', async () => {
    const { id, name, from, into } = await beginSplit(client, contextOf(client));
    const ctx = changing(() => from.createIndex({ u: 1 }, UNIQUE));
    await assert.rejects(
      splitCutover(ctx, id, ALONE),
      (error) =>
        error.code === 'TUNE-35009' &&
        /the index u_1/.test(error.message) &&
        /answers again with all its data/.test(error.message),
    );
    assert.deepEqual(await takesWrites(client, name), ['app']);
    await splitCutover(ctx, id, ALONE);
    assert.deepEqual(await names(into), ['_id_', 'a_1', 'u_1']);
    assert.equal(await into.countDocuments(), BEFORE);
  });

  it('an index of the new place: it answers again, and the next rollback takes it along', async () => {
    const { id, name, from, into } = await beginSplit(client, contextOf(client), {
      switched: true,
    });
    const ctx = changing(() => into.createIndex({ u: 1 }, UNIQUE));
    await assert.rejects(splitRollback(ctx, id, ALONE), { code: 'TUNE-35009' });
    assert.deepEqual(await takesWrites(client, name), ['app2']);
    await splitRollback(ctx, id, ALONE);
    assert.deepEqual(await names(from), ['_id_', 'a_1', 'u_1']);
    assert.equal(await from.countDocuments(), BEFORE);
  });
});
