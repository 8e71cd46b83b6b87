'use strict';

const assert = require('node:assert/strict');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { useSet } = require('../../support/split');

describe('the view that blocks a name is dropped by another session', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** What status prints is typed in mongosh; here by the driver. @param {string} call */
  const typed = (call) =>
    new Function('db', `return ${call};`)({
      getSiblingDB: (/** @type {string} */ database) => ({
        createView: (/** @type {string} */ name, /** @type {string} */ viewOn, pipeline = []) =>
          client.db(database).createCollection(name, { viewOn, pipeline }),
      }),
    });

  for (const [what, isBack] of /** @type {[string, boolean][]} */ ([
    ['after a cutover', false],
    ['after a rollback', true],
  ]))
    it(`${what}: the printed call blocks the name again, and fails where it is taken`, async () => {
      const { id, from, into } = await beginSplit(client, ctx, { switched: true });
      if (isBack) await splitRollback(ctx, id, ALONE);
      const blocked = isBack ? into : from;
      await blocked.drop();
      const [{ viewInPlace, nameTaken, blockCall }] = (await splitStatus(ctx, id)).splits;
      assert.deepEqual([viewInPlace, nameTaken], [false, false]);
      await blocked.insertOne({ _id: 'own' });
      await assert.rejects(typed(String(blockCall)), { code: 48 });
      await blocked.drop();
      await typed(String(blockCall));
      await assert.rejects(blocked.insertOne({ _id: 'own' }), { code: 166 });
      await assert.rejects(blocked.findOne(), { code: 241 });
      const [now] = (await splitStatus(ctx, id)).splits;
      assert.deepEqual([now.viewInPlace, now.blockCall], [true, null]);
    });
});
