'use strict';

const assert = require('node:assert/strict');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { useSet } = require('../../support/split');

const MAJORITY = Object.freeze({ writeConcern: { w: /** @type {const} */ ('majority') } });
const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });

/** What the driver gives up by itself, the server may still do. */
describe('a write that the driver gave up, and that arrives late', function () {
  this.timeout(60_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  for (const name of [
    'MongoOperationTimeoutError',
    'MongoClientClosedError',
    'MongoTopologyClosedError',
    'MongoNotConnectedError',
    'MongoNetworkTimeoutError',
    'MongoshInterruptedError',
  ])
    it(`${name}: it finds no copy under the name that it was sent to`, async () => {
      const split = await beginSplit(client, ctx);
      await split.from.deleteOne({ _id: 1 }, MAJORITY);
      await split.from.insertOne({ _id: 1, a: 'new' }, MAJORITY);
      const mine = contextOf(client);
      const { command } = mine.port;
      /** @type {any} */ let late = null;
      mine.port.command = async (database, spec) => {
        if (late || !/__tune_/.test(spec.delete)) return command(database, spec);
        late = { database, spec };
        throw Object.assign(new Error('timed out'), { name });
      };
      await splitResume(mine, split.id, RESUME).catch(() => undefined);
      await splitResume(ctx, split.id, RESUME);
      await client.db(late.database).command({ ...late.spec });
      await splitCutover(ctx, split.id, ALONE);
      assert.deepEqual(await split.into.findOne({ _id: 1 }), { _id: 1, a: 'new' });
    });
});
