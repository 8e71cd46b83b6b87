'use strict';

const assert = require('node:assert/strict');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { ALONE, beginSplit, takesWrites, undoByHand } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { endLease, mortalContext, useSet } = require('../../support/split');
const { typedIn } = require('../../support/typed');

const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });
/** Milliseconds. A step that is tried to the end takes 15 s and more. */
const AT_ONCE_MS = 10_000;

describe('what is said of names that another session changed', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {any} spec @param {string} phase */
  const saves = (spec, phase) => spec.update?.$set?.phase === phase;

  for (const [
    command,
    phase,
    switched,
    active,
  ] of /** @type {[any, string, boolean, string][]} */ ([
    [splitCutover, 'switching', false, 'app'],
    [splitRollback, 'switching-back', true, 'app2'],
  ]))
    it(`a cut undone by hand before ${phase}: status does not say that both names are blocked`, async () => {
      const split = await beginSplit(client, ctx, { switched });
      const mine = mortalContext(client, (spec) => saves(spec, phase));
      await assert.rejects(command(mine, split.id, ALONE));
      await endLease(client, split.id);
      assert.match(String(await splitStatus(ctx, split.id)), /BLOCKED/);
      await undoByHand(client, await split.read());
      assert.deepEqual(await takesWrites(client, split.name), [active]);
      const { blocked } = (await splitStatus(ctx, split.id)).splits[0];
      assert.equal(blocked, false);
      assert.doesNotMatch(String(await splitStatus(ctx, split.id)), /BLOCKED/);
    });

  for (const [command, phase, switched] of /** @type {[any, string, boolean][]} */ ([
    [splitCutover, 'switching', false],
    [splitRollback, 'switching-back', true],
  ]))
    for (const isLeft of [true, false])
      it(`a view of another session at the name that is cut off, before ${phase}: ${isLeft ? 'it leads on' : 'it is dropped'}`, async () => {
        const split = await beginSplit(client, ctx, { switched });
        const mine = mortalContext(client, (spec) => saves(spec, phase));
        await assert.rejects(command(mine, split.id, ALONE));
        await endLease(client, split.id);
        const db = client.db(switched ? 'app2' : 'app');
        await db.command({ collMod: split.name, viewOn: 'archive', pipeline: [] });
        const status = String(await splitStatus(ctx, split.id)).replace(/\s+/g, ' ');
        assert.match(status, /IS A VIEW of another session and takes no writes/);
        assert.doesNotMatch(status, /TAKES WRITES/);
        const { message } = await command(ctx, split.id, ALONE).catch((/** @type {any} */ e) => e);
        assert.match(message, /^\[TUNE-35004\] .* and a view of another session has the name/);
        assert.doesNotMatch(message, /takes writes|renameCollection|merge/);
        if (isLeft) await typedIn(client, /db\.getSiblingDB.*?\}\)/.exec(message)?.[0] ?? '');
        else await db.collection(split.name).drop();
        await command(ctx, split.id, ALONE);
        assert.deepEqual(await takesWrites(client, split.name), [switched ? 'app' : 'app2']);
      });

  for (const [command, phase, switched] of /** @type {[any, string, boolean][]} */ ([
    [splitCutover, 'switching', false],
    [splitRollback, 'switching-back', true],
  ]))
    it(`a view of another session at the other name, before ${phase}`, async () => {
      const split = await beginSplit(client, ctx, { switched });
      const mine = mortalContext(client, (spec) => saves(spec, phase));
      await assert.rejects(command(mine, split.id, ALONE));
      await endLease(client, split.id);
      const db = client.db(switched ? 'app' : 'app2');
      await db.command({ collMod: split.name, viewOn: 'archive', pipeline: [] });
      await assert.rejects(command(ctx, split.id, ALONE), {
        code: 'TUNE-35004',
        message:
          /is a view of another session\..* Drop app2?\.\w+ \(it cannot be renamed\), then retry the command\./,
      });
      await db.collection(split.name).drop();
      await command(ctx, split.id, ALONE);
    });

  it('a time series of another session at the name that is cut off is not to be renamed', async () => {
    const split = await beginSplit(client, ctx);
    const mine = mortalContext(client, (spec) => saves(spec, 'switching'));
    await assert.rejects(splitCutover(mine, split.id, ALONE));
    await split.from.drop();
    await client.db('app').createCollection(split.name, { timeseries: { timeField: 'at' } });
    const status = String(await splitStatus(ctx, split.id)).replace(/\s+/g, ' ');
    assert.match(
      status,
      /TAKES WRITES into a new time series outside the split: stop them, copy it and drop it/,
    );
    assert.doesNotMatch(status, /rename it/);
  });

  it('undone by hand right before the switch: that is said at once, with the way on', async () => {
    const split = await beginSplit(client, ctx);
    let isSaved = false;
    const mine = mortalContext(client, (spec) => {
      const isOver = isSaved;
      isSaved ||= saves(spec, 'switching');
      return isOver;
    });
    await assert.rejects(splitCutover(mine, split.id, ALONE));
    await endLease(client, split.id);
    await undoByHand(client, await split.read());
    const began = Date.now();
    await assert.rejects(splitResume(ctx, split.id, RESUME), {
      code: 'TUNE-35005',
      message: /restart: true, confirm: true/,
    });
    assert.ok(Date.now() - began < AT_ONCE_MS);
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
  });

  it('another collection has the name of the target when the cutover fails: it is not called blocked', async () => {
    const split = await beginSplit(client, ctx);
    const mine = contextOf(client);
    const { command } = mine.port;
    mine.port.command = async (database, spec) => {
      const answer = await command(database, spec);
      if (saves(spec, 'draining')) {
        await split.into.drop();
        await split.into.insertOne({});
      }
      return answer;
    };
    await assert.rejects(splitCutover(mine, split.id, ALONE), (/** @type {any} */ error) => {
      assert.equal(error.code, 'TUNE-35004');
      assert.match(
        error.message,
        /app2\.\w+ is not blocked: it is a collection of another session/,
      );
      assert.doesNotMatch(error.message, /blocked as before/);
      return true;
    });
    assert.deepEqual(await takesWrites(client, split.name), ['app', 'app2']);
  });

  it('the old data has its name again: finish names the rename, at once', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    const record = await split.read();
    const aside = record?.from.renamedTo;
    await split.from.drop();
    await client.db('app').collection(aside).rename(split.name);
    const dry = await splitFinish(ctx, split.id, { confirm: false, open: false });
    assert.match(
      String(dry).replace(/\s+/g, ' '),
      /Refused: app\.\w+ is the old data, which another session renamed/,
    );
    const began = Date.now();
    await assert.rejects(splitFinish(ctx, split.id, { confirm: true, open: false }), {
      code: 'TUNE-35004',
      message: new RegExp(`renameCollection\\("${aside}"\\)`),
    });
    assert.ok(Date.now() - began < AT_ONCE_MS);
    await split.from.rename(aside);
    await splitFinish(ctx, split.id, { confirm: true, open: false });
  });
});
