'use strict';

const assert = require('node:assert/strict');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { printedCalls } = require('../../support/printed');
const { endLease, mortalContext, useSet } = require('../../support/split');
const { typedIn } = require('../../support/typed');

const DO = Object.freeze({ confirm: true });
const LOST = Object.freeze({ confirm: true, lost: true });
const MAJORITY = Object.freeze({ writeConcern: { w: 'majority' } });
const RENAME = /db\.getSiblingDB\("\w+"\)\.getCollection\("\w+"\)\.renameCollection\("\w+"\)/;

describe('what status says of names that other sessions changed', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });
  const typed = (/** @type {string} */ call) => typedIn(client, call);
  const joined = (/** @type {unknown} */ answer) => String(answer).replace(/\n\s*/g, '');

  it('a second split of the same names: the row of the first one does not touch its target', async () => {
    const first = await beginSplit(client, ctx, { switched: true });
    const { id, second, into, name } = first;
    await splitRollback(ctx, id, ALONE);
    await splitRun(ctx, second, DO);
    const check = async (/** @type {string} */ other) => {
      const answer = await splitStatus(ctx, id);
      const [row] = answer.splits;
      assert.deepEqual([row.blockCall, row.renameTo, row.nameTaken], [null, null, null]);
      assert.doesNotMatch(joined(answer), RENAME);
      assert.doesNotMatch(joined(answer), /is blocked|Another session/);
      assert.equal(row.movedBy, other);
    };
    await splitCutover(ctx, second.id, ALONE);
    await into.insertOne({ _id: 'acknowledged' }, MAJORITY);
    await check(`${second.id}:app.${name}`);
    await splitFinish(ctx, second.id, DO);
    await check(`${second.id}:app.${name}`);
    await splitFinish(ctx, id, DO);
    assert.equal(await into.countDocuments(), BEFORE + 1);
    assert.equal((await first.read()).phase, 'finished');
  });

  it('the target dropped: the one call that helps, and the errors of the others name it', async () => {
    const { id, from, into, name } = await beginSplit(client, ctx, { switched: true });
    await into.drop();
    const answer = await splitStatus(ctx, id);
    assert.equal(answer.splits[0].gone, 'target');
    assert.doesNotMatch(String(answer), /connect the application|resume|finish\(/);
    assert.match(joined(answer), /tune\.split\.rollback\("[^"]+", \{ lost: true \}\)/);
    assert.match(String(await splitFinish(ctx, id, {})), /Refused/);
    for (const fails of [() => splitResume(ctx, id, ALONE), () => splitRollback(ctx, id, ALONE)])
      await assert.rejects(
        fails,
        ({ code, message }) =>
          code === 'TUNE-35005' && message.includes('lost: true') && !message.includes('restart'),
      );
    const back = await splitRollback(ctx, id, LOST);
    assert.deepEqual([back.splits[0].kept, await from.countDocuments()], [null, BEFORE]);
    assert.equal((await splitStatus(ctx, id)).splits[0].kept, null);
    assert.doesNotMatch(String(back), /KEPT|finish\(\) drops/);
    assert.deepEqual(await takesWrites(client, name), ['app']);
  });

  for (const isTaken of [false, true])
    it(`the target dropped, the old data renamed${isTaken ? ', its name taken' : ''}: the error says what to rename`, async () => {
      const { id, from, into, renamedTo } = await beginSplit(client, ctx, { switched: true });
      const old = await renamedTo();
      await old.rename(`${from.collectionName}_theirs`);
      if (isTaken) await client.db('app').collection(old.collectionName).insertOne({ x: 1 });
      await into.drop();
      const refused = await splitRollback(ctx, id, LOST).catch((/** @type {any} */ error) => error);
      assert.equal(refused.code, 'TUNE-35005');
      const calls = printedCalls(refused.message).filter((call) => /renameCollection/.test(call));
      assert.equal(calls.length, isTaken ? 2 : 1);
      for (const call of calls) await typed(call);
      await splitRollback(ctx, id, LOST);
      assert.equal(await from.countDocuments(), BEFORE);
    });

  for (const isBack of [false, true])
    it(`${isBack ? 'the target' : 'the source'} renamed and renamed back: the error names a copy from the beginning`, async () => {
      const split = await beginSplit(client, ctx, { switched: isBack });
      const { id, name } = split;
      const db = client.db(isBack ? 'app2' : 'app');
      await db.collection(name).rename(`${name}_x`);
      await db.collection(`${name}_x`).insertOne({ _id: 'meanwhile' }, MAJORITY);
      await db.collection(`${name}_x`).rename(name);
      const verb = isBack ? splitRollback : splitCutover;
      const refused = await verb(ctx, id, ALONE).catch((/** @type {any} */ error) => error);
      const call = `tune.split.resume("${id}", { restart: true, confirm: true })`;
      assert.ok(printedCalls(refused.message).includes(call), refused.message);
      await typedIn(client, call, ctx);
      await verb(ctx, id, ALONE);
      assert.equal(await (isBack ? split.from : split.into).countDocuments(), BEFORE + 1);
    });

  it('the target renamed: its name is said', async () => {
    const { id, into, name } = await beginSplit(client, ctx, { switched: true });
    await into.rename(`${name}_elsewhere`);
    const [row] = (await splitStatus(ctx, id)).splits;
    assert.deepEqual([row.gone, row.renamedAs], [null, `app2.${name}_elsewhere`]);
  });

  it('before the cutover: the view at the target dropped, and a collection made there', async () => {
    const { id, from, into, name } = await beginSplit(client, ctx);
    assert.equal((await splitStatus(ctx, id)).splits[0].viewInPlace, true);
    await into.drop();
    await into.insertOne({ _id: 'stray' }, MAJORITY);
    const answer = await splitStatus(ctx, id);
    assert.deepEqual([answer.splits[0].viewInPlace, answer.splits[0].nameTaken], [false, true]);
    await typed(joined(answer).match(RENAME)?.[0] ?? '');
    await typed(String(answer.splits[0].blockCall));
    assert.equal((await splitStatus(ctx, id)).splits[0].viewInPlace, true);
    assert.deepEqual(await takesWrites(client, name), ['app']);
    await splitCutover(ctx, id, ALONE);
    assert.equal((await from.findOne().catch(({ code }) => code)) ?? null, 241);
  });

  it('after an abort that blocks the target on: the view dropped there', async () => {
    const { id, into } = await beginSplit(client, ctx);
    const dies = mortalContext(
      client,
      (spec) => spec.findAndModify && spec.update?.$set?.phase === 'switching',
    );
    await assert.rejects(splitCutover(dies, id, ALONE));
    await endLease(client, id);
    await splitAbort(ctx, id, { keepCopy: false, ...ALONE });
    assert.equal((await splitStatus(ctx, id)).splits[0].viewInPlace, true);
    await into.drop();
    const [{ viewInPlace, blockCall }] = (await splitStatus(ctx, id)).splits;
    assert.equal(viewInPlace, false);
    await typed(String(blockCall));
    assert.equal((await splitStatus(ctx, id)).splits[0].viewInPlace, true);
  });

  it('a view of another user: its definition, and a call that makes it ours without a drop', async () => {
    const { id, from, name } = await beginSplit(client, ctx, { switched: true });
    await from.drop();
    await client.db('app').createCollection(name, { viewOn: 'x', pipeline: [{ $limit: 1 }] });
    const answer = await splitStatus(ctx, id);
    const [{ otherView, blockCall }] = answer.splits;
    assert.equal(otherView, `db.getSiblingDB("app").createView("${name}", "x", [{ $limit: 1 }])`);
    assert.doesNotMatch(joined(answer), RENAME);
    await typed(String(blockCall));
    await assert.rejects(from.findOne(), { code: 241 });
    await from.drop();
    await from.insertOne({ _id: 'own' });
    await assert.rejects(typed(String(blockCall)));
  });

  it('a second collection of others gets a name that is free', async () => {
    const { id, from, name } = await beginSplit(client, ctx, { switched: true });
    for (const renamed of [`${name}_other`, `${name}_other_2`]) {
      await from.drop();
      await from.insertOne({ _id: 'stray' });
      const answer = await splitStatus(ctx, id);
      assert.equal(answer.splits[0].renameTo, renamed);
      await typed(joined(answer).match(RENAME)?.[0] ?? '');
      await typed(String(answer.splits[0].blockCall));
    }
  });

  it('the old data renamed to the old name: it gets the name back that it had', async () => {
    const { id, from, read } = await beginSplit(client, ctx, { switched: true });
    const { renamedTo } = (await read()).from;
    await from.drop();
    await client.db('app').collection(renamedTo).rename(from.collectionName);
    const answer = await splitStatus(ctx, id);
    const [{ renameTo, ownData }] = answer.splits;
    assert.deepEqual([renameTo, ownData], [renamedTo, true]);
    assert.doesNotMatch(joined(answer), /\$merge/);
  });

  it('an abort that keeps the copy, the source dropped: what it says, and where the copy is', async () => {
    const { id, from, read } = await beginSplit(client, ctx);
    await from.drop();
    assert.equal((await splitStatus(ctx, id)).splits[0].gone, 'source');
    const answers = [
      await splitAbort(ctx, id, { keepCopy: true, ...ALONE }),
      await splitStatus(ctx, id),
      await splitStatus(ctx, undefined),
    ];
    const { stagingName } = (await read()).into;
    for (const answer of answers) {
      assert.ok(joined(answer).includes(stagingName), String(answer));
      assert.doesNotMatch(joined(answer).slice(0, 300), /has all data/);
    }
    await client.db('app2').collection(stagingName).drop();
    assert.equal((await splitStatus(ctx, id)).splits[0].kept, null);
  });
});
