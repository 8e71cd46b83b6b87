'use strict';

const assert = require('node:assert/strict');
const { ALONE, finishByHand, takesWrites, undoByHand } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { startServer } = require('../../support/server');
const { diesAfter, endLease, planOf } = require('../../support/split');
const { typedIn } = require('../../support/typed');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');

const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });
const RESTART = Object.freeze({ ...RESUME, restart: true });
/** @type {any} */ const LATER = Object.freeze({ _id: 'later' });
const SECONDS = 100_000;
const RENAME = /db\.getSiblingDB.*?renameCollection\("[^"]*"\)/;
const AGAIN =
  /^\[TUNE-35005\] .* rename.* tune\.split\.resume\(".*", \{ restart: true, confirm: true \}\)/;

/** Without a stream of changes only a new copy, or a comparison, has what is written meanwhile. */
describe('a split of a standalone server whose cut another session undid by hand', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startServer>>} */ let server;
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  before(async () => {
    server = await startServer();
    client = server.client;
    ctx = contextOf(client);
  });
  after(() => server?.stop());

  /** @param {string} id */
  const readOf = (id) => client.db('tune').collection('splits').findOne({ planId: id });
  let number = 0;
  /** @param {string} phase that its shell dies behind */
  async function undone(phase) {
    number += 1;
    const name = `o${number}`;
    const [from, into] = ['app', 'app2'].map((db) => client.db(db).collection(name));
    await from.insertMany(Array.from({ length: 100 }, (_, i) => ({ _id: i, a: i })));
    await from.createIndex({ at: 1 }, { expireAfterSeconds: SECONDS });
    const plan = await planOf(client, {
      moves: [{ ns: `app.${name}`, into: `app2.${name}` }],
      mode: 'offline',
    });
    await assert.rejects(splitRun(diesAfter(client, phase), plan, { confirm: true }));
    await endLease(client, plan.id);
    const record = await readOf(plan.id);
    assert.equal(record.phase, phase);
    await undoByHand(client, record);
    await from.insertOne(LATER);
    return { id: plan.id, name, from, into, aside: record.from.renamedTo };
  }
  /** @param {any} collection */
  const secondsOf = async (collection) => (await collection.indexes())[1].expireAfterSeconds;

  for (const phase of ['created', 'copying', 'indexing', 'switching']) {
    it(`${phase}: the restart that the error names makes a new copy`, async () => {
      const split = await undone(phase);
      for (let times = 0; times < 2; times += 1)
        await assert.rejects(splitResume(ctx, split.id, RESUME), { message: AGAIN });
      assert.deepEqual(await takesWrites(client, split.name), ['app']);
      await splitResume(ctx, split.id, RESTART);
      assert.deepEqual(await takesWrites(client, split.name), ['app2']);
      assert.equal(await split.into.countDocuments(LATER), 1);
      assert.equal(await secondsOf(split.into), SECONDS);
    });

    it(`${phase}: done again by hand instead, everything is compared`, async () => {
      const split = await undone(phase);
      await assert.rejects(splitResume(ctx, split.id, RESUME), { message: AGAIN });
      await split.from.insertOne({ _id: 'last' });
      await split.from.deleteOne({ _id: 7 });
      await split.from.rename(split.aside);
      await splitResume(ctx, split.id, RESUME);
      assert.deepEqual(await takesWrites(client, split.name), ['app2']);
      assert.equal(await split.into.countDocuments({ _id: { $in: ['later', 'last'] } }), 2);
      assert.equal(await split.into.countDocuments({ _id: 7 }), 0);
    });
  }

  it('done again by hand, and the copy has its name: it does not count as moved', async () => {
    const split = await undone('switching');
    await assert.rejects(splitResume(ctx, split.id, RESUME), { message: AGAIN });
    await split.from.insertOne({ _id: 'last' });
    await split.from.rename(split.aside);
    await finishByHand(client, await readOf(split.id));
    await assert.rejects(splitResume(ctx, split.id, RESUME), { code: 'TUNE-35004' });
    await assert.rejects(splitAbort(ctx, split.id, ALONE), { code: 'TUNE-35004' });
    assert.equal((await readOf(split.id)).phase, 'switching');
  });

  /** @param {any} split @param {Promise<any>} command @param {RegExp} said types the rename of the error */
  async function isRefused(split, command, said) {
    const { code, message } = await command.then(assert.fail, (error) => error);
    assert.equal(code, 'TUNE-35004', message);
    assert.match(message, said);
    await endLease(client, split.id);
    await typedIn(client, RENAME.exec(message)?.[0] ?? assert.fail(message));
  }

  for (const isInDoubt of [false, true])
    it(`the copy has its name, too${isInDoubt ? ', in doubt' : ''}: the error says that a restart is next`, async () => {
      const split = await undone('switching');
      if (isInDoubt) await assert.rejects(splitResume(ctx, split.id, RESUME), { message: AGAIN });
      await finishByHand(client, await readOf(split.id));
      await isRefused(split, splitResume(ctx, split.id, RESUME), /\) asks for a restart, after/);
      await assert.rejects(splitResume(ctx, split.id, RESUME), { message: AGAIN });
      await splitResume(ctx, split.id, RESTART);
      assert.equal(await split.into.countDocuments(LATER), 1);
    });

  it('done again by hand, the copy has its name: the error says that the source is applied', async () => {
    const split = await undone('switching');
    await assert.rejects(splitResume(ctx, split.id, RESUME), { message: AGAIN });
    await split.from.rename(split.aside);
    await finishByHand(client, await readOf(split.id));
    const [row] = (await splitStatus(ctx, split.id)).splits;
    assert.deepEqual([row.endedEarly, row.unsaved], ['copy', undefined]);
    await isRefused(
      split,
      splitResume(ctx, split.id, RESUME),
      /\) applies what app\.\w+ has, also/,
    );
    await splitResume(ctx, split.id, RESUME);
    assert.equal(await split.into.countDocuments(LATER), 1);
  });

  it('renamed elsewhere after a write: it is not switched', async () => {
    const split = await undone('switching');
    const elsewhere = `${split.name}_old`;
    await split.from.rename(elsewhere);
    for (let times = 0; times < 2; times += 1)
      await assert.rejects(splitResume(ctx, split.id, RESUME), { message: AGAIN });
    assert.deepEqual(await takesWrites(client, split.name), []);
    await client.db('app').collection(elsewhere).rename(split.name);
    await splitResume(ctx, split.id, RESTART);
    assert.equal(await split.into.countDocuments(LATER), 1);
  });

  it('renamed elsewhere after a write, and the copy has its name: it does not count as moved', async () => {
    const split = await undone('switching');
    await split.from.rename(`${split.name}_old`);
    await finishByHand(client, await readOf(split.id));
    const advice = String(await splitStatus(ctx, split.id)).replace(/\s+/g, ' ');
    assert.match(advice, /resume first compares what was written/);
    const refused = {
      code: 'TUNE-35004',
      message: / 1 document of app\.\w+_old is not the same in /,
    };
    await assert.rejects(splitResume(ctx, split.id, RESUME), refused);
    await assert.rejects(splitAbort(ctx, split.id, ALONE), refused);
    assert.equal((await readOf(split.id)).phase, 'switching');
  });

  it('done again by way of another name, everything is compared', async () => {
    const split = await undone('switching');
    const elsewhere = `${split.name}_old`;
    await split.from.rename(elsewhere);
    await assert.rejects(splitResume(ctx, split.id, RESUME), { message: AGAIN });
    await client.db('app').collection(elsewhere).rename(split.aside);
    await splitResume(ctx, split.id, RESUME);
    assert.equal(await split.into.countDocuments(LATER), 1);
  });

  it('the copy has its name, and nothing was undone: status says that resume saves it', async () => {
    const split = await undone('switching');
    await split.from.rename(split.aside);
    await finishByHand(client, await readOf(split.id));
    const shown = await splitStatus(ctx, split.id);
    assert.match(String(shown).replace(/\s+/g, ' '), /: resume saves the cutover as done\./);
    await typedIn(client, shown.splits[0].next, ctx);
    assert.equal((await readOf(split.id)).phase, 'switched');
  });

  it('an abort where the copy has its name: the error says that resume continues with it', async () => {
    const split = await undone('indexing');
    await split.from.rename(split.aside);
    await finishByHand(client, await readOf(split.id));
    await split.into.insertOne({ _id: 'in the copy' });
    await isRefused(split, splitAbort(ctx, split.id, ALONE), /\) continues with the copy as it is/);
    await splitResume(ctx, split.id, RESUME);
    assert.equal(await split.into.countDocuments({ _id: 'in the copy' }), 1);
  });

  it('an abort gives the expiry back', async () => {
    const split = await undone('copying');
    await splitAbort(ctx, split.id, ALONE);
    assert.equal(await secondsOf(split.from), SECONDS);
  });
});
