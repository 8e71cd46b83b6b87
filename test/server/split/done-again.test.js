'use strict';

const assert = require('node:assert/strict');
const {
  ALONE,
  beginSplit,
  finishByHand,
  takesWrites,
  undoByHand,
} = require('../../support/begun-split');
const { throughHands } = require('../../support/beside');
const { contextOf } = require('../../support/context');
const { diesAfter, endLease, useSet, withoutOplog } = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const MAJORITY = Object.freeze({ writeConcern: { w: /** @type {const} */ ('majority') } });
const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });
/** @type {any} */ const LATER = Object.freeze({ _id: 'later' });
const FIRST = /** @type {any} */ ({ _id: 5 });
const TIME_IS_UP = { code: 50 };
const BEHIND_A_CUT = new Set(['draining', 'switching']);

/** Another session acts between the last writes and the switch of a shell that goes on. */
describe('a cut that another session changes before the same shell switches', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  const RUNS = Object.freeze({
    forward: { command: splitCutover, switches: 'switching' },
    back: { command: splitRollback, switches: 'switching-back' },
  });

  /**
   * A shell whose switch waits for a transaction; at its second try another session acts.
   * @param {any} split @param {string} switches @param {(record: any) => Promise<void>} act
   */
  function waiting(split, switches, act) {
    const state = { session: /** @type {any} */ (null), probes: 0 };
    const mine = throughHands(contextOf(client), async (send, spec) => {
      const [answer] = await Promise.allSettled([send()]);
      if (spec.update?.$set?.phase === switches && !state.session) {
        state.session = client.startSession();
        state.session.startTransaction();
        await client.db('app').collection('other').findOne({}, { session: state.session });
      } else if (state.session && JSON.stringify(spec).includes('mongosh_tune_asks_whether')) {
        state.probes += 1;
        if (state.probes === 2) {
          await act(await split.read());
          await state.session.abortTransaction();
        }
      }
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
    return { mine, state };
  }

  for (const way of /** @type {const} */ (['forward', 'back']))
    it(`undone and done again: the writes in between are not passed over (${way})`, async () => {
      const { command, switches } = RUNS[way];
      const split = await beginSplit(client, ctx, { switched: way === 'back' });
      await client.db('app').collection('other').insertOne({});
      const active = way === 'forward' ? split.from : split.into;
      const { mine, state } = waiting(split, switches, async (record) => {
        await undoByHand(client, record);
        await active.insertOne(LATER, MAJORITY);
        await active.rename(way === 'forward' ? record.from.renamedTo : record.into.stagingName);
      });
      await assert.rejects(command(mine, split.id, ALONE), { code: 'TUNE-35005' });
      assert.ok(state.probes >= 2);
      assert.equal(await active.countDocuments(LATER), 1);
      assert.deepEqual(await takesWrites(client, split.name), [way === 'forward' ? 'app' : 'app2']);
    });

  for (const way of /** @type {const} */ (['forward', 'back']))
    it(`undone and done again while the last writes are applied (${way})`, async () => {
      const { command } = RUNS[way];
      const split = await beginSplit(client, ctx, { switched: way === 'back' });
      const active = way === 'forward' ? split.from : split.into;
      let isDone = false;
      const mine = throughHands(contextOf(client), async (send, spec) => {
        const isSaving = !isDone && spec.update?.$set?.undoneCuts !== undefined;
        const record = isSaving ? await split.read() : null;
        if (record?.phase.startsWith('draining')) {
          isDone = true;
          await undoByHand(client, record);
          await active.insertOne(LATER, MAJORITY);
          await active.rename(way === 'forward' ? record.from.renamedTo : record.into.stagingName);
          await sleep(1_200, new AbortController().signal);
        }
        return send();
      });
      await assert.rejects(command(mine, split.id, ALONE), { code: 'TUNE-35005' });
      assert.equal(await active.countDocuments(LATER), 1);
    });

  for (const [what, renamed, message] of /** @type {const} */ ([
    ['undone', null, /both take writes/],
    [
      'undone, done again',
      'aside',
      /1 document that another session wrote to app\.\S+ after its cut/,
    ],
    [
      'undone, the source renamed elsewhere',
      'elsewhere',
      /1 document of app\.\S+_old is not the same in/,
    ],
  ]))
    it(`${what}, and the copy has its name: it does not count as moved`, async () => {
      const split = await beginSplit(client, ctx);
      await client.db('app').collection('other').insertOne({});
      const { mine } = waiting(split, 'switching', async (record) => {
        await undoByHand(client, record);
        await split.from.insertOne(LATER, MAJORITY);
        const names = { aside: record.from.renamedTo, elsewhere: `${split.name}_old` };
        if (renamed) await split.from.rename(names[renamed]);
        await finishByHand(client, record);
      });
      await assert.rejects(splitCutover(mine, split.id, ALONE), { code: 'TUNE-35004', message });
      assert.equal((await split.read()).phase, 'switching');
    });

  it('without the stream: undone, and the source renamed elsewhere: it is not switched', async () => {
    const split = await beginSplit(client, ctx);
    await client.db('app').collection('other').insertOne({});
    const { mine } = waiting(split, 'switching', async (record) => {
      await undoByHand(client, record);
      await split.from.insertOne(LATER, MAJORITY);
      await split.from.rename(`${split.name}_old`);
    });
    withoutOplog(
      mine,
      async ({ resumeAfter }) => resumeAfter && BEHIND_A_CUT.has((await split.read())?.phase),
    );
    await assert.rejects(splitCutover(mine, split.id, ALONE), { code: 'TUNE-35005' });
    assert.deepEqual(await takesWrites(client, split.name), []);
    await client.db('app').collection(`${split.name}_old`).rename(split.name);
    await assert.rejects(splitResume(ctx, split.id, RESUME), { code: 'TUNE-35005' });
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
    assert.equal(await split.from.countDocuments(LATER), 1);
  });

  it('switched, and the old data renamed elsewhere: no document of the target is called the older one', async () => {
    const split = await beginSplit(client, ctx);
    await assert.rejects(splitCutover(diesAfter(client, 'switching'), split.id, ALONE));
    await endLease(client, split.id);
    const record = await split.read();
    await finishByHand(client, record);
    await split.into.updateOne(FIRST, { $set: { a: 'newer' } }, MAJORITY);
    const old = client.db('app').collection(record.from.renamedTo);
    await old.rename(`${split.name}_old`);
    await assert.rejects(splitResume(ctx, split.id, RESUME), (/** @type {any} */ error) => {
      assert.match(
        error.message,
        /1 document of app\.\w+_old is not .*; which is newer is not known/,
      );
      assert.doesNotMatch(error.message, /renameCollection/);
      return true;
    });
    assert.equal((await split.into.findOne(FIRST)).a, 'newer');
  });

  it('a cut by another session before the start of a rollback was saved: it can be rolled back', async () => {
    const split = await beginSplit(client, ctx);
    await assert.rejects(splitCutover(diesAfter(client, 'draining'), split.id, ALONE));
    await endLease(client, split.id);
    await client
      .db('tune')
      .collection('splits')
      .updateOne({ planId: split.id }, { $set: { reverseStartAt: null } });
    await splitResume(ctx, split.id, RESUME);
    assert.ok((await split.read()).reverseStartAt);
    await split.into.insertOne(LATER, MAJORITY);
    await splitRollback(ctx, split.id, ALONE);
    assert.equal(await split.from.countDocuments(LATER), 1);
  });

  it('a transaction that the switch waits for: it is done behind it', async () => {
    const split = await beginSplit(client, ctx);
    await client.db('app').collection('other').insertOne({});
    const { mine } = waiting(split, 'switching', async () => undefined);
    await splitCutover(mine, split.id, ALONE);
    assert.deepEqual(await takesWrites(client, split.name), ['app2']);
  });

  it('once the switch is sent, the source cannot get its name back before it', async () => {
    const split = await beginSplit(client, ctx);
    let tried = 0;
    const mine = throughHands(contextOf(client), async (send, spec) => {
      const { phase, from } = spec.applyOps && spec.comment ? await split.read() : {};
      if (phase === 'switching') {
        tried += 1;
        const undo = { renameCollection: `app.${from.renamedTo}`, to: 'app.free', maxTimeMS: 200 };
        await assert.rejects(client.db('admin').command(undo), TIME_IS_UP);
      }
      return send();
    });
    await splitCutover(mine, split.id, ALONE);
    assert.ok(tried > 0);
  });

  it('the copy had its name for a while, and was written to: a rollback does not pass it over', async () => {
    const split = await beginSplit(client, ctx);
    await assert.rejects(splitCutover(diesAfter(client, 'draining'), split.id, ALONE));
    await endLease(client, split.id);
    const record = await split.read();
    await finishByHand(client, record);
    await split.into.insertOne(LATER, MAJORITY);
    await assert.rejects(splitResume(ctx, split.id, RESUME), { code: 'TUNE-35004' });
    await split.into.rename((await split.read()).into.stagingName);
    await splitResume(ctx, split.id, RESUME);
    assert.equal(await split.into.countDocuments(LATER), 1);
    await assert.rejects(splitRollback(ctx, split.id, ALONE), { code: 'TUNE-35005' });
    await splitResume(ctx, split.id, { ...RESUME, restart: true });
    await splitRollback(ctx, split.id, ALONE);
    assert.equal(await split.from.countDocuments(LATER), 1);
  });

  it('the copy has its name behind the last writes: a rollback has all that was written to it', async () => {
    const split = await beginSplit(client, ctx);
    const state = { isDrained: false, isNamed: false };
    const mine = throughHands(contextOf(client), async (send, spec) => {
      if (state.isDrained && !state.isNamed && spec.hello) {
        state.isNamed = true;
        await finishByHand(client, await split.read());
        await split.into.insertOne(LATER, MAJORITY);
        await split.into.updateOne(FIRST, { $set: { a: 'newer' } }, MAJORITY);
      }
      const answer = await send();
      const isSaved = spec.update?.$set?.token !== undefined;
      state.isDrained ||= isSaved && (await split.read()).phase === 'draining';
      return answer;
    });
    await splitCutover(mine, split.id, ALONE);
    assert.ok(state.isNamed);
    await splitRollback(ctx, split.id, ALONE);
    assert.equal(await split.from.countDocuments(LATER), 1);
    assert.equal((await split.from.findOne(FIRST)).a, 'newer');
  });
});
