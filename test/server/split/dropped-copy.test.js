'use strict';

/** Another session dropped or renamed the collection that follows the active one. */
const assert = require('node:assert/strict');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { run: splitVerify } = require('../../../lib/commands/split-verify');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { printedCalls } = require('../../support/printed');
const { useSet } = require('../../support/split');
const { typedIn } = require('../../support/typed');

const MAJORITY = Object.freeze({ writeConcern: { w: 'majority' } });

describe('the copy or the old data is dropped by another session', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  const typed = (/** @type {string} */ call) => typedIn(client, call, ctx);
  const words = (/** @type {unknown} */ answer) => String(answer).replace(/\s+/g, ' ');
  const nameOf = (/** @type {any} */ call) => call.match(/^tune\.split\.(\w+)/)?.[1] ?? 'rename';
  const copyOf = async (/** @type {any} */ { read }) =>
    client.db('app2').collection((await read()).into.stagingName);

  for (const reads of /** @type {const} */ (['refused', 'view']))
    it(`the old data dropped (reads: ${reads}): no way back is printed, and finish ends it`, async () => {
      const split = await beginSplit(client, ctx);
      const { id, name, from, into, renamedTo } = split;
      await splitCutover(ctx, id, { ...ALONE, reads });
      await (await renamedTo()).drop();
      await into.insertOne({ _id: 'new' }, MAJORITY);
      const answer = await splitStatus(ctx, id);
      assert.doesNotMatch(
        words(answer),
        /kept for a rollback|are in the old data|KEPT|are allowed/,
      );
      const [{ kept, nextBack, copyGone }] = answer.splits;
      assert.deepEqual([kept, nextBack, copyGone], [null, null, true]);
      const calls = printedCalls(answer);
      assert.deepEqual(calls.map(nameOf), [...(reads === 'view' ? ['rename'] : []), 'finish']);
      for (const call of calls) {
        const done = await typed(call);
        assert.doesNotMatch(words(done), /is dropped/);
        if (done?.confirm) await typed(done.confirm);
        assert.equal(await from.findOne().catch((/** @type {any} */ { code }) => code), 241);
      }
      assert.equal((await split.read()).phase, 'finished');
      assert.deepEqual(await takesWrites(client, name), ['app2']);
      assert.equal(await into.countDocuments(), BEFORE + 1);
    });

  for (const what of ['nothing', 'a view of another user'])
    it(`old data that answered reads dropped, and ${what} at its old name: the printed view refuses`, async () => {
      const { id, name, from, renamedTo } = await beginSplit(client, ctx);
      await splitCutover(ctx, id, { ...ALONE, reads: 'view' });
      await from.drop();
      if (what !== 'nothing') await client.db('app').createCollection(name, { viewOn: 'own' });
      await (await renamedTo()).drop();
      await typed(String((await splitStatus(ctx, id)).splits[0].blockCall));
      assert.equal(await from.findOne().catch((/** @type {any} */ { code }) => code), 241);
      assert.equal((await splitStatus(ctx, id)).splits[0].viewInPlace, true);
    });

  it('what fails because the old data is gone does not make it anew', async () => {
    const { id, into, renamedTo } = await beginSplit(client, ctx, { switched: true });
    const old = await renamedTo();
    await old.drop();
    await into.insertOne({ _id: /** @type {any} */ (null) }, MAJORITY);
    await into.createIndex({ z: 1 });
    await into.insertMany([{ _id: 'new' }, { _id: 'newer' }], MAJORITY);
    for (const fails of [
      () => splitResume(ctx, id, { ...ALONE, restart: false }),
      () => splitResume(ctx, id, { ...ALONE, restart: true }),
      () => splitVerify(ctx, id, { repair: true, confirm: true }),
      () => splitRollback(ctx, id, ALONE),
    ]) {
      await assert.rejects(fails, { code: 'TUNE-35005' });
      const { collectionName: name } = old;
      assert.deepEqual(await client.db('app').listCollections({ name }).toArray(), []);
    }
  });

  it('the old data renamed: the printed call gives it its name back, and a rollback works', async () => {
    const { id, from, renamedTo } = await beginSplit(client, ctx, { switched: true });
    await (await renamedTo()).rename('theirs');
    const answer = await splitStatus(ctx, id);
    assert.equal(answer.splits[0].copyRenamedAs, 'app.theirs');
    const calls = printedCalls(answer);
    assert.deepEqual(calls.map(nameOf), ['rename', 'finish']);
    await typed(calls[0]);
    await splitRollback(ctx, id, ALONE);
    assert.equal(await from.countDocuments(), BEFORE);
  });

  for (const verb of ['resume', 'abort'])
    it(`the staging copy dropped: the printed ${verb} works`, async () => {
      const split = await beginSplit(client, ctx);
      await splitVerify(ctx, split.id, {});
      await (await copyOf(split)).drop();
      const answer = await splitStatus(ctx, split.id);
      assert.doesNotMatch(words(answer), /the cutover|are in the copy|no difference/);
      assert.equal(answer.splits[0].copyGone, true);
      const calls = printedCalls(answer);
      assert.deepEqual(calls.map(nameOf), ['resume', 'abort']);
      assert.equal(calls[0], answer.splits[0].next);
      const done = await typed(calls.find((call) => nameOf(call) === verb) ?? '');
      if (done?.confirm) await typed(done.confirm);
      const now = await splitStatus(ctx, split.id);
      assert.deepEqual(
        [now.splits[0].phase, now.splits[0].copyGone ?? false],
        [verb === 'resume' ? 'following' : 'aborted', false],
      );
      assert.deepEqual(await takesWrites(client, split.name), ['app']);
    });

  it('the staging copy renamed: the printed call gives it its name back', async () => {
    const split = await beginSplit(client, ctx);
    await (await copyOf(split)).rename('elsewhere');
    const calls = printedCalls(await splitStatus(ctx, split.id));
    assert.deepEqual(calls.map(nameOf), ['rename', 'resume', 'abort']);
    await typed(calls[0]);
    await splitCutover(ctx, split.id, ALONE);
    assert.equal(await split.into.countDocuments(), BEFORE);
  });

  it('the staging copy and the source dropped: the printed abort ends it', async () => {
    const split = await beginSplit(client, ctx);
    await (await copyOf(split)).drop();
    await split.from.drop();
    const answer = await splitStatus(ctx, split.id);
    assert.doesNotMatch(words(answer), /may be the only/);
    const [call] = printedCalls(answer);
    await typed((await typed(call)).confirm);
    assert.equal((await split.read()).phase, 'aborted');
    assert.deepEqual(await client.db('app2').listCollections({ name: split.name }).toArray(), []);
  });

  it('the same, and an abort without options: its error says that both are gone', async () => {
    const split = await beginSplit(client, ctx);
    await (await copyOf(split)).drop();
    await split.from.drop();
    /** @type {any} */ const error = await splitAbort(ctx, split.id, ALONE).catch((one) => one);
    assert.equal(error.code, 'TUNE-35017');
    assert.match(error.message, /its copy no longer exists either/);
    assert.doesNotMatch(error.message, /may be the only/);
    await typed(error.message.match(/tune\.split\.abort\([^)]*\)/)[0]);
    assert.equal((await split.read()).phase, 'aborted');
    assert.deepEqual(await client.db('app2').listCollections({ name: split.name }).toArray(), []);
  });

  it('the target and the old data dropped: the printed finish ends it', async () => {
    const { id, into, renamedTo, read } = await beginSplit(client, ctx, { switched: true });
    await (await renamedTo()).drop();
    await into.drop();
    const answer = await splitStatus(ctx, id);
    assert.doesNotMatch(words(answer), /may be the only|lost: true|connect/);
    const [call] = printedCalls(answer);
    await typed((await typed(call)).confirm);
    assert.equal((await read()).phase, 'finished');
  });
});
