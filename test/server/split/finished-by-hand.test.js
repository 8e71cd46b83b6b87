'use strict';

const assert = require('node:assert/strict');
const {
  ALONE,
  BEFORE,
  beginSplit,
  finishByHand,
  takesWrites,
  undoByHand,
} = require('../../support/begun-split');
const { throughHands } = require('../../support/beside');
const { diesAfter, endLease, useSet } = require('../../support/split');
const { typedIn } = require('../../support/typed');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitStatus } = require('../../../lib/commands/split-status');

const MAJORITY = Object.freeze({ writeConcern: { w: /** @type {const} */ ('majority') } });
const RENAME = /db\.getSiblingDB.*renameCollection\("[^"]*"\)/;
const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });
const words = (/** @type {unknown} */ answer) => String(answer).replace(/\s+/g, ' ');
/** @type {any} */ const LAST = Object.freeze({ _id: 'last' });

/** Another session ends a cut by hand before the last writes were applied. */
describe('a cut that another session finished by hand', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /**
   * Its shell dies before the drain, with a write that is not applied; then the other name gets its
   * collection.
   * @param {any} split @param {'forward' | 'reverse'} way
   */
  async function endsByHand(split, way) {
    const [command, phase] =
      way === 'forward' ? [splitCutover, 'draining'] : [splitRollback, 'draining-back'];
    let isWritten = false;
    const mine = throughHands(diesAfter(client, phase), async (send, spec) => {
      const isLate = JSON.stringify(spec).includes('mongosh_tune_asks') && !isWritten;
      const { phase: now } = isLate ? await split.read() : {};
      if (['cutting', 'cutting-back'].includes(now)) {
        isWritten = true;
        await (way === 'forward' ? split.from : split.into).insertOne(LAST, MAJORITY);
      }
      return send();
    });
    await assert.rejects(command(mine, split.id, ALONE));
    await endLease(client, split.id);
    const record = await split.read();
    assert.equal(record.phase, phase);
    assert.ok(isWritten);
    await finishByHand(client, record);
  }

  it('a run that is typed again does not cut off what a dead shell was about to', async () => {
    const split = await beginSplit(client, ctx);
    const mine = diesAfter(client, 'cutting');
    await assert.rejects(splitCutover(mine, split.id, ALONE));
    await endLease(client, split.id);
    assert.equal((await split.read())?.phase, 'cutting');
    await assert.rejects(splitRun(ctx, split.plan, { confirm: true }), { code: 'TUNE-35010' });
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
    await splitResume(ctx, split.id, RESUME);
    assert.deepEqual(await takesWrites(client, split.name), ['app2']);
  });

  /** @param {any} split @param {Promise<any>} command that names the rename back */
  async function isRefused(split, command) {
    const { phase } = await split.read();
    const error = await command.then(
      () => null,
      (failed) => failed,
    );
    assert.equal(error?.code, 'TUNE-35004', error?.message);
    assert.equal((await split.read()).phase, phase);
    await endLease(client, split.id);
    return RENAME.exec(error.message)?.[0] ?? assert.fail(error.message);
  }

  it('abort does not count it as a cutover', async () => {
    const split = await beginSplit(client, ctx);
    await endsByHand(split, 'forward');
    const call = await isRefused(split, splitAbort(ctx, split.id, ALONE));
    await typedIn(client, call);
    await splitAbort(ctx, split.id, ALONE);
    assert.equal(await split.from.countDocuments(), BEFORE + 1);
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
  });

  it('resume names the rename back, and then applies the last writes', async () => {
    const split = await beginSplit(client, ctx);
    await endsByHand(split, 'forward');
    await typedIn(client, await isRefused(split, splitResume(ctx, split.id, RESUME)));
    await splitResume(ctx, split.id, RESUME);
    assert.deepEqual(await takesWrites(client, split.name), ['app2']);
    assert.equal(await split.into.countDocuments(LAST), 1);
  });

  it('a rollback, too', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    await endsByHand(split, 'reverse');
    const call = await isRefused(split, splitRollback(ctx, split.id, ALONE));
    await isRefused(split, splitResume(ctx, split.id, RESUME));
    await typedIn(client, call);
    await splitRollback(ctx, split.id, ALONE);
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
    assert.equal(await split.from.countDocuments(LAST), 1);
  });

  for (const way of /** @type {const} */ (['forward', 'reverse']))
    it(`status says it, and what to do (${way})`, async () => {
      const split = await beginSplit(client, ctx, { switched: way === 'reverse' });
      await endsByHand(split, way);
      const shown = await splitStatus(ctx, split.id);
      const text = words(shown);
      assert.match(text, /Another session renamed \S+ to \S+ before it had all writes to \S+\./);
      assert.match(text, /stop the writers of app2?\.\w+, and save what was written there/);
      const [row] = shown.splits;
      assert.equal(row.endedEarly, 'copy');
      await typedIn(client, row.copyCall ?? assert.fail(text));
      assert.equal((await split.status()).endedEarly, undefined);
      await typedIn(client, row.next, ctx);
      const to = way === 'forward' ? split.into : split.from;
      assert.equal(await to.countDocuments(LAST), 1);
    });

  it('what another session made under the name of the copy is named, and what comes first', async () => {
    const split = await beginSplit(client, ctx);
    await endsByHand(split, 'forward');
    await assert.rejects(splitResume(ctx, split.id, RESUME), { code: 'TUNE-35004' });
    await endLease(client, split.id);
    const { into } = await split.read();
    const stray = client.db(into.db).collection(into.stagingName);
    await stray.insertOne(LAST);
    const [row] = (await splitStatus(ctx, split.id)).splits;
    const error = await splitResume(ctx, split.id, RESUME).then(assert.fail, (failed) => failed);
    const calls = error.message.match(/db\.getSiblingDB\("\w+"\)\.\w+\("\w+"\)\.\w+\("\w+"\)/g);
    assert.equal(calls.length, 2, error.message);
    assert.match(error.message, /\(another session created it\), then db/);
    assert.deepEqual([row.freeFirst, row.copyCall], calls);
    for (const call of calls) await typedIn(client, call);
    await splitResume(ctx, split.id, RESUME);
    assert.equal(await split.into.countDocuments(), BEFORE + 1);
    assert.equal(await client.db(into.db).collection(`${split.name}_other`).countDocuments(), 1);
  });

  it('status says that both names take writes', async () => {
    const split = await beginSplit(client, ctx);
    await assert.rejects(splitCutover(diesAfter(client, 'switching'), split.id, ALONE));
    await endLease(client, split.id);
    const record = await split.read();
    await undoByHand(client, record);
    await finishByHand(client, record);
    assert.match(
      words(await splitStatus(ctx, split.id)),
      /app\.\w+ and app2\.\w+ both take writes/,
    );
  });

  it('abort, where the source is gone: the target stays, and finish ends it', async () => {
    const split = await beginSplit(client, ctx);
    await endsByHand(split, 'forward');
    const { from } = await split.read();
    await client.db(from.db).collection(from.renamedTo).drop();
    await assert.rejects(splitAbort(ctx, split.id, ALONE), { code: 'TUNE-35010' });
    assert.equal((await split.read()).phase, 'switched');
    await assert.rejects(splitResume(ctx, split.id, RESUME), {
      code: 'TUNE-35005',
      message: /the old data, was dropped or replaced/,
    });
    await splitFinish(ctx, split.id, { confirm: true, open: false });
    assert.equal(await split.into.countDocuments(), BEFORE);
  });

  for (const [way, next] of /** @type {const} */ ([
    ['forward', 'resume'],
    ['forward', 'abort'],
    ['reverse', 'resume'],
  ]))
    it(`after the last writes, ${way}, then ${next}: what expires does so again`, async () => {
      const split = await beginSplit(client, ctx, {
        switched: way === 'reverse',
        indexes: [[{ t: 1 }, { expireAfterSeconds: 7200 }]],
      });
      const [command, phase] =
        way === 'forward' ? [splitCutover, 'switching'] : [splitRollback, 'switching-back'];
      const mine = diesAfter(client, phase);
      await assert.rejects(command(mine, split.id, ALONE));
      await endLease(client, split.id);
      const record = await split.read();
      await finishByHand(client, record);
      const to = way === 'forward' ? record.into : record.from;
      if (next === 'resume') await splitResume(ctx, split.id, RESUME);
      else await assert.rejects(splitAbort(ctx, split.id, ALONE), { code: 'TUNE-35010' });
      const indexes = await client.db(to.db).collection(to.name).indexes();
      assert.deepEqual(
        indexes.flatMap(({ expireAfterSeconds: one }) => one ?? []),
        [7200],
      );
    });
});
