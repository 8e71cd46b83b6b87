'use strict';

const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

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
  /** While the first step is on its way: whoever changes something then waits. */
  function changingMeanwhile(change) {
    const ctx = contextOf(client);
    const { adminCommand } = ctx.port;
    let changed = null;
    ctx.port.adminCommand = async (spec) => {
      if (spec.applyOps && spec.comment && !changed) {
        changed = change();
        changed.catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return adminCommand(spec);
    };
    return { ctx, done: () => changed };
  }
  const names = async (collection) => (await collection.indexes()).map(({ name }) => name).sort();

  it('an index of the source: it answers again, and the next cutover takes it along', async () => {
    const { id, name, from, into } = await beginSplit(client, contextOf(client));
    const ctx = changing(() => from.createIndex({ u: 1 }, UNIQUE));
    const error = await splitCutover(ctx, id, ALONE).then(
      () => null,
      (one) => one,
    );
    // Where the first try got no lock, the second one has seen the index.
    if (error !== null) {
      assert.equal(error.code, 'TUNE-35009');
      assert.match(error.message, /the index u_1.*is active again with all its data/s);
      assert.deepEqual(await takesWrites(client, name), ['app']);
      await splitCutover(ctx, id, ALONE);
    }
    assert.deepEqual(await names(into), ['_id_', 'a_1', 'u_1']);
    assert.equal(await into.countDocuments(), BEFORE);
  });

  it('an index of the new place: it answers again, and the next rollback takes it along', async () => {
    const { id, name, from, into } = await beginSplit(client, contextOf(client), {
      switched: true,
    });
    const ctx = changing(() => into.createIndex({ u: 1 }, UNIQUE));
    const error = await splitRollback(ctx, id, ALONE).then(
      () => null,
      (one) => one,
    );
    if (error !== null) {
      assert.equal(error.code, 'TUNE-35009');
      assert.deepEqual(await takesWrites(client, name), ['app2']);
      await splitRollback(ctx, id, ALONE);
    }
    assert.deepEqual(await names(from), ['_id_', 'a_1', 'u_1']);
    assert.equal(await from.countDocuments(), BEFORE);
  });

  describe('the time after which documents expire', () => {
    const HOUR = 3600;
    const begin = (more) =>
      beginSplit(client, contextOf(client), {
        indexes: [[{ at: 1 }, { expireAfterSeconds: HOUR }]],
        ...more,
      });
    const longer = ({ dbName, collectionName }) =>
      client
        .db(dbName)
        .command({
          collMod: collectionName,
          index: { name: 'at_1', expireAfterSeconds: 24 * HOUR },
        });
    const timeOf = async (collection) =>
      (await collection.indexes()).find(({ name }) => name === 'at_1').expireAfterSeconds;

    it('changed before the lock: the new one arrives', async () => {
      const { id, from, into } = await begin();
      await splitCutover(
        changing(() => longer(from)),
        id,
        ALONE,
      );
      assert.equal(await timeOf(into), 24 * HOUR);
    });

    it('changed while the step waits: the new one arrives, and nobody waits for long', async () => {
      const { id, from, into } = await begin();
      const { ctx, done } = changingMeanwhile(() => longer(from));
      await splitCutover(ctx, id, ALONE);
      assert.equal((await done()).ok, 1);
      assert.equal(await timeOf(into), 24 * HOUR);
    });

    it('changed at the new place before the rollback: the new one comes back', async () => {
      const { id, from, into } = await begin({ switched: true });
      const { ctx, done } = changingMeanwhile(() => longer(into));
      await splitRollback(ctx, id, ALONE);
      assert.equal((await done()).ok, 1);
      assert.equal(await timeOf(from), 24 * HOUR);
    });
  });
});
