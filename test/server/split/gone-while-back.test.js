'use strict';

const assert = require('node:assert/strict');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { endLease, mortalContext, useSet } = require('../../support/split');

/** The collection that a rollback has just cut off is renamed or dropped by another session. */
describe('a rollback whose shell died, and whose data another session takes away', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  async function dead() {
    const split = await beginSplit(client, ctx, { switched: true });
    const mine = mortalContext(client, (spec) => spec.update?.$set?.phase === 'switching-back');
    await assert.rejects(splitRollback(mine, split.id, ALONE));
    await endLease(client, split.id);
    const { phase, into } = await split.read();
    assert.equal(phase, 'draining-back');
    return { split, data: client.db('app2').collection(into.stagingName) };
  }
  /** @param {string} id */
  const screenOf = async (id) => String(await splitStatus(ctx, id));

  it('dropped: status says so, and the command that it prints gives the old data its name', async () => {
    const { split, data } = await dead();
    await data.drop();
    const said = await screenOf(split.id);
    assert.match(said, /Another session dropped app2\./);
    assert.match(said, /Dry run +tune\.split\.rollback\("[^"]+", \{ lost: true \}\)/);
    await splitRollback(ctx, split.id, { ...ALONE, lost: true });
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
    assert.equal(await split.from.countDocuments(), BEFORE);
  });

  it('renamed: the printed commands give its name back, and end the rollback', async () => {
    const { split, data } = await dead();
    await data.rename('elsewhere');
    const said = await screenOf(split.id);
    assert.match(said, /Another session renamed app2\.\S+ to app2\.elsewhere/);
    assert.match(said, /rename it back before the next command/);
    assert.match(
      said,
      new RegExp(`Rename\\s+.*elsewhere.*renameCollection\\("${data.collectionName}"\\)`),
    );
    assert.match(said, /Roll back +tune\.split\.rollback\("[^"]+", \{ confirm: true \}\)/);
    const elsewhere = client.db('app2').collection('elsewhere');
    await elsewhere.insertOne(/** @type {any} */ ({ _id: 'later' }));
    await elsewhere.rename(data.collectionName);
    // No event shows what was written there.
    await assert.rejects(splitRollback(ctx, split.id, ALONE), { code: 'TUNE-35015' });
    await splitRollback(ctx, split.id, ALONE);
    assert.equal(await split.from.countDocuments(), BEFORE + 1);
  });

  it('replaced: whoever writes there comes first', async () => {
    const { split, data } = await dead();
    await data.drop();
    await split.into.drop();
    await split.into.insertOne({});
    const said = await screenOf(split.id);
    assert.match(said, /Another session replaced app2\./);
    assert.match(said, /stop the writers of app2\.\S+, and\s+rename it/);
    assert.doesNotMatch(said, /split\.finish/);
  });
});
