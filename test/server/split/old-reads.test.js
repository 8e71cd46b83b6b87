'use strict';

const assert = require('node:assert/strict');
const { ALONE } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { planOf, useSet } = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');

const DO = Object.freeze({ confirm: true });
const VIEW = Object.freeze({ reads: 'view', ...ALONE });

describe('a split whose old name goes on answering reads', function () {
  this.timeout(180_000);
  let client;
  let ctx;
  let number = 0;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  async function begin() {
    number += 1;
    const name = `c${number}`;
    await client
      .db('app')
      .collection(name)
      .insertMany(Array.from({ length: 50 }, (_, i) => ({ _id: i, a: i % 5 })));
    await client.db('app').collection(name).createIndex({ a: 1 });
    const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
    await splitRun(ctx, plan, DO);
    return {
      name,
      plan,
      from: client.db('app').collection(name),
      into: client.db('app2').collection(name),
    };
  }
  const namesOf = async (db, name) =>
    (
      await client
        .db(db)
        .listCollections({ name: { $regex: `^${name}(_|$)` } })
        .toArray()
    )
      .map((one) => one.name)
      .sort();
  const flat = (report) => String(report).replace(/\s+/g, ' ');
  /** @param {string} phase @param {() => unknown} act just before it is written down */
  function beforeSaved(phase, act) {
    const mine = contextOf(client);
    const { command } = mine.port;
    mine.port.command = async (database, spec) => {
      if (spec.findAndModify && spec.update.$set?.phase === phase) await act();
      return command(database, spec);
    };
    return mine;
  }
  /** A shell that dies when it writes a phase down. @param {string} phase */
  function diesAt(phase) {
    const mine = contextOf(client);
    const { command, adminCommand } = mine.port;
    const state = { isDead: false };
    mine.port.command = async (database, spec) => {
      if (spec.findAndModify && spec.update.$set?.phase === phase) state.isDead = true;
      // Its lease is given back, so that the test need not wait for its end.
      if (state.isDead && spec.update !== 'splits') throw new Error('the shell is gone');
      return command(database, spec);
    };
    mine.port.adminCommand = async (spec) => {
      if (state.isDead) throw new Error('the shell is gone');
      return adminCommand(spec);
    };
    return mine;
  }

  it('as of the cut, which is said; writes are refused; the end of it is a refusal', async () => {
    const { plan, name, from, into } = await begin();
    const shown = await splitCutover(ctx, plan.id, { reads: 'view' });
    assert.equal(
      shown.confirm,
      `tune.split.cutover("${plan.id}", { reads: "view", confirm: true })`,
    );
    assert.match(
      flat(shown),
      /Reads of app\.\w+ return old data, of the cutover or the last tune\.split\.resume\(\), without the writes to app2\.\w+/,
    );
    assert.match(flat(shown), /Until then writes of both names fail: about 1 s/);
    await splitCutover(ctx, plan.id, VIEW);
    for (const write of [
      () => from.insertOne({}),
      () => from.updateOne({ _id: 1 }, { $set: { a: 0 } }),
      () => from.deleteOne({ _id: 1 }),
    ])
      await assert.rejects(write, { code: 166 });
    await into.insertOne({ _id: 'since', a: 9 });
    assert.deepEqual(
      [
        await from.countDocuments(),
        await from.countDocuments({ a: 1 }),
        (await from.findOne({ _id: 7 })).a,
        await into.countDocuments(),
      ],
      [50, 10, 2, 51],
    );
    assert.ok(JSON.stringify(await from.find({ a: 1 }).explain()).includes('"IXSCAN"'));
    const status = await splitStatus(ctx, plan.id);
    const [{ reads, cutAt }] = status.splits;
    assert.deepEqual([reads, cutAt instanceof Date], ['view', true]);
    assert.ok(
      flat(status).includes(
        `Reads of app.${name} are allowed ({ reads: "view" }). They return old data, of ` +
          `${cutAt
            .toISOString()
            .replace('T', ' ')
            .replace(/\.\d+Z$/, '')} UTC or of the last tune.split.resume()`,
      ),
    );
    await assert.rejects(splitCutover(ctx, plan.id, { reads: 'refused', confirm: true }), {
      code: 'TUNE-35010',
    });
    assert.match(flat(await splitFinish(ctx, plan.id)), /app\.\w+ is blocked for reads, too/);
    await splitFinish(ctx, plan.id, DO);
    await assert.rejects(
      from.findOne(),
      (error) =>
        error.code === 241 &&
        error.message.includes(`app.${name} was moved to app2.${name} by mongosh-tune`),
    );
    assert.deepEqual(await namesOf('app', name), [name]);
  });

  it('a rollback is not fooled by it, and brings back what was written since', async () => {
    const { plan, name, from, into } = await begin();
    await splitCutover(ctx, plan.id, VIEW);
    await into.insertOne({ _id: 'first' });
    await splitResume(ctx, plan.id, { confirm: true });
    // It was brought back to the old data, so that is newer now.
    assert.equal(await from.countDocuments(), 51);
    await into.insertOne({ _id: 'second' });
    await splitRollback(ctx, plan.id, DO);
    assert.deepEqual([await from.countDocuments(), await namesOf('app', name)], [52, [name]]);
    await from.insertOne({ _id: 'again' });
    await assert.rejects(into.findOne(), { code: 241 });
    await splitFinish(ctx, plan.id, DO);
    assert.deepEqual([await namesOf('app', name), await namesOf('app2', name)], [[name], []]);
  });

  it('whoever goes on, or gives up, after a shell that died finds it as it was asked for', async () => {
    const on = await begin();
    await assert.rejects(splitCutover(diesAt('draining'), on.plan.id, VIEW), /the shell is gone/);
    assert.equal(await on.from.countDocuments(), 50);
    await assert.rejects(
      splitCutover(ctx, on.plan.id, { reads: 'refused', confirm: true }),
      (error) =>
        error.code === 'TUNE-35010' &&
        /is cutting: how reads of the source namespace are answered \(view\) was chosen before/.test(
          error.message,
        ),
    );
    assert.equal(
      (await splitResume(ctx, on.plan.id, { confirm: true })).splits[0].phase,
      'switched',
    );
    assert.deepEqual([await on.from.countDocuments(), await on.into.countDocuments()], [50, 50]);
    assert.equal(
      (await splitFinish(ctx, on.plan.id, { open: true })).confirm,
      `tune.split.finish("${on.plan.id}", { open: true, confirm: true })`,
    );
    await splitFinish(ctx, on.plan.id, { open: true, confirm: true });
    assert.deepEqual(await namesOf('app', on.name), []);
    const back = await begin();
    await assert.rejects(
      splitCutover(diesAt('switching'), back.plan.id, VIEW),
      /the shell is gone/,
    );
    await splitAbort(ctx, back.plan.id, DO);
    await back.from.insertOne({ _id: 'again' });
    assert.deepEqual(
      [
        await back.from.countDocuments(),
        await namesOf('app', back.name),
        await namesOf('app2', back.name),
      ],
      [51, [back.name], [back.name]],
    );
  });

  it('no old data is read while a rollback has cut the target off', async () => {
    const { plan, name, from, into } = await begin();
    await splitCutover(ctx, plan.id, VIEW);
    await into.insertOne({ _id: 'since' });
    await assert.rejects(splitRollback(diesAt('draining-back'), plan.id, ALONE), /is gone/);
    await assert.rejects(into.findOne(), { code: 241 });
    await assert.rejects(from.findOne(), { code: 241 });

    // Interrupted, it is undone: the target answers, and the source with old data as before.
    const stop = new AbortController();
    const stopped = beforeSaved('draining-back', () => stop.abort());
    await assert.rejects(splitRollback({ ...stopped, signal: stop.signal }, plan.id, ALONE), {
      code: 'TUNE-30009',
    });
    await into.insertOne({ _id: 'more' });
    assert.deepEqual([await from.countDocuments(), await into.countDocuments()], [51, 52]);

    await splitRollback(ctx, plan.id, ALONE);
    assert.deepEqual([await from.countDocuments(), await namesOf('app', name)], [52, [name]]);
  });

  it('answers reads again where a rollback did not come to the cut', async () => {
    const { plan, from, into } = await begin();
    await splitCutover(ctx, plan.id, VIEW);
    const stop = new AbortController();
    // As a server leaves it that died within the step.
    const stopped = beforeSaved('cutting-back', async () => {
      const sentence = 'the view of a step of mongosh-tune that was half done';
      const pipeline = [{ $match: { $expr: { $toInt: sentence } } }];
      const [{ options }] = await client
        .db('app')
        .listCollections({ name: from.collectionName })
        .toArray();
      await client
        .db('app')
        .command({ collMod: from.collectionName, viewOn: options.viewOn, pipeline });
      stop.abort();
    });
    await assert.rejects(splitRollback({ ...stopped, signal: stop.signal }, plan.id, ALONE), {
      code: 'TUNE-30009',
    });
    await into.insertOne({ _id: 'since' });
    assert.equal(await from.countDocuments(), 50);
  });

  it('nothing else is taken for an answer', async () => {
    const { plan } = await begin();
    for (const reads of ['yes', true, 'frozen'])
      await assert.rejects(splitCutover(ctx, plan.id, { reads }), { code: 'TUNE-10002' });
    await splitAbort(ctx, plan.id, DO);
  });
});
