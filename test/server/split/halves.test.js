'use strict';

const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { endLease, mortalContext, planOf, until, useSet } = require('../../support/split');
const { isCut: cuts, isPut: puts, stepsOf } = require('../../support/split-steps');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');

const DO = Object.freeze({ confirm: true });
const ALONE = Object.freeze({ confirm: true, guardian: false });

/**
 * What ends a step between its two operations: only what is replicated of it is there. The server's
 * own point to stop at (enableTestCommands) is between two operations of one applyOps.
 */
describe('a cut that ends half way', function () {
  this.timeout(180_000);
  let client;
  let ctx;
  let number = 0;
  useSet(
    (set) => {
      ({ client, ctx } = set);
    },
    { args: ['--setParameter', 'enableTestCommands=1'] },
  );

  async function begin() {
    number += 1;
    const name = `c${number}`;
    await client
      .db('app')
      .collection(name)
      .insertMany(Array.from({ length: 20 }, (_, i) => ({ _id: i })));
    const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
    await splitRun(ctx, plan, DO);
    return {
      name,
      plan,
      from: client.db('app').collection(name),
      into: client.db('app2').collection(name),
    };
  }
  const typeOf = async (db, name) =>
    (await client.db(db).listCollections({ name }).toArray())[0]?.type ?? null;

  /**
   * A step ends behind its first rename or drop, and then `between`.
   * @param {(steps: any[]) => boolean} when
   * @param {() => Promise<unknown>} [between]
   */
  function halved(when, between = async () => {}) {
    const mine = contextOf(client);
    const { adminCommand } = mine.port;
    const state = { done: false };
    mine.port.adminCommand = async (command) => {
      if (state.done || !when(stepsOf(command))) return adminCommand(command);
      state.done = true;
      const last = stepsOf(command).findIndex(
        ({ renameCollection, drop }) => renameCollection || drop,
      );
      await adminCommand({ ...command, applyOps: command.applyOps.slice(0, last + 1) });
      await between();
      throw Object.assign(new Error('interrupted at shutdown'), {
        name: 'MongoServerError',
        code: 11600,
      });
    };
    return { mine, state };
  }

  it('before anybody writes: the view is made, and it goes on by itself', async () => {
    const { plan, name, from, into } = await begin();
    const { mine, state } = halved(cuts, async () => assert.equal(await typeOf('app', name), null));
    await splitCutover(mine, plan.id, ALONE);
    assert.ok(state.done);
    assert.equal(await into.countDocuments(), 20);
    await assert.rejects(from.insertOne({}), { code: 166 });
  });

  it('and the shell is gone too: another one makes the view, and the mark of the cut is found again', async () => {
    const { plan, name, into } = await begin();
    await client
      .db('tune')
      .collection('splits')
      .updateOne({ planId: plan.id }, { $set: { phase: 'cutting' } });
    await client.db('app').renameCollection(name, `${name}__aside_${plan.id}`);
    assert.equal((await splitResume(ctx, plan.id, DO)).splits[0].phase, 'switched');
    assert.equal(await into.countDocuments(), 20);
    assert.equal(await typeOf('app', name), 'view');
  });

  it(
    'somebody wrote meanwhile: both are named, nothing is dropped, and it goes on once that ' +
      'one has another name',
    async () => {
      const { plan, name, from, into } = await begin();
      const { mine } = halved(cuts, () => from.insertOne({ _id: 'stray' }));
      const error = await splitCutover(mine, plan.id, ALONE).then(
        () => null,
        (one) => one,
      );
      assert.equal(error.code, 'TUNE-35013');
      assert.match(
        error.message,
        new RegExp(
          `The data of app\\.${name} is in ` +
            `app\\.${name}__aside_${plan.id}.*renameCollection\\("${name}__strays_${plan.id}"\\)`,
        ),
      );
      assert.deepEqual(
        [
          await from.countDocuments(),
          await client.db('app').collection(`${name}__aside_${plan.id}`).countDocuments(),
        ],
        [1, 20],
      );
      await assert.rejects(splitResume(ctx, plan.id, ALONE), { code: 'TUNE-35013' });
      await from.rename(`${name}__strays_${plan.id}`);
      assert.equal((await splitResume(ctx, plan.id, DO)).splits[0].phase, 'switched');
      assert.equal(await into.countDocuments(), 20);
      await client
        .db('app')
        .collection(`${name}__strays_${plan.id}`)
        .aggregate([{ $merge: { into: { db: 'app2', coll: name }, whenMatched: 'fail' } }])
        .toArray();
      assert.equal(await into.countDocuments(), 21);
    },
  );

  it('the same, given up: the source has its name again, and the strays theirs', async () => {
    const { plan, name, from } = await begin();
    const { mine } = halved(cuts, () => from.insertOne({ _id: 'stray' }));
    await assert.rejects(splitCutover(mine, plan.id, ALONE), { code: 'TUNE-35013' });
    await assert.rejects(splitAbort(ctx, plan.id, DO), { code: 'TUNE-35004' });
    await from.rename(`${name}__strays_${plan.id}`);
    await splitAbort(ctx, plan.id, DO);
    assert.deepEqual(
      [
        await from.countDocuments(),
        await client.db('app').collection(`${name}__strays_${plan.id}`).countDocuments(),
      ],
      [20, 1],
    );
  });

  it('a switch that ends half way goes on; where somebody was faster, nothing is dropped', async () => {
    const { plan, name, into } = await begin();
    await splitCutover(halved(puts).mine, plan.id, ALONE);
    assert.equal(await into.countDocuments(), 20);
    const back = halved(puts, async () => {
      await client.db('app').collection(name).insertOne({ _id: 'stray' });
    });
    await assert.rejects(splitRollback(back.mine, plan.id, ALONE), { code: 'TUNE-35004' });
    assert.deepEqual(
      [
        await client.db('app').collection(name).countDocuments(),
        await client.db('app').collection(`${name}__aside_${plan.id}`).countDocuments(),
      ],
      [1, 20],
    );
    // The new name answers again, so nobody waits for whoever puts that away.
    assert.deepEqual(
      [await into.countDocuments(), (await splitStatus(ctx, plan.id)).splits[0].phase],
      [20, 'switched'],
    );
    await client.db('app').collection(name).rename('put_away');
    assert.equal((await splitRollback(ctx, plan.id, ALONE)).splits[0].phase, 'rolled-back');
    assert.equal(await client.db('app').collection(name).countDocuments(), 20);
  });

  it('the server stops between the two: writers wait, and find the view', async () => {
    const { plan, from, into } = await begin();
    const pause = (mode) =>
      client.db('admin').command({ configureFailPoint: 'applyOpsPauseBetweenOperations', mode });
    const mine = contextOf(client);
    const { adminCommand } = mine.port;
    let wrote;
    mine.port.adminCommand = async (command) => {
      if (!cuts(stepsOf(command))) return adminCommand(command);
      await pause('alwaysOn');
      const answer = adminCommand(command);
      await new Promise((resolve) => {
        setTimeout(resolve, 500);
      });
      wrote = Promise.allSettled([
        from.insertOne({ _id: 'meanwhile' }),
        from.deleteOne({ _id: 1 }),
      ]);
      assert.equal(
        await Promise.race([
          wrote,
          new Promise((resolve) => {
            setTimeout(resolve, 1000, 'waiting');
          }),
        ]),
        'waiting',
      );
      await pause('off');
      return answer;
    };
    await splitCutover(mine, plan.id, ALONE);
    assert.deepEqual(
      (await wrote).map(({ reason }) => reason?.code),
      [166, 166],
    );
    assert.equal(await into.countDocuments(), 20);
  });

  it('a majority that comes too late for the cut is no reason to miss its mark', async () => {
    const { plan, into } = await begin();
    const mine = contextOf(client);
    const { adminCommand } = mine.port;
    let late = 0;
    mine.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (!cuts(stepsOf(command)) || late > 0) return answer;
      late += 1;
      throw Object.assign(new Error('operation exceeded time limit'), {
        name: 'MongoWriteConcernError',
        code: 50,
      });
    };
    await splitCutover(mine, plan.id, ALONE);
    assert.deepEqual([late, await into.countDocuments()], [1, 20]);
  });

  for (const [way, phase] of [
    ['forward', 'switching'],
    ['back', 'switching-back'],
  ]) {
    it(
      `a shell that dies once all is brought over (${way}), before that is written down: the ` +
        'next one finds the mark again',
      async () => {
        const { plan, name, from, into } = await begin();
        const dies = mortalContext(
          client,
          (spec) => spec.findAndModify && spec.update.$set?.phase === phase,
        );
        if (way === 'back') await splitCutover(ctx, plan.id, ALONE);
        await assert.rejects(
          (way === 'forward' ? splitCutover : splitRollback)(dies, plan.id, ALONE),
          /the shell is gone/,
        );
        assert.deepEqual([await typeOf('app', name), await typeOf('app2', name)], ['view', 'view']);
        await endLease(client, plan.id);
        await splitResume(ctx, plan.id, DO);
        assert.equal(await (way === 'forward' ? into : from).countDocuments(), 20);
      },
    );
  }

  for (const [way, end] of [
    ['forward', 'switched'],
    ['back', 'rolled-back'],
  ]) {
    it(
      `Ctrl-C once the other name answers (${way}), which could not be written down yet: it is ` +
        'too late to undo, and one name takes writes',
      async () => {
        const { plan, from, into } = await begin();
        const stop = new AbortController();
        const stopped = contextOf(client, { signal: stop.signal });
        const { command } = stopped.port;
        stopped.port.command = async (database, spec) => {
          if (!spec.findAndModify || spec.update.$set?.phase !== end || stop.signal.aborted)
            return command(database, spec);
          stop.abort();
          throw Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' });
        };
        if (way === 'back') await splitCutover(ctx, plan.id, ALONE);
        const {
          splits: [{ phase }],
        } = await (way === 'forward' ? splitCutover : splitRollback)(stopped, plan.id, ALONE);
        assert.deepEqual([phase, stop.signal.aborted], [end, true]);
        const taken = await Promise.all(
          [from, into].map((one) =>
            one.insertOne({}).then(
              () => true,
              () => false,
            ),
          ),
        );
        assert.deepEqual(taken, way === 'forward' ? [false, true] : [true, false]);
      },
    );
  }

  it('what is switched, but not written down so, is not given up: the way back is another one', async () => {
    const { plan, name, into } = await begin();
    await splitCutover(ctx, plan.id, ALONE);
    await client
      .db('tune')
      .collection('splits')
      .updateOne({ planId: plan.id }, { $set: { phase: 'switching' } });
    await assert.rejects(
      splitAbort(ctx, plan.id, DO),
      (error) =>
        error.code === 'TUNE-35010' && error.message.includes(`tune.split.rollback("${plan.id}"`),
    );
    assert.deepEqual(
      [
        await into.countDocuments(),
        await client.db('app').collection(`${name}__aside_${plan.id}`).countDocuments(),
      ],
      [20, 20],
    );
    assert.equal((await splitRollback(ctx, plan.id, ALONE)).splits[0].phase, 'rolled-back');
  });

  it('a copy made anew before the cut forgets the first one', async () => {
    const { plan, name, from, into } = await begin();
    await client
      .db('app2')
      .collection(`${name}__tune_${plan.id}`)
      .insertOne({ _id: 'of the first copy' });
    await from.deleteOne({ _id: 3 });
    assert.equal((await splitResume(ctx, plan.id, { restart: true })).dryRun, true);
    assert.equal(
      (await splitResume(ctx, plan.id, { restart: true, confirm: true })).splits[0].phase,
      'following',
    );
    await splitCutover(ctx, plan.id, ALONE);
    assert.deepEqual(
      [await into.countDocuments(), await into.countDocuments({ _id: 'of the first copy' })],
      [19, 0],
    );
    // Now it is the old data that is looked through.
    assert.equal(
      (await splitResume(ctx, plan.id, { restart: true, confirm: true })).splits[0].phase,
      'switched',
    );
    assert.equal(
      await client.db('app').collection(`${name}__aside_${plan.id}`).countDocuments(),
      19,
    );
    await client
      .db('tune')
      .collection('splits')
      .updateOne({ planId: plan.id }, { $set: { phase: 'draining-back' } });
    await assert.rejects(splitResume(ctx, plan.id, { restart: true, confirm: true }), {
      code: 'TUNE-35010',
    });
    await client
      .db('tune')
      .collection('splits')
      .updateOne({ planId: plan.id }, { $set: { phase: 'switched' } });
  });

  it('what a shell that died has sent for the cut is waited for, not ended', async () => {
    const { plan, from, into } = await begin();
    const session = client.startSession();
    session.startTransaction();
    await from.insertOne({ _id: 'held' }, { session });
    const sent = client
      .db('admin')
      .command({
        applyOps: [
          { op: 'c', ns: 'app.$cmd', o: { renameCollection: 'app.nobody', to: 'app.nobody2' } },
        ],
        maxTimeMS: 20_000,
        comment: `mongosh-tune ${plan.id}:app.${from.collectionName}`,
      })
      .then(
        () => 'done',
        ({ code }) => (code === 26 ? 'done' : code),
      );
    await until(
      async () =>
        (
          await client
            .db('admin')
            .aggregate([{ $currentOp: {} }, { $match: { 'command.applyOps': { $exists: true } } }])
            .toArray()
        ).length === 1,
    );
    setTimeout(() => void session.commitTransaction().then(() => session.endSession()), 700);
    await splitCutover(ctx, plan.id, ALONE);
    assert.equal(await sent, 'done');
    assert.equal(await into.countDocuments(), 21);
  });
});
