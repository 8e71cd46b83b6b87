'use strict';

const assert = require('node:assert/strict');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { endLease, mortalContext, useSet } = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const DO = Object.freeze({ confirm: true });
const REPAIR = Object.freeze({ repair: true, confirm: true });
const MAJORITY = Object.freeze({ writeConcern: { w: 'majority' } });
const DOCUMENTS = 20;

/**
 * A document that differs is taken out before it is copied again; its event was applied long
 * before, so nothing but another comparison finds it missing.
 */
describe('a comparison that stops while it brings documents over', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  const begin = () =>
    beginSplit(client, ctx, {
      documents: Array.from({ length: DOCUMENTS }, (_, i) => ({ _id: i })),
      indexes: [],
    });
  const splitOf = (planId) => client.db('tune').collection('splits').findOne({ planId });
  const staging = async (planId) => {
    const { phase, from, into } = await splitOf(planId);
    return phase === 'switched'
      ? client.db(from.db).collection(from.renamedTo)
      : client.db(into.db).collection(into.stagingName);
  };

  /**
   * A shell that dies once it has taken something out of a staging copy.
   * @param {(call: any[]) => Promise<unknown>} before each look at documents
   */
  function dying(before = async () => undefined) {
    let isOut = false;
    const mine = mortalContext(client, (spec) => isOut && JSON.stringify(spec).includes('$merge'));
    const { aggregate, command } = mine.port;
    mine.port.aggregate = (...call) => {
      const cursor = aggregate(...call);
      return {
        tryNext: async () => {
          await before(call);
          return cursor.tryNext();
        },
        toArray: () => cursor.toArray(),
        close: () => cursor.close(),
      };
    };
    mine.port.command = async (db, spec) => {
      const done = await command(db, spec);
      isOut ||= /__(tune|aside)_/.test(spec.delete ?? '');
      return done;
    };
    return mine;
  }
  /** While it compares a client writes. */
  function dyingWhile(write) {
    let written = null;
    return dying(() => (written ??= write()));
  }

  /** A cutover whose shell dies while it compares what was written last. */
  async function stoppedInTheCut(id, from) {
    const differs = () =>
      staging(id).then((copy) => copy.updateOne({ _id: 3 }, { $set: { v: 'other' } }, MAJORITY));
    const mine = dying(async ([, name]) => {
      if (/__tune_/.test(name)) await differs();
    });
    await from.updateOne({ _id: 3 }, { $set: { v: 1 } }, MAJORITY);
    await assert.rejects(splitCutover(mine, id, ALONE));
    assert.deepEqual(
      [(await splitOf(id)).phase, await (await staging(id)).countDocuments()],
      ['draining', DOCUMENTS - 1],
    );
    await endLease(client, id);
  }

  it('before the cutover: nothing is missing after it', async () => {
    const { id, from, into } = await begin();
    await splitVerify(ctx, id, REPAIR);
    await assert.rejects(
      splitVerify(
        dyingWhile(() => from.updateOne({ _id: 3 }, { $set: { v: 1 } }, MAJORITY)),
        id,
        REPAIR,
      ),
    );
    assert.equal(await (await staging(id)).countDocuments(), DOCUMENTS - 1);
    await endLease(client, id);
    const [{ does }] = (await splitAbort(ctx, id, { keepCopy: true })).splits;
    assert.match(does.join(' '), /It may lack documents: a comparison/);
    await splitResume(ctx, id, DO);
    await splitCutover(ctx, id, ALONE);
    assert.deepEqual(
      [await into.countDocuments(), (await into.findOne({ _id: 3 }))?.v],
      [DOCUMENTS, 1],
    );
  });

  it('after the switch: nothing is missing after a rollback', async () => {
    const { id, from, into } = await begin();
    await splitCutover(ctx, id, ALONE);
    await splitVerify(ctx, id, REPAIR);
    await assert.rejects(
      splitVerify(
        dyingWhile(() => into.updateOne({ _id: 3 }, { $set: { v: 1 } }, MAJORITY)),
        id,
        REPAIR,
      ),
    );
    assert.equal(await (await staging(id)).countDocuments(), DOCUMENTS - 1);
    await endLease(client, id);
    const [{ does }] = (await splitRollback(ctx, id, { lost: true })).splits;
    assert.match(does.join(' '), /It may lack documents: a comparison/);
    await splitRollback(ctx, id, ALONE);
    assert.deepEqual(
      [await from.countDocuments(), (await from.findOne({ _id: 3 }))?.v],
      [DOCUMENTS, 1],
    );
  });

  it(
    'between the cut and the switch: whoever goes on puts the source back, and the next ' +
      'cutover compares first',
    async () => {
      const { id, from, into } = await begin();
      await stoppedInTheCut(id, from);
      await assert.rejects(
        splitResume(ctx, id, DO),
        (error) =>
          error.code === 'TUNE-35015' && /is active again with all its data/.test(error.message),
      );
      assert.equal(await from.countDocuments(), DOCUMENTS);
      assert.match(
        (await splitCutover(ctx, id)).splits[0].does[0],
        /every document is compared first/,
      );
      await splitCutover(ctx, id, ALONE);
      assert.deepEqual(
        [await into.countDocuments(), (await into.findOne({ _id: 3 })).v],
        [DOCUMENTS, 1],
      );
    },
  );

  it('between the cut and the switch: a comparison is refused, and takes nothing out of the source', async () => {
    const { id, from, into } = await begin();
    await stoppedInTheCut(id, from);
    await assert.rejects(splitVerify(ctx, id, REPAIR), { code: 'TUNE-35010' });
    const { from: source } = await splitOf(id);
    assert.equal(await client.db('app').collection(source.renamedTo).countDocuments(), DOCUMENTS);
    await assert.rejects(splitResume(ctx, id, DO), { code: 'TUNE-35015' });
    await splitCutover(ctx, id, ALONE);
    assert.deepEqual(
      [await into.countDocuments(), (await into.findOne({ _id: 3 }))?.v],
      [DOCUMENTS, 1],
    );
  });

  it('before the cutover: the same comparison again brings over what is missing', async () => {
    const { id, from } = await begin();
    const mine = dyingWhile(() => from.updateOne({ _id: 3 }, { $set: { v: 1 } }, MAJORITY));
    await assert.rejects(splitVerify(mine, id, REPAIR));
    await endLease(client, id);
    assert.equal((await splitVerify(ctx, id, REPAIR)).splits[0].verified.differences, 0);
    assert.deepEqual(
      [(await splitOf(id)).needsFullCompare, await (await staging(id)).countDocuments()],
      [false, DOCUMENTS],
    );
  });

  it('a cutover that found a document that stays different is not passed by the next one', async () => {
    const { id, from } = await begin();
    await from.updateOne({ _id: 3 }, { $set: { v: 1 } }, MAJORITY);
    const spoilt = contextOf(client);
    const { aggregate } = spoilt.port;
    spoilt.port.aggregate = (...call) => {
      const cursor = aggregate(...call);
      const spoil = () =>
        staging(id).then((copy) => copy.updateOne({ _id: 3 }, { $set: { v: 'other' } }, MAJORITY));
      return {
        tryNext: async () => {
          if (/__tune_/.test(call[1])) await spoil();
          return cursor.tryNext();
        },
        toArray: () => cursor.toArray(),
        close: () => cursor.close(),
      };
    };
    await assert.rejects(splitCutover(spoilt, id, ALONE), { code: 'TUNE-35015' });
    await splitCutover(ctx, id, ALONE);
    assert.equal(
      (
        await client
          .db('app2')
          .collection((await splitOf(id)).into.name)
          .findOne({ _id: 3 })
      ).v,
      1,
    );
  });

  it('a copy made anew has no comparison on record', async () => {
    const { id } = await begin();
    await splitVerify(ctx, id, REPAIR);
    await splitResume(ctx, id, { restart: true, confirm: true });
    assert.equal((await splitOf(id)).verified, null);
  });

  it('differences found are in the way, in a DRY RUN, too; a comparison that is due is made first', async () => {
    const split = await begin();
    const { id } = split;
    const noted = (fields) =>
      client.db('tune').collection('splits').updateOne({ planId: id }, { $set: fields }, MAJORITY);
    const verified = { ...(await splitVerify(ctx, id, REPAIR)).splits[0].verified };
    await noted({ verified: { ...verified, differences: 1 } });
    const shown = await splitCutover(ctx, id, { guardian: false });
    assert.match(String(shown), /Blocked now: 1 documents? of/);
    await assert.rejects(splitCutover(ctx, id, { ...ALONE, reads: 'view' }), {
      code: 'TUNE-35015',
    });
    assert.equal((await splitOf(id)).reads ?? 'refused', 'refused');

    await noted({ needsFullCompare: true });
    const again = await splitCutover(ctx, id, { guardian: false });
    assert.ok(!String(again).includes('Blocked now'));
    await splitCutover(ctx, id, ALONE);
    assert.equal(await split.into.countDocuments(), DOCUMENTS);
  });
});
