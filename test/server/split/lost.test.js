'use strict';

const assert = require('node:assert/strict');
const { contextOf } = require('../../support/context');
const { planOf, until, useSet } = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');

const DO = Object.freeze({ confirm: true });
const ALONE = Object.freeze({ confirm: true, guardian: false });
const LOST = Object.assign(
  new Error(
    'Resume of change stream was not possible, as the resume point may no longer be in the oplog.',
  ),
  { name: 'MongoServerError', code: 286 },
);

/**
 * The way on where something is gone that a split rests on: its copy, or its place in the stream of
 * changes.
 */
describe('a split that lost something', function () {
  this.timeout(240_000);
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
    const [from, into] = ['app', 'app2'].map((db) => client.db(db).collection(name));
    await from.insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: i, a: i })));
    const plan = await planOf(client, { moves: [{ ns: `app.${name}`, into: `app2.${name}` }] });
    await splitRun(ctx, plan, DO);
    return {
      from,
      into,
      plan,
      stagingName: client.db('app2').collection(`${name}__tune_${plan.id}`),
    };
  }
  /** A shell for which the oplog reaches back no longer, from when it is told. */
  /** @param {{ isStart?: boolean }} [what] `isStart`: the beginning, too */
  function forgetful({ isStart = false } = {}) {
    const mine = contextOf(client);
    const { watch } = mine.port;
    const state = { lost: false };
    mine.port.watch = (...args) =>
      state.lost && (isStart || args[2].resumeAfter)
        ? {
            tryNext: async () => {
              throw LOST;
            },
            close: async () => undefined,
            resumeToken: null,
          }
        : watch(...args);
    return { mine, state };
  }

  it(
    'a copy that somebody dropped is missed before the source is cut off, also where a change ' +
      'made it again',
    async () => {
      const { from, into, plan, stagingName } = await begin();
      await stagingName.drop();
      await from.insertOne({ _id: 'later' });
      await assert.rejects(
        splitCutover(ctx, plan.id, ALONE),
        (error) =>
          error.code === 'TUNE-35005' &&
          /the copy, was dropped or replaced: tune\.split\.resume\("[^"]+", \{ restart: true, confirm: true \}\)/.test(
            error.message,
          ),
      );
      await from.insertOne({ _id: 'still taken' });
      await splitResume(ctx, plan.id, { restart: true, confirm: true });
      await splitCutover(ctx, plan.id, ALONE);
      assert.equal(await into.countDocuments(), 302);
    },
  );

  it('where a comparison found a difference it is not cut over', async () => {
    const { from, plan } = await begin();
    await client
      .db('tune')
      .collection('splits')
      .updateOne(
        { planId: plan.id },
        {
          $set: {
            verified: {
              at: new Date(),
              documents: 300,
              differences: 1,
              ids: [{ id: 7, where: 'both' }],
            },
          },
        },
      );
    await assert.rejects(splitCutover(ctx, plan.id, ALONE), { code: 'TUNE-35015' });
    const status = await splitStatus(ctx, plan.id);
    assert.match(
      String(status).replace(/\s+/g, ' '),
      /1 differ in \d+ documents?, \S+ \S+ UTC _id 7: differs/,
    );
    assert.equal(
      status.splits[0].next,
      `tune.split.verify("${plan.id}", { repair: true, confirm: true })`,
    );
    await from.insertOne({ _id: 'still taken' });
    await splitAbort(ctx, plan.id, DO);
  });

  it(
    'a stream that is lost after the cut: both sides are compared instead, and nothing of the ' +
      'last writes is missing',
    async () => {
      const { from, into, plan } = await begin();
      const { mine, state } = forgetful();
      const { adminCommand } = mine.port;
      mine.port.adminCommand = async (command) => {
        if (command.applyOps && !state.lost) {
          state.lost = true;
          await from.insertMany([{ _id: 'last' }, { _id: 'of all' }], {
            writeConcern: { w: 'majority' },
          });
          await from.deleteOne({ _id: 3 });
          await from.updateOne({ _id: 4 }, { $set: { a: 'changed' } });
        }
        return adminCommand(command);
      };
      assert.equal((await splitCutover(mine, plan.id, ALONE)).splits[0].phase, 'switched');
      assert.deepEqual(
        [
          await into.countDocuments(),
          await into.countDocuments({ _id: 3 }),
          (await into.findOne({ _id: 4 })).a,
        ],
        [301, 0, 'changed'],
      );
    },
  );

  it('a stream that is lost after the switch: everything is compared, and then it can be taken back', async () => {
    const { from, into, plan } = await begin();
    await splitCutover(ctx, plan.id, ALONE);
    await into.insertOne({ _id: 'new' });
    await into.deleteOne({ _id: 5 });
    const { mine, state } = forgetful({ isStart: true });
    state.lost = true;
    await assert.rejects(
      splitRollback(mine, plan.id, ALONE),
      (error) =>
        error.code === 'TUNE-35007' &&
        /after the cutover it compares all documents, and updates the old data/.test(error.message),
    );
    await into.insertOne({ _id: 'still taken' });
    const shown = await splitResume(ctx, plan.id, { restart: true });
    assert.match(
      shown.splits[0].does[0],
      /are compared, and documents that differ are copied to the old data/,
    );
    assert.equal(
      (await splitResume(ctx, plan.id, { restart: true, confirm: true })).splits[0].verified
        .repaired,
      3,
    );
    await splitRollback(ctx, plan.id, ALONE);
    assert.deepEqual(
      [
        await from.countDocuments(),
        await from.countDocuments({ _id: { $in: ['new', 'still taken'] } }),
        await from.countDocuments({ _id: 5 }),
      ],
      [301, 2, 0],
    );
  });

  it('after Ctrl-C nobody waits for the end of an index build; who resumes does', async () => {
    number += 1;
    const [from, into] = ['app', 'app2'].map((db) => client.db(db).collection(`c${number}`));
    await from.createIndex({ a: 1 });
    await from.insertMany(Array.from({ length: 300 }, (_, i) => ({ _id: i, a: i })));
    const plan = await planOf(client, {
      moves: [{ ns: `app.c${number}`, into: `app2.c${number}` }],
    });
    const hang = (mode) =>
      client.db('admin').command({ configureFailPoint: 'hangAfterStartingIndexBuild', mode });
    const stop = new AbortController();
    await hang('alwaysOn');
    try {
      const running = splitRun(contextOf(client, { signal: stop.signal }), plan, DO);
      await until(
        async () =>
          (
            await client
              .db('admin')
              .aggregate([
                { $currentOp: { allUsers: true } },
                { $match: { 'command.createIndexes': { $regex: '__tune_' } } },
              ])
              .toArray()
          ).length > 0,
      );
      stop.abort();
      await assert.rejects(
        running,
        (error) =>
          error.code === 'TUNE-30009' && /was interrupted \(indexing\)/.test(error.message),
      );
    } finally {
      await hang('off');
    }
    assert.equal((await splitResume(ctx, plan.id, { confirm: true })).splits[0].phase, 'following');
    await splitCutover(ctx, plan.id, ALONE);
    assert.deepEqual(
      (await into.indexes()).map(({ name }) => name),
      ['_id_', 'a_1'],
    );
  });

  it('an election while it begins is nothing: what failed is done again', async () => {
    number += 1;
    await client.db('app').collection(`c${number}`).insertOne({ _id: 1 });
    const plan = await planOf(client, {
      moves: [{ ns: `app.c${number}`, into: `app2.c${number}` }],
    });
    const mine = contextOf(client);
    const { command } = mine.port;
    const failed = new Set();
    mine.port.command = async (database, spec) => {
      const what = ['createIndexes', 'insert', 'findAndModify'].find(
        (name) => spec[name] === 'splits',
      );
      const answer = await command(database, spec);
      if (!what || failed.has(what)) return answer;
      failed.add(what);
      throw Object.assign(new Error('operation was interrupted'), {
        name: 'MongoWriteConcernError',
        code: 11602,
      });
    };
    assert.equal((await splitRun(mine, plan, DO)).splits[0].phase, 'following');
    assert.equal(failed.size, 3);
    await splitAbort(ctx, plan.id, DO);
  });

  it('whoever stays brings over what is written until Ctrl-C, and says up to when', async () => {
    const { from, plan, stagingName } = await begin();
    const stop = new AbortController();
    const mine = contextOf(client, { signal: stop.signal });
    const { command } = mine.port;
    const owners = new Set();
    mine.port.command = async (database, spec) => {
      const answer = await command(database, spec);
      const lease =
        spec.findAndModify && Array.isArray(spec.update) ? spec.update[0].$set.lease : null;
      if (lease) owners.add(lease.owner.$literal);
      return answer;
    };
    const staying = splitResume(mine, plan.id, { follow: true, confirm: true });
    await from.insertOne({ _id: 'meanwhile' });
    await until(async () => (await stagingName.countDocuments({ _id: 'meanwhile' })) === 1);
    // It resumes with one lease, and stays with another.
    await until(() => owners.size === 2);
    const now = new Date();
    await until(async () => (await splitStatus(ctx, plan.id)).splits[0].broughtOverAt > now);
    assert.match(String(await splitStatus(ctx, plan.id)), /IN USE {7}by/);
    stop.abort();
    assert.equal((await staying).splits[0].phase, 'following');
    assert.match(
      String(await splitStatus(ctx, plan.id)).replace(/\s+/g, ' '),
      /writes to app\.\w+ until .* UTC are in the copy; tune\.split\.cutover\(\) applies later writes if the oplog still holds them the oplog reaches back to /,
    );
    await splitAbort(ctx, plan.id, DO);
  });
});
