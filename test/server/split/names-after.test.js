'use strict';

const assert = require('node:assert/strict');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { endLease, mortalContext, planOf, useSet } = require('../../support/split');
const { isPut, stepsOf } = require('../../support/split-steps');
const { collectBlockedMoves } = require('../../../lib/split/blocked-moves');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const DO = Object.freeze({ confirm: true });
const LOST = Object.freeze({ lost: true, confirm: true });
const MAJORITY = Object.freeze({ writeConcern: { w: 'majority' } });
const REFUSAL = Object.freeze([{ $match: { $expr: { $toInt: 'mongosh-tune' } } }]);

/**
 * Which of both names takes writes, once one of several splits of the same names has ended, or one
 * of them has stopped.
 */
describe('the names of a split that ends', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  const begin = ({ documents = 20 } = {}) =>
    beginSplit(client, ctx, {
      documents: Array.from({ length: documents }, (_, i) => ({ _id: i })),
      indexes: [],
    });
  const splitOf = (planId) => client.db('tune').collection('splits').findOne({ planId });
  const isTaken = (collection) =>
    collection.insertOne({}, MAJORITY).then(
      () => true,
      () => false,
    );
  const dyingBefore = (phase) =>
    mortalContext(
      client,
      ({ findAndModify, update }) => findAndModify && update?.$set?.phase === phase,
    );
  async function rolledBack() {
    const split = await begin();
    await splitCutover(ctx, split.id, ALONE);
    await splitRollback(ctx, split.id, ALONE);
    return split;
  }

  it(
    'finish of one that was rolled back does not open the target of a later one that was cut ' +
      'off and given up',
    async () => {
      const { id, second, into, from } = await rolledBack();
      await splitRun(ctx, second, DO);
      await assert.rejects(splitCutover(dyingBefore('switching'), second.id, ALONE));
      await endLease(client, second.id);
      await splitAbort(ctx, second.id, DO);
      await splitFinish(ctx, id, DO);
      assert.deepEqual([await isTaken(from), await isTaken(into)], [true, false]);
      await splitFinish(ctx, second.id, DO);
      assert.equal(await isTaken(into), true);
    },
  );

  it('abort leaves the old name of one that is finished as it was, until finish', async () => {
    const { id, name, into, from } = await begin();
    await splitCutover(ctx, id, ALONE);
    await splitFinish(ctx, id, DO);
    const back = await planOf(client, { moves: [{ ns: `app2.${name}`, into: `app.${name}` }] });
    await splitRun(ctx, back, DO);
    await splitAbort(ctx, back.id, DO);
    assert.deepEqual([await isTaken(into), await isTaken(from)], [true, false]);
    await splitFinish(ctx, back.id, DO);
    assert.equal(await isTaken(from), true);
  });

  it(
    'finish of one while another one of the same names begins: the target refuses, once that ' +
      'is copied',
    async () => {
      const { id, second, into, from } = await rolledBack();
      const mine = contextOf(client);
      const { adminCommand } = mine.port;
      let begun;
      mine.port.adminCommand = async (spec) => {
        if (!spec.applyOps || begun) return adminCommand(spec);
        const isSeen = new Promise((resolve) => {
          const other = mortalContext(client, () => false);
          const { command } = other.port;
          other.port.command = async (db, one) => {
            if (one.findAndModify && one.update?.$set?.phase === 'created') {
              resolve();
              await ended;
            }
            return command(db, one);
          };
          begun = splitRun(other, second, DO);
        });
        await isSeen;
        return adminCommand(spec);
      };
      let end;
      const ended = new Promise((resolve) => {
        end = resolve;
      });
      await splitFinish(mine, id, DO);
      assert.equal(
        (await client.db('app2').listCollections({ name: into.collectionName }).toArray()).length,
        0,
      );
      end();
      await begun;
      assert.deepEqual([await isTaken(from), await isTaken(into)], [true, false]);
    },
  );

  it('rollback { lost: true }: the other name refuses, as the status says', async () => {
    const { id, from, into } = await begin();
    await splitCutover(ctx, id, ALONE);
    await into.drop();
    await splitRollback(ctx, id, LOST);
    assert.deepEqual(
      [
        await isTaken(from),
        await isTaken(into),
        (await splitStatus(ctx, id)).splits[0].viewInPlace,
      ],
      [true, false, true],
    );
    await splitFinish(ctx, id, DO);
    assert.deepEqual([(await splitOf(id)).phase, await isTaken(into)], ['finished', true]);
  });

  /**
   * Whoever writes something down next does so on another primary, on which it is not so.
   * @param {(save: any) => boolean} which
   * @param {() => Promise<unknown>} change
   */
  function forgetful(which, change) {
    const mine = contextOf(client);
    const { command } = mine.port;
    let changed;
    mine.port.command = async (database, spec) => {
      if (spec.findAndModify && spec.update?.$set?.saving && which(spec.update.$set))
        await (changed ??= change());
      return command(database, spec);
    };
    return mine;
  }

  it('a switch that only a dead primary had is not written down by abort', async () => {
    const { id, name, from, into } = await begin();
    await assert.rejects(splitCutover(dyingBefore('switched'), id, ALONE));
    await endLease(client, id);
    const mine = forgetful(
      (set) => !set.into,
      async () => {
        const {
          into: { stagingName },
        } = await splitOf(id);
        await client.db('app2').renameCollection(name, stagingName);
        await client.db('app2').createCollection(name, { viewOn: stagingName, pipeline: REFUSAL });
      },
    );
    await splitAbort(mine, id, DO);
    assert.deepEqual(
      [
        (await splitOf(id)).phase,
        await isTaken(from),
        await isTaken(into),
        await from.countDocuments(),
      ],
      ['aborted', true, false, 21],
    );
  });

  it('a drop that only a dead primary had is no loss: rollback { lost: true } is refused', async () => {
    const { id, name, from, into } = await begin();
    await splitCutover(ctx, id, ALONE);
    await client.db('app2').renameCollection(name, `${name}_away`);
    const mine = forgetful(
      () => true,
      () => client.db('app2').renameCollection(`${name}_away`, name),
    );
    const { command } = mine.port;
    let isHidden = true;
    mine.port.command = async (database, spec) => {
      isHidden &&= !(spec.findAndModify && spec.update?.$set?.saving);
      const answer = await command(database, spec);
      // As if it had been dropped there.
      if (isHidden && spec.filter?.['info.uuid']) answer.cursor.firstBatch = [];
      return answer;
    };
    await assert.rejects(splitRollback(mine, id, LOST), { code: 'TUNE-35010' });
    assert.deepEqual([await isTaken(into), await isTaken(from)], [true, false]);
  });

  it('a cutover and an abort that stop while neither name takes writes say so, and so does the status', async () => {
    const { id, from, into } = await begin();
    await assert.rejects(splitCutover(dyingBefore('draining'), id, ALONE));
    await endLease(client, id);
    const isFound = async () =>
      (await collectBlockedMoves(ctx.port)).some((one) => one.id.startsWith(`${id}:`));
    const blocked = async () =>
      (await splitStatus(ctx, id)).splits.map((one) => [one.phase, one.blocked]);
    assert.deepEqual(
      [await isTaken(from), await isTaken(into), await blocked()],
      [false, false, [['cutting', true]]],
    );
    const stopped = contextOf(client);
    const { adminCommand } = stopped.port;
    stopped.port.adminCommand = async (spec) => {
      if (isPut(stepsOf(spec)))
        throw Object.assign(new Error('no'), { name: 'MongoServerError', code: 8000 });
      return adminCommand(spec);
    };
    await assert.rejects(splitAbort(stopped, id, ALONE), (error) =>
      /are blocked until then: run tune\.split\.abort\(/.test(error.message),
    );
    assert.deepEqual([await blocked(), await isFound()], [[['aborting', true]], true]);
    await splitAbort(ctx, id, DO);
    assert.deepEqual(
      [await isTaken(from), await blocked(), await isFound()],
      [true, [['aborted', false]], false],
    );
  });

  it('a copy is not made anew once the source is gone: that is said, and nothing is dropped', async () => {
    const { id, from } = await begin();
    await from.drop();
    await assert.rejects(splitResume(ctx, id, { restart: true, confirm: true }), {
      code: 'TUNE-35005',
    });
    const {
      phase,
      into: { stagingName },
    } = await splitOf(id);
    assert.deepEqual(
      [phase, await client.db('app2').collection(stagingName).countDocuments()],
      ['following', 20],
    );
  });

  it('a comparison that another shell cuts over meanwhile says so, and not that everything differs', async () => {
    const { id } = await begin({ documents: 3000 });
    const mine = contextOf(client);
    const { aggregate } = mine.port;
    let cut;
    mine.port.aggregate = (...call) => {
      const cursor = aggregate(...call);
      const before = () =>
        /__tune_/.test(call[1]) ? (cut ??= splitCutover(ctx, id, ALONE)) : undefined;
      return {
        tryNext: async () => {
          await before();
          return cursor.tryNext();
        },
        toArray: () => cursor.toArray(),
        close: () => cursor.close(),
      };
    };
    await assert.rejects(
      splitVerify(mine, id),
      (error) =>
        error.code === 'TUNE-35010' &&
        /Another shell (continued the split|is cutting over)/.test(error.message),
    );
  });
});
