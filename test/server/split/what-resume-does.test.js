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
const { diesAfter, endLease, useSet } = require('../../support/split');
const { typedIn } = require('../../support/typed');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitStatus } = require('../../../lib/commands/split-status');

const MAJORITY = Object.freeze({ writeConcern: { w: /** @type {const} */ ('majority') } });
const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });
/** @type {any} */ const ONE = Object.freeze({ _id: 50 });
/** @type {any} */ const LATER = Object.freeze({ _id: 'later' });
const RENAME = /db\.getSiblingDB.*?renameCollection\("[^"]*"\)/;
const RESTARTS =
  /; tune\.split\.resume\([^)]*\) asks for a restart, after which the copy has what app/;
const APPLIES =
  /; tune\.split\.resume\([^)]*\) applies what app2?\.\w+ has, also over newer documents/;
const COMPARES =
  / has its collection, \w+ not saved yet .* (resume|rollback) first compares what was written to/;

/** A shell died in a cut; another session wrote to the source, and gave the copy its name. */
describe('what a refused resume says that the next one does', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {'forward' | 'reverse'} way @param {'draining' | 'switching'} stage */
  async function left(way, stage) {
    const split = await beginSplit(client, ctx, { switched: way === 'reverse' });
    const [command, phase, active, to] = /** @type {const} */ (
      way === 'forward'
        ? [splitCutover, stage, split.from, split.into]
        : [splitRollback, `${stage}-back`, split.into, split.from]
    );
    await assert.rejects(command(diesAfter(client, phase), split.id, ALONE));
    await endLease(client, split.id);
    const record = await split.read();
    const cutName = way === 'forward' ? record.from.renamedTo : record.into.stagingName;
    return { split, record, active, to, cutName };
  }

  /** @param {any} split @param {RegExp} said types the rename that the error names */
  async function isRefused(split, said) {
    const { message } = await splitResume(ctx, split.id, RESUME).then(
      assert.fail,
      (error) => error,
    );
    assert.match(message, said);
    await endLease(client, split.id);
    await typedIn(client, RENAME.exec(message)?.[0] ?? assert.fail(message));
  }

  for (const way of /** @type {const} */ (['forward', 'reverse'])) {
    for (const [what, stage, isAgain] of /** @type {const} */ ([
      ['undone', 'draining', false],
      ['undone', 'switching', false],
      ['undone and done again', 'switching', true],
    ]))
      it(`${way}, ${stage}, the cut ${what}: it asks for a restart`, async () => {
        const { split, record, active, to, cutName } = await left(way, stage);
        await undoByHand(client, record);
        await active.insertOne(LATER, MAJORITY);
        if (isAgain) await active.rename(cutName);
        await finishByHand(client, record);
        await isRefused(split, RESTARTS);
        const { message } = await splitResume(ctx, split.id, RESUME).then(assert.fail, (e) => e);
        assert.match(message, /35005.*\{ restart: true, confirm: true \}/);
        await splitResume(ctx, split.id, { ...RESUME, restart: true });
        const { into, from } = await split.read();
        const copy = way === 'forward' ? into.stagingName : from.renamedTo;
        assert.equal(await to.db.collection(copy).countDocuments(), BEFORE + 1);
      });

    /** Under a name that no event shows. */
    async function writtenUnseen() {
      const all = await left(way, 'switching');
      const { active, cutName, record, split } = all;
      await active.db.collection(cutName).rename('elsewhere');
      await active.db.collection('elsewhere').updateOne(ONE, { $set: { a: 'newer' } }, MAJORITY);
      await active.db.collection('elsewhere').rename(cutName);
      await finishByHand(client, record);
      await assert.rejects(splitResume(ctx, split.id, RESUME), {
        code: 'TUNE-35004',
        message: / 1 document of .*; which is newer is not known\. Write the right one to both, /,
      });
      return all;
    }

    it(`${way}, a write under a name that no event shows: once both have it, it is done`, async () => {
      const { split, to } = await writtenUnseen();
      await to.updateOne(ONE, { $set: { a: 'newer' } }, MAJORITY);
      await splitResume(ctx, split.id, RESUME);
      assert.equal((await split.read()).phase, way === 'forward' ? 'switched' : 'rolled-back');
    });

    it(`${way}, the same, where the copy loses its name again: everything is compared`, async () => {
      const { split, active, to } = await writtenUnseen();
      const { from, into } = await split.read();
      await to.rename(way === 'forward' ? into.stagingName : from.renamedTo);
      await assert.rejects(splitResume(ctx, split.id, RESUME), { code: 'TUNE-35015' });
      assert.deepEqual(await takesWrites(client, split.name), [active.dbName]);
      await (way === 'forward' ? splitCutover : splitRollback)(ctx, split.id, ALONE);
      assert.equal((await to.findOne(ONE))?.a, 'newer');
    });

    it(`${way}, a write to the renamed source: status says that resume compares, and it applies it`, async () => {
      const { split, record, active, to, cutName } = await left(way, 'switching');
      assert.equal((await split.status()).unsaved, undefined);
      await active.db.collection(cutName).insertOne(LATER, MAJORITY);
      await finishByHand(client, record);
      const shown = await splitStatus(ctx, split.id);
      assert.match(String(shown).replace(/\s+/g, ' '), COMPARES);
      assert.equal(shown.splits[0].unsaved, true);
      await isRefused(split, APPLIES);
      await splitResume(ctx, split.id, RESUME);
      assert.equal(await to.countDocuments(LATER), 1);
    });
  }

  it('the same without a write: it is done', async () => {
    const { split, record } = await left('forward', 'switching');
    await finishByHand(client, record);
    const shown = await splitStatus(ctx, split.id);
    assert.match(String(shown).replace(/\s+/g, ' '), COMPARES);
    await typedIn(client, shown.splits[0].next, ctx);
    assert.equal((await split.read()).phase, 'switched');
  });

  it('an abort that was left: it continues', async () => {
    const { split } = await left('forward', 'draining');
    await assert.rejects(splitAbort(diesAfter(client, 'aborting'), split.id, ALONE));
    await endLease(client, split.id);
    await finishByHand(client, await split.read());
    await isRefused(split, /; tune\.split\.abort\([^)]*\) continues\./, splitAbort);
    await splitAbort(ctx, split.id, ALONE);
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
  });
});
