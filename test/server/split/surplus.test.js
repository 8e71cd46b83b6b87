'use strict';

const assert = require('node:assert/strict');
const { ALONE, beginSplit, finishByHand } = require('../../support/begun-split');
const { diesAfter, endLease, useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const REPAIR = Object.freeze({ repair: true, confirm: true });
const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });

/** What applications wrote to the data that follows, while another session had opened it too early. */
describe('a document that only the copy has, with a value of a unique index', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  const RUNS = Object.freeze({
    forward: { command: splitCutover, drains: 'draining' },
    back: { command: splitRollback, drains: 'draining-back' },
  });

  for (const way of /** @type {const} */ (['forward', 'back']))
    it(`the error names what leads on (${way})`, async () => {
      const { command, drains } = RUNS[way];
      const indexes = /** @type {[object, object][]} */ ([
        [{ u: 1 }, { unique: true, sparse: true }],
      ]);
      const split = await beginSplit(client, ctx, { indexes, switched: way === 'back' });
      await assert.rejects(command(diesAfter(client, drains), split.id, ALONE));
      await endLease(client, split.id);
      const opened = way === 'forward' ? split.into : split.from;
      await finishByHand(client, await split.read());
      await opened.insertOne({ _id: /** @type {any} */ ('early'), u: 1 });
      await assert.rejects(splitResume(ctx, split.id, RESUME), { code: 'TUNE-35004' });
      const { from, into } = await split.read();
      await opened.rename(way === 'forward' ? into.stagingName : from.renamedTo);
      const cutOff = client.db(way === 'forward' ? 'app' : 'app2');
      await cutOff
        .collection(way === 'forward' ? from.renamedTo : into.stagingName)
        .insertOne({ _id: 'later', u: 1 });
      const refused = {
        code: 'TUNE-35008',
        message: /tune\.split\.verify\(id, \{ repair: true, confirm: true \}\)/,
      };
      await assert.rejects(splitResume(ctx, split.id, RESUME), refused);
      await assert.rejects(command(ctx, split.id, ALONE), refused);
      await splitVerify(ctx, split.id, REPAIR);
      await command(ctx, split.id, ALONE);
      assert.deepEqual(await opened.distinct('_id', { u: 1 }), ['later']);
    });
});
