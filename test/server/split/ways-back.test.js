'use strict';

const assert = require('node:assert/strict');
const { ALONE } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const {
  endLease,
  mortalContext,
  planOf,
  startRegister,
  until,
  useSet,
} = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { run: splitVerify } = require('../../../lib/commands/split-verify');

const DO = Object.freeze({ confirm: true });

describe('the ways of a split', function () {
  this.timeout(180_000);
  let client;
  let ctx;
  let number = 0;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  async function begin({ documents = 500, method = 'out' } = {}) {
    number += 1;
    const name = `c${number}`;
    await client.db('app').collection(name).createIndex({ a: 1 });
    await client
      .db('app')
      .collection(name)
      .insertMany(Array.from({ length: documents }, (_, i) => ({ _id: i, a: i % 7 })));
    const plan = await planOf(client, {
      moves: [{ ns: `app.${name}`, into: `app2.${name}`, method }],
    });
    return {
      name,
      plan,
      from: client.db('app').collection(name),
      into: client.db('app2').collection(name),
    };
  }
  const namesOf = async (db) =>
    (await client.db(db).listCollections().toArray()).map(({ name }) => name);
  const ofSplit = (names, name) =>
    names.filter((one) => one === name || one.startsWith(`${name}__`)).sort();

  it('without confirm nothing is changed, and what would be done is said', async () => {
    const { plan, name } = await begin();
    const shown = await splitRun(ctx, plan);
    assert.deepEqual(
      [shown.dryRun, shown.splits[0].phase, shown.confirm],
      [true, 'planned', 'tune.split.run(plan, { confirm: true })'],
    );
    assert.match(String(shown), /DRY RUN: nothing was changed/);
    assert.deepEqual(
      [
        ofSplit(await namesOf('app2'), name),
        (await splitStatus(ctx)).splits.filter(({ id }) => id === plan.id),
      ],
      [[], []],
    );
    await splitRun(ctx, plan, DO);
    for (const verb of [splitCutover, splitAbort]) {
      const only = await verb(ctx, plan.id);
      assert.ok(only.dryRun && only.splits[0].does.length > 0 && only.confirm.includes(plan.id));
    }
    assert.equal((await splitStatus(ctx, plan.id)).splits[0].phase, 'following');
    await splitAbort(ctx, plan.id, DO);
  });

  it('a name that is not there yet refuses, and so does one that is moved', async () => {
    const { plan, from, into } = await begin();
    await splitRun(ctx, plan, DO);
    await assert.rejects(into.insertOne({}), { code: 166 });
    await assert.rejects(
      into.findOne(),
      (error) =>
        error.code === 241 &&
        /is not there yet: app\.\w+ is being moved to it by mongosh-tune/.test(error.message),
    );
    await splitCutover(ctx, plan.id, DO);
    for (const write of [
      () => from.insertOne({}),
      () => from.updateOne({ _id: 1 }, { $set: { a: 0 } }),
      () => from.deleteOne({ _id: 1 }),
    ])
      await assert.rejects(write, { code: 166 });
    await assert.rejects(
      from.findOne(),
      (error) => error.code === 241 && /was moved to app2\.\w+ by mongosh-tune/.test(error.message),
    );
    assert.equal(await into.countDocuments(), 500);
  });

  it('abort before and after the copy: the source is as it was, with what was written meanwhile', async () => {
    const { plan, from, name } = await begin();
    const { uuid } = (await client.db('app').listCollections({ name }).toArray())[0].info;
    await splitRun(ctx, plan, DO);
    await from.insertOne({ _id: 'meanwhile' });
    const [{ phase, next }] = (await splitAbort(ctx, plan.id, DO)).splits;
    assert.deepEqual([phase, next], ['aborted', null]);
    assert.deepEqual(
      [ofSplit(await namesOf('app'), name), ofSplit(await namesOf('app2'), name)],
      [[name], []],
    );
    assert.equal(await from.countDocuments(), 501);
    assert.deepEqual(
      (await client.db('app').listCollections({ name }).toArray())[0].info.uuid,
      uuid,
    );
    await assert.rejects(splitCutover(ctx, plan.id, DO), { code: 'TUNE-35010' });
  });

  it('abort of one that is cut off but not switched gives the name back', async () => {
    const { plan, from, name } = await begin();
    await splitRun(ctx, plan, DO);
    const stops = mortalContext(
      client,
      (spec) => spec.findAndModify && spec.update.$set?.phase === 'switching',
    );
    await assert.rejects(splitCutover(stops, plan.id, ALONE), /the shell is gone/);
    await assert.rejects(from.insertOne({}), { code: 166 });
    await endLease(client, plan.id);
    await splitAbort(ctx, plan.id, ALONE);
    await from.insertOne({ _id: 'again' });
    assert.equal(await from.countDocuments(), 501);
    // Who was refused at the source may try the other name any moment: it refuses until finish.
    assert.deepEqual(
      [ofSplit(await namesOf('app'), name), ofSplit(await namesOf('app2'), name)],
      [[name], [name]],
    );
    await assert.rejects(client.db('app2').collection(name).insertOne({}), { code: 166 });
    await splitFinish(ctx, plan.id, DO);
    assert.deepEqual(ofSplit(await namesOf('app2'), name), []);
    await assert.rejects(splitFinish(ctx, plan.id, DO), { code: 'TUNE-35010' });
  });

  it('rollback brings back what was written since, and finish ends both', async () => {
    const { plan, from, into, name } = await begin();
    await splitRun(ctx, plan, DO);
    await splitCutover(ctx, plan.id, DO);
    const register = startRegister(client, { db: 'app2', name, writers: 4 });
    await until(() => register.counts.acknowledged > 100);
    await splitResume(ctx, plan.id, DO);
    await splitRollback(ctx, plan.id, DO);
    await until(() => register.counts.refused > 5);
    await register.stop();
    assert.deepEqual(await register.differences('app', name), []);
    assert.equal(await from.countDocuments({ _id: { $type: 'number' } }), 500);
    await assert.rejects(into.insertOne({}), { code: 166 });
    await splitFinish(ctx, plan.id, DO);
    assert.deepEqual(
      [ofSplit(await namesOf('app'), name), ofSplit(await namesOf('app2'), name)],
      [[name], []],
    );
  });

  it('finish drops the old data; the source name refuses until it is opened', async () => {
    const { plan, from, name } = await begin();
    await splitRun(ctx, plan, DO);
    await assert.rejects(splitFinish(ctx, plan.id, DO), { code: 'TUNE-35010' });
    await splitCutover(ctx, plan.id, DO);
    await splitFinish(ctx, plan.id, DO);
    assert.deepEqual(ofSplit(await namesOf('app'), name), [name]);
    await assert.rejects(from.insertOne({}), { code: 166 });
    await assert.rejects(splitRollback(ctx, plan.id, DO), { code: 'TUNE-35010' });
    const other = await begin();
    await splitRun(ctx, other.plan, DO);
    await splitCutover(ctx, other.plan.id, DO);
    await splitFinish(ctx, other.plan.id, { confirm: true, open: true });
    assert.deepEqual(ofSplit(await namesOf('app'), other.name), []);
  });

  it('verify compares byte by byte, brings over what differs, and says so', async () => {
    const { plan, name, into } = await begin({ documents: 5000 });
    await splitRun(ctx, plan, DO);
    const stagingName = client.db('app2').collection(`${name}__tune_${plan.id}`);
    await stagingName.deleteOne({ _id: 17 });
    await stagingName.updateOne({ _id: 3333 }, { $set: { a: 'else' } });
    await stagingName.insertOne({ _id: 'stray' });
    await stagingName.replaceOne({ _id: 4000 }, { b: 1, a: 3 });
    const { verified } = (await splitVerify(ctx, plan.id, { repair: true, confirm: true }))
      .splits[0];
    assert.deepEqual([verified.documents, verified.differences, verified.repaired], [5000, 0, 4]);
    assert.equal(
      (await splitVerify(ctx, plan.id, { repair: true, confirm: true })).splits[0].verified
        .repaired,
      0,
    );
    await splitCutover(ctx, plan.id, DO);
    assert.deepEqual(
      [await into.countDocuments(), await into.countDocuments({ a: 'else' })],
      [5000, 0],
    );
    await assert.rejects(splitVerify(ctx, 'nothing'), { code: 'TUNE-35012' });
  });

  it('another shell is refused, and so is a second split of the same collection', async () => {
    const { plan, name } = await begin();
    const second = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app3.${name}` }] });
    await splitRun(ctx, plan, DO);
    await assert.rejects(
      splitRun(ctx, second, DO),
      (error) =>
        error.code === 'TUNE-35002' &&
        error.message.includes(`app.${name} is already being moved: ${plan.id}:app.${name}`),
    );
    await client.db('app4').collection(name).insertOne({});
    const third = await planOf(client, { moves: [{ ns: `app4.${name}`, into: `app2.${name}` }] });
    await assert.rejects(
      splitRun(ctx, third, DO),
      (error) =>
        error.code === 'TUNE-35002' &&
        error.message.includes(`app2.${name} is already the target of another split: ${plan.id}:`),
    );
    // Of a plan that is refused nothing is left: whoever resumes would carry it out in part.
    await client.db('app').collection(`0${name}`).insertOne({});
    const both = await planOf(client, {
      moves: [`0${name}`, name].map((one) => ({ ns: `app.${one}`, into: `app3.${one}` })),
    });
    await assert.rejects(splitRun(ctx, both, DO), { code: 'TUNE-35002' });
    assert.equal(
      await client.db('tune').collection('splits').countDocuments({ planId: both.id }),
      0,
    );
    await client
      .db('tune')
      .collection('splits')
      .updateOne(
        { planId: plan.id },
        {
          $set: {
            lease: {
              owner: 'x',
              who: 'elsewhere, process 7',
              host: 'elsewhere',
              pid: 7,
              until: new Date(Date.now() + 60_000),
            },
          },
        },
      );
    await assert.rejects(
      splitCutover(ctx, plan.id, DO),
      (error) => error.code === 'TUNE-35003' && /elsewhere, process 7/.test(error.message),
    );
    await client
      .db('tune')
      .collection('splits')
      .updateOne({ planId: plan.id }, { $set: { 'lease.until': new Date(0) } });
    await splitAbort(ctx, plan.id, DO);
    await assert.rejects(
      splitRun(ctx, plan, DO),
      (error) =>
        error.code === 'TUNE-35011' && /was already run: app\.\w+ is aborted/.test(error.message),
    );
  });

  it('a plan that is old, blocked, of another collection or none is refused', async () => {
    const { plan } = await begin();
    for (const [wrong, code] of [
      [undefined, 'TUNE-10004'],
      [{}, 'TUNE-10002'],
      [{ ...plan, at: new Date(Date.now() - 4e6) }, 'TUNE-35011'],
      [{ ...plan, blockers: [{ what: 'x', say: 'No.' }] }, 'TUNE-35011'],
      [{ ...plan, moves: [] }, 'TUNE-35011'],
      [{ ...plan, moves: [{ ...plan.moves[0], uuid: null }] }, 'TUNE-35011'],
      [{ ...plan, moves: [], by: { kind: 'hash', field: '_id', parts: 2 } }, 'TUNE-10002'],
      [
        { ...plan, moves: [{ ...plan.moves[0], uuid: '00000000-0000-4000-8000-000000000000' }] },
        'TUNE-35011',
      ],
    ])
      await assert.rejects(splitRun(ctx, wrong, DO), { code });
  });

  it('an open transaction is waited for, and what it commits is not lost', async () => {
    const { plan, from, into } = await begin();
    await splitRun(ctx, plan, DO);
    const session = client.startSession();
    session.startTransaction();
    await from.insertOne({ _id: 'in a transaction' }, { session });
    const cutover = splitCutover(ctx, plan.id, DO);
    await until(
      async () =>
        (await client.db('tune').collection('splits').findOne({ planId: plan.id })).phase ===
        'cutting',
    );
    await new Promise((resolve) => setTimeout(resolve, 1500));
    // It has its lock for half a second only: others go on between the tries.
    await from.insertOne({ _id: 'meanwhile' });
    await session.commitTransaction();
    await session.endSession();
    assert.equal((await cutover).splits[0].phase, 'switched');
    assert.deepEqual(
      [
        await into.countDocuments({ _id: { $in: ['in a transaction', 'meanwhile'] } }),
        await into.countDocuments(),
      ],
      [2, 502],
    );
  });

  it('Ctrl-C stops at a safe point, and says how to go on', async () => {
    const { plan, into } = await begin({ documents: 9000, method: 'ranges' });
    const stop = new AbortController();
    const mine = contextOf(client, { signal: stop.signal });
    mine.progress = (text) => {
      if (/copying: /.test(text ?? '')) stop.abort();
    };
    await assert.rejects(
      splitRun(mine, plan, DO),
      (error) =>
        error.code === 'TUNE-30009' &&
        error.message.includes(`tune.split.resume("${plan.id}", { confirm: true })`),
    );
    const [{ phase, copied }] = (await splitStatus(ctx, plan.id)).splits;
    assert.equal(phase, 'copying');
    assert.ok(copied >= 500 && copied < 9000, String(copied));
    await splitResume(ctx, plan.id, DO);
    await splitCutover(ctx, plan.id, DO);
    assert.equal(await into.countDocuments(), 9000);
  });
});
