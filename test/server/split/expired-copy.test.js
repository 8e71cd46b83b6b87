'use strict';

const assert = require('node:assert/strict');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { ALONE, BEFORE, beginSplit } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { stepsOf, isPut } = require('../../support/split-steps');
const { until, useSet } = require('../../support/split');

/**
 * A switch gives the copy its time of expiry before its name. Where it stops between the two, the
 * copy loses documents of which no change stream of the other side says anything.
 */
describe('a switch that stops once its copy expires', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet(
    (set) => {
      ({ client, ctx } = set);
    },
    { args: ['--setParameter', 'ttlMonitorSleepSecs=1'] },
  );

  /** @param {boolean} switched */
  const begin = (switched) =>
    beginSplit(client, ctx, {
      documents: Array.from({ length: BEFORE }, (_, i) => ({ _id: i, at: new Date() })),
      indexes: [[{ at: 1 }, { expireAfterSeconds: 100_000 }]],
      switched,
    });

  /** A shell whose step that puts the copy in place ends behind its change of the expiry. */
  function halved() {
    const mine = contextOf(client);
    const { adminCommand } = mine.port;
    let isDone = false;
    mine.port.adminCommand = async (command) => {
      const steps = stepsOf(command);
      if (isDone || !isPut(steps)) return adminCommand(command);
      isDone = true;
      const change = steps.findIndex(({ index }) => index);
      await adminCommand({ ...command, applyOps: command.applyOps.slice(0, change + 1) });
      throw Object.assign(new Error('no such user'), { name: 'MongoServerError', code: 13 });
    };
    return mine;
  }

  for (const [verb, run, switched] of /** @type {[string, any, boolean][]} */ ([
    ['cutover', splitCutover, false],
    ['rollback', splitRollback, true],
  ]))
    it(`the next ${verb} compares everything, and nothing is missing`, async () => {
      const split = await begin(switched);
      await assert.rejects(run(halved(), split.id, ALONE), { code: 'TUNE-20005' });
      const { from, into } = await split.read();
      const copy = switched
        ? client.db('app').collection(from.renamedTo)
        : client.db('app2').collection(into.stagingName);
      const [, { expireAfterSeconds: held }] = await copy.indexes();
      assert.equal(held, 100_000);
      // As where the times are short: the other side keeps what was updated since.
      await client
        .db(copy.dbName)
        .command({ collMod: copy.collectionName, index: { name: 'at_1', expireAfterSeconds: 1 } });
      await until(async () => (await copy.countDocuments()) === 0);
      const { splits } = await run(ctx, split.id, ALONE);
      const now = switched ? split.from : split.into;
      assert.equal(splits[0].phase, switched ? 'rolled-back' : 'switched');
      assert.equal(await now.countDocuments(), BEFORE);
      const [, { expireAfterSeconds }] = await now.indexes();
      assert.equal(expireAfterSeconds, 100_000);
    });
});
