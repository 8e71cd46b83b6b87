'use strict';

const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { endLease, planOf, startRegister, until, useSet } = require('../../support/split');
const { whyNotLong } = require('../../support/trial');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');

const DO = Object.freeze({ confirm: true });
const ALONE = Object.freeze({ confirm: true, guardian: false });
const MAJORITY = Object.freeze({ w: 'majority' });
const DOCUMENTS = 5000;

describe('a split that is given up under load', function () {
  this.timeout(180_000);
  let client;
  useSet(
    (set) => {
      ({ client } = set);
    },
    { members: 3 },
  );

  /**
   * A context whose shell is gone once a phase is written down, or before a command.
   * @param {(command: any) => boolean} when
   */
  function gone(when) {
    const ctx = contextOf(client);
    const { command } = ctx.port;
    let done = false;
    ctx.port.command = async (database, spec) => {
      if (done) throw new Error('the shell is gone');
      if (!when(spec)) return command(database, spec);
      done = true;
      if (spec.findAndModify) await command(database, spec);
      throw new Error('the shell is gone');
    };
    ctx.port.adminCommand = (spec) => ctx.port.command('admin', spec);
    return ctx;
  }
  const saves = (phase) => (command) =>
    command.findAndModify === 'splits' && command.update.$set?.phase === phase;
  /** Of the copy in ranges the second one. */
  function secondRange() {
    let ranges = 0;
    return (command) => {
      ranges += Number(
        Boolean(command.aggregate && command.pipeline.some((stage) => stage.$merge)),
      );
      return ranges > 1;
    };
  }

  const SHORT = [
    ['copying', secondRange(), { method: 'ranges' }],
    ['cutting', saves('cutting')],
    ['switching', saves('switching'), { cut: true }],
  ];
  const MORE = [
    ['created', saves('created')],
    ['copying', saves('copying')],
    ['indexing', saves('indexing')],
    ['following', saves('following')],
    ['draining', saves('draining'), { cut: true }],
  ];
  for (const [phase, when, { method = 'out', cut = false } = {}] of whyNotLong()
    ? SHORT
    : [...SHORT, ...MORE]) {
    it(`while it is ${phase}, by ${method}: everything that was acknowledged is in the source`, async () => {
      const name = `${phase}_${method}`;
      const from = client.db('app').collection(name);
      await from.createIndex(
        { unique: 1 },
        { unique: true, partialFilterExpression: { unique: { $exists: true } } },
      );
      await from.insertMany(
        Array.from({ length: DOCUMENTS }, (_, i) => ({ _id: i, pad: 'y'.repeat(100) })),
        { writeConcern: MAJORITY },
      );
      const register = startRegister(client, {
        db: 'app',
        name,
        writeConcern: MAJORITY,
        pauseMs: 10,
      });
      const { counts } = register;
      await until(() => counts.acknowledged > 50);
      const plan = await planOf(client, {
        moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
      });
      const ctx = gone(when);
      await assert.rejects(
        (async () => {
          await splitRun(ctx, plan, DO);
          await splitCutover(ctx, plan.id, ALONE);
        })(),
        /the shell is gone/,
      );
      await endLease(client, plan.id);
      assert.equal((await splitStatus(contextOf(client), plan.id)).splits[0].phase, phase);
      const before = { ...counts };
      await until(() =>
        cut ? counts.refused > before.refused + 5 : counts.acknowledged > before.acknowledged + 50,
      );
      await splitAbort(contextOf(client), plan.id, DO);
      const after = counts.acknowledged;
      await until(() => counts.acknowledged > after + 50);
      await register.stop();
      assert.deepEqual([await register.differences('app', name), counts.other], [[], []]);
      assert.equal(await from.countDocuments({ _id: { $type: 'number' } }), DOCUMENTS);
      const left = (
        await Promise.all(['app', 'app2'].map((db) => client.db(db).listCollections().toArray()))
      )
        .flat()
        .filter((one) => one.name.startsWith(name))
        .map((one) => `${one.name} ${one.type}`);
      // After a cut the target refuses until finish: who was refused at the source may still try
      // it.
      assert.deepEqual(left, [
        `${name} collection`,
        ...(phase === 'cutting' || cut ? [`${name} view`] : []),
      ]);
    });
  }
});
