'use strict';

const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { diesAfter, endLease, mortalContext, planOf, useSet } = require('../../support/split');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');

const DO = Object.freeze({ confirm: true });
const LOST = Object.freeze({ confirm: true, lost: true });
const MAJORITY = Object.freeze({ writeConcern: { w: 'majority' } });

describe('a split of which others took something away', function () {
  this.timeout(120_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });
  const typesOf = async (db, name) =>
    (await client.db(db).listCollections({ name }).toArray()).map(({ type }) => type);

  /** A shell that fails in a phase, and dies before it has given the name back. */
  function dyingBefore(phase) {
    let reopens = false;
    const dying = mortalContext(client, (spec) => {
      if (spec.findAndModify && spec.update?.$set?.reopened) {
        reopens = true;
        return false;
      }
      return reopens && spec.findAndModify !== undefined;
    });
    const { command } = dying.port;
    dying.port.command = async (db, spec) => {
      if (spec.findAndModify && spec.update?.$set?.phase === phase)
        throw Object.assign(new Error('no'), { name: 'MongoServerError', code: 8000 });
      return command(db, spec);
    };
    dying.port.adminCommand = (spec) => dying.port.command('admin', spec);
    return dying;
  }

  it('the target database, while a rollback is to be undone: the old data gets its name', async () => {
    const { id, name, from, read } = await beginSplit(client, ctx, { switched: true });
    await assert.rejects(splitRollback(dyingBefore('switching-back'), id, ALONE));
    assert.equal((await read()).reopened.way, 'reverse');
    await client.db('app2').dropDatabase();
    await endLease(client, id);
    await assert.rejects(splitResume(ctx, id, DO), { code: 'TUNE-35005' });
    await endLease(client, id);
    await splitRollback(ctx, id, LOST);
    assert.deepEqual(await takesWrites(client, name), ['app']);
    assert.equal(await from.countDocuments(), BEFORE);
  });

  it('both databases, while a rollback is under way: it ends, and both names are free', async () => {
    const { id, name, read } = await beginSplit(client, ctx, { switched: true });
    await assert.rejects(splitRollback(diesAfter(client, 'draining-back'), id, ALONE));
    await endLease(client, id);
    const { from, into } = await read();
    await client.db('app').collection(from.renamedTo).drop();
    await client.db('app2').collection(into.stagingName).drop();
    const named = {
      message: new RegExp(`and the old data of app.${name}. .*lost: true.* ends the`),
    };
    await assert.rejects(splitRollback(ctx, id, ALONE), named);
    const [{ does }] = (await splitRollback(ctx, id, { lost: true })).splits;
    assert.match(does[0], /no longer exists: .* are freed, and the split ends/);
    await splitRollback(ctx, id, LOST);
    assert.equal((await read()).phase, 'finished');
    for (const db of ['app', 'app2']) assert.deepEqual(await typesOf(db, name), []);
  });

  it('the source database, while a cutover is to be undone: the copy can be kept', async () => {
    const { id, name, read } = await beginSplit(client, ctx);
    await assert.rejects(splitCutover(dyingBefore('switching'), id, ALONE));
    assert.equal((await read()).reopened.way, 'forward');
    await client.db('app').dropDatabase();
    await endLease(client, id);
    await splitAbort(ctx, id, { keepCopy: true, confirm: true });
    const { stagingName } = (await read()).into;
    assert.equal(await client.db('app2').collection(stagingName).countDocuments(), BEFORE);
    assert.deepEqual(await takesWrites(client, name), []);
  });

  it('the target, and applications made it anew: not both names are opened', async () => {
    const { id, name, from, into } = await beginSplit(client, ctx, { switched: true });
    await into.drop();
    await into.insertOne({ _id: 'since' }, MAJORITY);
    await assert.rejects(
      splitRollback(ctx, id, LOST),
      ({ code, message }) => code === 'TUNE-35004' && message.includes('renameCollection'),
    );
    assert.deepEqual(await takesWrites(client, name), ['app2']);
    await into.rename(`${name}_since`);
    await splitRollback(ctx, id, LOST);
    assert.deepEqual(await takesWrites(client, name), ['app']);
    assert.equal(await from.countDocuments(), BEFORE);
  });

  it('the source, after a rollback: finish leaves no view that refuses', async () => {
    const { id, name, from, read } = await beginSplit(client, ctx, { switched: true });
    await splitRollback(ctx, id, ALONE);
    await from.drop();
    await assert.rejects(splitFinish(ctx, id, DO), { code: 'TUNE-35017' });
    const { stagingName } = (await read()).into;
    await client.db('app2').collection(stagingName).rename(`${name}_kept`);
    await splitFinish(ctx, id, DO);
    assert.deepEqual(await typesOf('app2', name), []);
  });

  it('nothing: the old name can be opened after finish, too, until another split has it', async () => {
    const { id, name, from, into } = await beginSplit(client, ctx, { switched: true });
    await splitFinish(ctx, id, DO);
    assert.deepEqual(await typesOf('app', name), ['view']);
    await splitFinish(ctx, id, { open: true, confirm: true });
    assert.deepEqual(await typesOf('app', name), []);
    await from.insertOne({ _id: 'new' });
    await splitFinish(ctx, id, { open: true, confirm: true });
    assert.equal(await from.countDocuments(), 1);
    assert.equal(await into.countDocuments(), BEFORE);
  });

  it('a plan of which a part was taken in between is not carried out in part', async () => {
    for (const name of ['x', 'y']) await client.db('app').collection(name).insertOne({ _id: 1 });
    const move = (name) => ({ ns: `app.${name}`, into: `app2.${name}` });
    const [both, one] = [
      await planOf(client, { moves: [move('x'), move('y')] }),
      await planOf(client, { moves: [move('y')] }),
    ];
    const mine = contextOf(client);
    const { command } = mine.port;
    let other;
    mine.port.command = async (db, spec) => {
      if (spec.insert === 'splits' && spec.documents[0].source === 'app.y')
        await (other ??= splitRun(contextOf(client), one, DO));
      return command(db, spec);
    };
    await assert.rejects(splitRun(mine, both, DO), { code: 'TUNE-35002' });
    const splits = client.db('tune').collection('splits');
    assert.equal(await splits.countDocuments({ planId: both.id }), 0);
  });
});
