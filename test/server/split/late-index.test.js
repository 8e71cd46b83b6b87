'use strict';

const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { diesAfter, endLease, useSet } = require('../../support/split');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const FINISH = Object.freeze({ confirm: true, open: false });

describe('a request for indexes that arrives once the old data has another name', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** The split was taken over, and the dead shell's request arrives. */
  async function rolledBack() {
    const split = await beginSplit(client, ctx, { switched: true });
    await assert.rejects(splitRollback(diesAfter(client, 'cutting-back'), split.id, ALONE));
    await endLease(client, split.id);
    const { from } = await split.read();
    await splitRollback(ctx, split.id, ALONE);
    const late = client.db('app').collection(from.renamedTo);
    await late.createIndex({ a: 1 });
    assert.ok((await split.read()).formerNames.includes(from.renamedTo));
    return { split, late };
  }

  it('finish drops the empty collection that it made', async () => {
    const { split, late } = await rolledBack();
    await splitFinish(ctx, split.id, FINISH);
    const left = await client.db('app').listCollections({ name: late.collectionName }).toArray();
    assert.deepEqual(left, []);
    assert.equal(await split.from.countDocuments(), BEFORE);
  });

  it('… not one with a document, also where that comes while it is dropped', async () => {
    for (const isLate of [false, true]) {
      const { split, late } = await rolledBack();
      const mine = contextOf(client);
      const { transaction } = mine.port;
      mine.port.transaction = () => {
        const opened = transaction();
        const { command } = opened;
        return {
          ...opened,
          command: async (/** @type {any[]} */ ...call) => {
            if (isLate && call[1].find === late.collectionName) await late.insertOne({});
            return command(...call);
          },
        };
      };
      if (!isLate) await late.insertOne({});
      await splitFinish(mine, split.id, FINISH);
      assert.equal(await late.countDocuments(), 1);
      assert.equal((await split.read()).phase, 'finished');
    }
  });
});
