'use strict';

const assert = require('node:assert/strict');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { endLease, interruptedAt, mortalContext, planOf, useSet } = require('../../support/split');

const DO = Object.freeze({ confirm: true, open: false });

/** Its target was moved on meanwhile, and that name is another split's to open. */
describe('a finish of an old split, whose target is the source of a later one', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {any} split whose target is moved on */
  const moveOn = ({ name }) => move(`app2.${name}`, `app3.${name}`);
  /** @param {any} split whose source is moved on */
  const moveSource = ({ name }) => move(`app.${name}`, `app3.${name}`);

  /** @param {string} ns @param {string} into */
  async function move(ns, into) {
    const moves = [{ ns, into }];
    const plan = await planOf(client, { moves });
    await splitRun(ctx, plan, { confirm: true });
    await splitCutover(ctx, plan.id, ALONE);
    return plan.id;
  }

  /** @param {any} split */
  async function staysBlocked({ id, into }) {
    const dry = await splitFinish(ctx, id, { confirm: false, open: false });
    assert.match(String(dry).replace(/\s+/g, ' '), /app2\.\w+ stays/);
    await splitFinish(ctx, id, DO);
    await assert.rejects(into.insertOne({ _id: 'astray' }), { code: 166 });
  }

  for (const isFinished of [false, true]) {
    const which = isFinished ? 'finished' : 'cut over';
    it(`rolled back, and the later one is ${which}`, async () => {
      const split = await beginSplit(client, ctx, { switched: true });
      await splitRollback(ctx, split.id, ALONE);
      // Somebody needs the name.
      await split.into.drop();
      await split.into.insertMany([{}, {}]);
      const later = await moveOn(split);
      if (isFinished) await splitFinish(ctx, later, DO);
      await staysBlocked(split);
    });

    it(`aborted after its cut, and the later one is ${which}`, async () => {
      const split = await beginSplit(client, ctx);
      const mine = interruptedAt(client, 'draining');
      await assert.rejects(splitCutover(mine, split.id, ALONE), { code: 'TUNE-30009' });
      await splitAbort(ctx, split.id, ALONE);
      await splitRun(ctx, split.second, { confirm: true });
      await splitCutover(ctx, split.second.id, ALONE);
      await splitFinish(ctx, split.second.id, DO);
      const later = await moveOn(split);
      if (isFinished) await splitFinish(ctx, later, DO);
      await staysBlocked(split);
    });
  }

  it('aborted after its cut; the same names were moved there and back since', async () => {
    const split = await beginSplit(client, ctx);
    const dying = mortalContext(client, (spec) => spec.update?.$set?.phase === 'switching');
    await assert.rejects(splitCutover(dying, split.id, ALONE));
    await endLease(client, split.id);
    await splitAbort(ctx, split.id, ALONE);
    for (const [from, to, open] of /** @type {[string, string, boolean][]} */ ([
      ['app', 'app2', true],
      ['app2', 'app', false],
    ])) {
      const moves = [{ ns: `${from}.${split.name}`, into: `${to}.${split.name}` }];
      const plan = await planOf(client, { moves });
      await splitRun(ctx, plan, { confirm: true });
      await splitCutover(ctx, plan.id, ALONE);
      await splitFinish(ctx, plan.id, { ...DO, open });
    }
    await staysBlocked(split);
  });

  for (const order of [
    ['finish', 'abort later'],
    ['abort later', 'finish', 'finish later'],
    ['abort later', 'finish later', 'finish'],
    ['finish', 'cut later', 'abort later', 'finish later'],
  ])
    it(`a later one has the same target, and none is left to open it: ${order.join(', ')}`, async () => {
      const split = await beginSplit(client, ctx, { switched: true });
      await splitRollback(ctx, split.id, ALONE);
      await client.db('app3').collection(split.name).insertMany([{}, {}]);
      const moves = [{ ns: `app3.${split.name}`, into: `app2.${split.name}` }];
      const later = await planOf(client, { moves });
      await splitRun(ctx, later, { confirm: true });
      for (const step of order) {
        if (step === 'finish') await splitFinish(ctx, split.id, DO);
        if (step === 'finish later') await splitFinish(ctx, later.id, DO);
        if (step === 'abort later') await splitAbort(ctx, later.id, ALONE);
        if (step === 'cut later')
          await assert.rejects(splitCutover(interruptedAt(client, 'draining'), later.id, ALONE), {
            code: 'TUNE-30009',
          });
      }
      await split.into.insertOne({});
    });

  for (const isOffline of [false, true])
    it(`a later one moved its source on, by a shell whose clock is an hour behind${isOffline ? ', offline' : ''}`, async () => {
      const split = await beginSplit(client, ctx, { switched: true });
      await splitRollback(ctx, split.id, ALONE);
      const later = await moveSource(split);
      const splits = client.db('tune').collection('splits');
      const [{ at }] = (await splits.findOne({ planId: later }))?.history ?? [];
      const earlier = new Date(at.getTime() - 3_600_000);
      await splits.updateOne({ planId: later }, { $set: { 'history.0.at': earlier } });
      // Offline no time of the set is written down.
      if (isOffline) await splits.updateMany({}, { $set: { startAt: null } });
      await splitFinish(ctx, split.id, DO);
      await split.into.insertOne({});
    });

  it('a later one moved its source on, lost its target, and was rolled back', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    await splitRollback(ctx, split.id, ALONE);
    const later = await moveSource(split);
    await client.db('app3').collection(split.name).drop();
    await splitRollback(ctx, later, { ...ALONE, lost: true });
    await splitFinish(ctx, split.id, DO);
    await split.into.insertOne({});
  });

  it('where no other split has the name, it is opened', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    await splitRollback(ctx, split.id, ALONE);
    await splitFinish(ctx, split.id, DO);
    await split.into.insertOne({});
  });
});
