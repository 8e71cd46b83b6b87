'use strict';

const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { useSet } = require('../../support/split');
const { isCut, stepsOf } = require('../../support/split-steps');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const DO = Object.freeze({ confirm: true });
const MAJORITY = Object.freeze({ writeConcern: { w: 'majority' } });
const WRITES = 30;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A step renames and drops by UUID: what another user calls it by then is another user's. */
describe('a collection that another user renames just before a step', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** The step is sent once this has begun, or is done. */
  function meanwhile(isIt, doIt, { isDone = false } = {}) {
    const mine = contextOf(client);
    const { adminCommand } = mine.port;
    let began = null;
    mine.port.adminCommand = async (spec) => {
      if (isIt(stepsOf(spec)) && !began) {
        began = doIt();
        began.catch(() => undefined);
        await (isDone ? began : pause(100));
      }
      return adminCommand(spec);
    };
    return { ctx: mine, done: () => began };
  }
  async function renamedAndUsed(collection, name) {
    await collection.rename(name);
    const other = collection.client?.db(collection.dbName) ?? client.db(collection.dbName);
    for (let i = 0; i < WRITES; i += 1) {
      await other.collection(name).insertOne({ _id: `theirs-${i}` }, MAJORITY);
      await pause(10);
    }
    return other.collection(name);
  }

  for (const [what, indexes] of [
    ['with a TTL index', [[{ at: 1 }, { expireAfterSeconds: 3600 }]]],
    ['without one', []],
  ])
    it(`the source, ${what}: it keeps the name that it was given, with all that is written there`, async () => {
      const { id, name, from } = await beginSplit(client, ctx, { indexes });
      const { ctx: mine, done } = meanwhile(isCut, () => renamedAndUsed(from, `${name}_theirs`));
      await assert.rejects(splitCutover(mine, id, ALONE), { code: 'TUNE-35005' });
      const foreign = await done();
      assert.equal(await foreign.countDocuments(), BEFORE + WRITES);
      assert.deepEqual(await takesWrites(client, name), []);
    });

  it('the new place, at a rollback', async () => {
    const { id, name, into } = await beginSplit(client, ctx, { switched: true });
    const { ctx: mine, done } = meanwhile(isCut, () => renamedAndUsed(into, `${name}_theirs`));
    await assert.rejects(splitRollback(mine, id, ALONE), { code: 'TUNE-35005' });
    assert.equal(await (await done()).countDocuments(), BEFORE + WRITES);
  });

  for (const isDone of [false, true])
    it(`the old data, to keep it, while finish is about to drop it: ${isDone ? 'done' : 'begun'} before the step arrives`, async () => {
      const { id, name, renamedTo } = await beginSplit(client, ctx, { switched: true });
      const old = await renamedTo();
      const { ctx: mine, done } = meanwhile(
        (operations) => operations.some(({ drop }) => drop),
        () => old.rename(`${name}_keep`),
        { isDone },
      );
      await splitFinish(mine, id, DO);
      await done();
      assert.equal(await client.db('app').collection(`${name}_keep`).countDocuments(), BEFORE);
    });
});
