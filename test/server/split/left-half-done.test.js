'use strict';

const assert = require('node:assert/strict');
const { ALONE, beginSplit } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { endLease, mortalContext, planOf, useSet } = require('../../support/split');
const { isCut: cuts, isPut: puts, stepsOf } = require('../../support/split-steps');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitPlan } = require('../../../lib/commands/split-plan');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');

const DO = Object.freeze({ confirm: true });
const MAJORITY = Object.freeze({ writeConcern: { w: 'majority' } });
/** More than one range of a comparison. */
const MANY = 5000;
const PARALLEL = Object.freeze({ _id: 'parallel', a: [1, 2], b: [1, 2] });

/**
 * What a command that was stopped, or another split, left behind must not mislead the next command.
 */
describe('a split that something was left behind of', function () {
  this.timeout(180_000);
  let client;
  let ctx;
  useSet(
    (set) => {
      ({ client, ctx } = set);
    },
    { args: ['--setParameter', 'enableTestCommands=1'] },
  );

  async function begin({ documents = 20, method = 'out', index = null } = {}) {
    const split = await beginSplit(client, ctx, {
      documents: Array.from({ length: documents }, (_, i) => ({ _id: i })),
      indexes: index ? [[index]] : [],
      method,
    });
    return { ...split, copy: () => copyOf(split.id) };
  }
  const splitOf = (planId) => client.db('tune').collection('splits').findOne({ planId });
  const copyOf = async (planId) =>
    client.db('app2').collection((await splitOf(planId)).into.stagingName);
  const isTaken = (collection) =>
    collection.insertOne({}, MAJORITY).then(
      () => true,
      () => false,
    );

  /** A comparison of everything after the switch, stopped after its first range. */
  async function stoppedComparison() {
    const split = await begin({ documents: MANY });
    await splitCutover(ctx, split.id, ALONE);
    await split.into.insertOne({ _id: 'new' }, MAJORITY);
    await split.into.deleteOne({ _id: MANY - 1 }, MAJORITY);
    const user = new AbortController();
    const mine = {
      ...contextOf(client),
      signal: user.signal,
      progress: (text) => {
        if (/verifying/.test(text ?? '')) user.abort();
      },
    };
    await assert.rejects(splitResume(mine, split.id, { restart: true, confirm: true }), {
      code: 'TUNE-30009',
    });
    return split;
  }
  const endOf = async (collection) => [
    await collection.countDocuments(),
    await collection.countDocuments({ _id: 'new' }),
  ];

  it('a comparison that was stopped after the switch: a rollback compares first, and loses nothing', async () => {
    const { id, from } = await stoppedComparison();
    await splitRollback(ctx, id, ALONE);
    assert.deepEqual(await endOf(from), [MANY, 1]);
  });

  it('the same, and resume goes on with it', async () => {
    const { id, name } = await stoppedComparison();
    await splitResume(ctx, id, DO);
    assert.deepEqual(
      await endOf(client.db('app').collection((await splitOf(id)).from.renamedTo)),
      [MANY, 1],
      name,
    );
  });

  it(
    'a copy that was to be made anew is not taken for the new one: what was deleted does not ' +
      'come back',
    async () => {
      const { id, from, into } = await begin({ method: 'ranges' });
      await from.deleteOne({ _id: 3 });
      const dies = mortalContext(client, ({ applyOps }) =>
        JSON.stringify(applyOps ?? []).includes('"drop"'),
      );
      await assert.rejects(splitResume(dies, id, { restart: true, confirm: true }));
      await endLease(client, id);
      await splitResume(ctx, id, DO);
      await splitCutover(ctx, id, ALONE);
      assert.deepEqual(
        [await into.countDocuments(), await into.countDocuments({ _id: 3 })],
        [19, 0],
      );
      await splitFinish(ctx, id, DO);
      assert.deepEqual(
        (
          await client
            .db('app2')
            .listCollections({ name: /^c\d+__/ })
            .toArray()
        ).filter((one) => one.name.includes(id)),
        [],
      );
    },
  );

  it('a cut that ends half way, and then Ctrl-C: the source answers again', async () => {
    const { id, from } = await begin();
    const user = new AbortController();
    const mine = { ...contextOf(client), signal: user.signal };
    const { adminCommand } = mine.port;
    mine.port.adminCommand = async (command) => {
      if (user.signal.aborted || !cuts(stepsOf(command))) return adminCommand(command);
      const last = stepsOf(command).findIndex(({ renameCollection }) => renameCollection);
      await adminCommand({ ...command, applyOps: command.applyOps.slice(0, last + 1) });
      user.abort();
      throw Object.assign(new Error('interrupted at shutdown'), {
        name: 'MongoServerError',
        code: 11600,
      });
    };
    await assert.rejects(splitCutover(mine, id, ALONE), (error) =>
      /is active again with all its data/.test(error.message),
    );
    assert.deepEqual([await from.countDocuments(), await isTaken(from)], [20, true]);
    await splitCutover(ctx, id, ALONE);
    assert.equal((await splitOf(id)).phase, 'switched');
  });

  it('the end of one that was rolled back leaves the view of a later one in place', async () => {
    const { id, second, from, into } = await begin();
    await splitCutover(ctx, id, ALONE);
    await splitRollback(ctx, id, ALONE);
    await splitRun(ctx, second, DO);
    await splitFinish(ctx, id, DO);
    assert.deepEqual([await isTaken(into), await isTaken(from)], [false, true]);
    await splitCutover(ctx, second.id, ALONE);
    assert.deepEqual(
      [await isTaken(into), await isTaken(from), await into.countDocuments()],
      [true, false, 22],
    );
  });

  it('a later one that is given up leaves the view of one that was rolled back in place', async () => {
    const { id, second, into } = await begin();
    await splitCutover(ctx, id, ALONE);
    await splitRollback(ctx, id, ALONE);
    await splitRun(ctx, second, DO);
    await splitAbort(ctx, second.id, DO);
    assert.equal(await isTaken(into), false);
    await splitFinish(ctx, id, DO);
    await splitFinish(ctx, second.id, DO);
    assert.equal(await isTaken(into), true);
  });

  /** Given up between its cut and its switch. */
  async function givenUp(options = {}) {
    const split = await begin();
    const dies = mortalContext(
      client,
      ({ findAndModify, update }) => findAndModify && update?.$set?.phase === 'switching',
    );
    await assert.rejects(splitCutover(dies, split.id, ALONE));
    await endLease(client, split.id);
    await splitAbort(ctx, split.id, { ...options, ...DO });
    return split;
  }

  it('one that was given up ends, also where the source was dropped since', async () => {
    const { id, name, from } = await givenUp();
    await from.drop();
    await splitFinish(ctx, id, DO);
    assert.equal((await splitOf(id)).phase, 'finished');
    assert.deepEqual(await client.db('app2').listCollections({ name }).toArray(), []);
  });

  it('a copy that was kept when it was given up stays at the end, too', async () => {
    const { id, copy } = await givenUp({ keepCopy: true });
    await splitFinish(ctx, id, DO);
    assert.equal(await (await copy()).countDocuments(), 20);
  });

  it('who goes on with an abort keeps what was to be kept', async () => {
    const { id, copy } = await begin();
    const dies = mortalContext(
      client,
      ({ findAndModify, update }) => findAndModify && update?.$set?.phase === 'aborted',
    );
    await assert.rejects(splitAbort(dies, id, { keepCopy: true, ...DO }));
    await endLease(client, id);
    await splitResume(ctx, id, DO);
    assert.deepEqual(
      [(await splitOf(id)).phase, await (await copy()).countDocuments()],
      ['aborted', 20],
    );
  });

  it(
    'an index that is gone, and a document that fits only since then: before the cutover, and ' +
      'before a rollback',
    async () => {
      const { id, from, into } = await begin({ index: { a: 1, b: 1 } });
      await from.dropIndex('a_1_b_1');
      await from.insertOne(PARALLEL, MAJORITY);
      await splitResume(ctx, id, DO);
      await splitCutover(ctx, id, ALONE);
      await into.deleteOne({ _id: PARALLEL._id });
      await into.createIndex({ a: 1, b: 1 });
      await splitResume(ctx, id, DO);
      await into.dropIndex('a_1_b_1');
      await into.insertOne(PARALLEL, MAJORITY);
      await splitRollback(ctx, id, ALONE);
      assert.deepEqual([await from.countDocuments(), (await from.indexes()).length], [21, 1]);
    },
  );

  it('an offline copy made anew: the source is cut off already', async () => {
    const [from, into] = ['app', 'app2'].map((db) => client.db(db).collection('offline_anew'));
    await from.insertMany([{ _id: 1 }, { _id: 2 }]);
    await from.createIndex({ at: 1 }, { expireAfterSeconds: 100_000 });
    const plan = await planOf(client, {
      mode: 'offline',
      moves: [{ ns: from.namespace, into: into.namespace }],
    });
    const dies = mortalContext(
      client,
      ({ findAndModify, update }) => findAndModify && update?.$set?.phase === 'indexing',
    );
    await assert.rejects(splitRun(dies, plan, DO));
    await endLease(client, plan.id);
    assert.equal(
      (await splitResume(ctx, plan.id, { restart: true, confirm: true })).splits[0].phase,
      'switched',
    );
    assert.deepEqual(
      [
        await into.countDocuments(),
        (await into.indexes())[1].expireAfterSeconds,
        await isTaken(from),
        await isTaken(into),
      ],
      [2, 100_000, false, true],
    );
  });

  it(
    'an _id that no event of a change stream holds: it is said, and with a comparison of ' +
      'everything it ends',
    async () => {
      const { id, from, into } = await begin();
      await splitCutover(ctx, id, ALONE);
      await into.insertOne({ _id: 'x'.repeat(7_000_000) }, MAJORITY);
      await assert.rejects(
        splitRollback(ctx, id, ALONE),
        (error) =>
          error.code === 'TUNE-35007' && /too large for a change stream/.test(error.message),
      );
      await splitResume(ctx, id, { restart: true, confirm: true });
      await splitRollback(ctx, id, ALONE);
      assert.equal(await from.countDocuments(), 21);
    },
  );

  it('what another split that is not finished was moved to is not moved on', async () => {
    const { id, name, from, into } = await begin();
    await splitCutover(ctx, id, ALONE);
    const on = await planOf(client, { moves: [{ ns: `app2.${name}`, into: `app3.${name}` }] });
    await assert.rejects(
      splitRun(ctx, on, DO),
      (error) => error.code === 'TUNE-35002' && error.message.includes(id),
    );
    const renamedTo = await planOf(client, {
      moves: [{ ns: `app2.${name}`, into: `app.${name}` }],
    });
    await assert.rejects(splitRun(ctx, renamedTo, DO), { code: 'TUNE-35002' });
    await splitFinish(ctx, id, DO);
    await splitRun(ctx, on, DO);
    await splitCutover(ctx, on.id, ALONE);
    assert.deepEqual(
      [await isTaken(from), await isTaken(into), await isTaken(client.db('app3').collection(name))],
      [false, false, true],
    );
  });

  /**
   * The step that puts the source back is done on a primary that dies before a majority has it:
   * whoever writes something down next does so on another, which has the data aside, and the view.
   */
  function forgotten(name) {
    const mine = contextOf(client);
    const { adminCommand, command } = mine.port;
    const state = { renamedTo: null, isForgotten: false };
    mine.port.adminCommand = async (spec) => {
      const put = stepsOf(spec).find(
        ({ renameCollection, to }) => renameCollection && to === `app.${name}`,
      );
      if (put && puts(stepsOf(spec))) state.renamedTo ??= put.renameCollection.slice('app.'.length);
      return adminCommand(spec);
    };
    mine.port.command = async (database, spec) => {
      if (
        spec.findAndModify &&
        state.renamedTo &&
        !state.isForgotten &&
        !(await client.db('app').listCollections({ name: state.renamedTo }).hasNext())
      ) {
        state.isForgotten = true;
        await client.db('app').renameCollection(name, state.renamedTo);
        await client
          .db('app')
          .createCollection(name, {
            viewOn: state.renamedTo,
            pipeline: [{ $match: { $expr: { $toInt: 'mongosh-tune' } } }],
          });
      }
      return command(database, spec);
    };
    return { mine, state };
  }

  it('an abort whose step only a dead primary had is done on the next one', async () => {
    const { id, name, from } = await begin();
    const dies = mortalContext(
      client,
      ({ findAndModify, update }) => findAndModify && update?.$set?.phase === 'switching',
    );
    await assert.rejects(splitCutover(dies, id, ALONE));
    await endLease(client, id);
    const { mine, state } = forgotten(name);
    await splitAbort(mine, id, DO);
    assert.deepEqual(
      [state.isForgotten, await isTaken(from), await from.countDocuments()],
      [true, true, 21],
    );
  });

  it('a cutover that is undone by a step that only a dead primary had is undone on the next one', async () => {
    const { id, name, from } = await begin();
    const { mine, state } = forgotten(name);
    const { command } = mine.port;
    mine.port.command = async (database, spec) => {
      if (spec.findAndModify && spec.update?.$set?.phase === 'switching')
        throw Object.assign(new Error('no'), { name: 'MongoServerError', code: 8000 });
      return command(database, spec);
    };
    await assert.rejects(splitCutover(mine, id, ALONE), /is active again/);
    assert.deepEqual(
      [state.isForgotten, await isTaken(from), await from.countDocuments()],
      [true, true, 21],
    );
    // After an election there is one rename alone; here somebody else made a second one.
    const { operationTime } = await client.db('admin').command({ hello: 1 });
    await client
      .db('tune')
      .collection('splits')
      .updateOne(
        { planId: id },
        { $push: { undoneCuts: { name: state.renamedTo, until: operationTime } } },
      );
    await splitCutover(ctx, id, ALONE);
  });

  it('deletes in a collection that took the place of the source take nothing out of the copy', async () => {
    const { id, name, from, copy } = await begin();
    await client
      .db('app')
      .collection(`${name}_other`)
      .insertMany([{ _id: 1 }, { _id: 2 }]);
    await client.db('app').renameCollection(`${name}_other`, name, { dropTarget: true });
    await from.deleteOne({ _id: 1 }, MAJORITY);
    await assert.rejects(splitResume(ctx, id, DO), { code: 'TUNE-35005' });
    assert.equal(await (await copy()).countDocuments(), 20);
  });

  it(
    'an index whose fields JavaScript would put into another order is refused, by the plan and ' +
      'before the cut',
    async () => {
      const key = new Map([
        ['a', 1],
        ['1', 1],
      ]);
      const { id, from, name } = await begin();
      await from.createIndex(key);
      await assert.rejects(splitCutover(ctx, id, ALONE), { code: 'TUNE-35009' });
      assert.equal(await isTaken(from), true);
      await splitAbort(ctx, id, DO);
      const { moves } = await splitPlan(ctx, {
        source: 'app',
        target: 'app2',
        collections: [name],
        seconds: 1,
      });
      assert.deepEqual(
        moves[0].blockers.map(({ what }) => what).filter((what) => what === 'index-order'),
        ['index-order'],
      );
    },
  );
});
