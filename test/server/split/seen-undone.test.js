'use strict';

const assert = require('node:assert/strict');
const {
  ALONE,
  beginSplit,
  finishByHand,
  takesWrites,
  undoByHand,
} = require('../../support/begun-split');
const { throughHands } = require('../../support/beside');
const { contextOf } = require('../../support/context');
const { startServer } = require('../../support/server');
const {
  diesAfter,
  endLease,
  mortalContext,
  planOf,
  useSet,
  withoutOplog,
} = require('../../support/split');
const { sleep } = require('../../../lib/base/context');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRun } = require('../../../lib/commands/split-run');

const MAJORITY = Object.freeze({ writeConcern: { w: /** @type {const} */ ('majority') } });
const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });
/** @type {any} */ const LATER = Object.freeze({ _id: 'later' });

const asksForLock = (/** @type {any} */ { applyOps }) =>
  JSON.stringify(applyOps ?? '').includes('mongosh_tune_asks_whether');

/**
 * A shell in whose switch another session acts once, right before a command.
 * @param {any} client
 * @param {{ isAt?: boolean, at?: (spec: any) => boolean, act: () => Promise<unknown> }} how `isAt`: it
 *   begins there; `at`: which command: the first that asks for the lock
 */
function actedOn(client, { isAt = false, at = asksForLock, act }) {
  const state = { isAt, isDone: false };
  return throughHands(contextOf(client), async (send, spec) => {
    if (state.isAt && !state.isDone && at(spec)) {
      state.isDone = true;
      await act();
    }
    const answer = await send();
    state.isAt ||= spec.update?.$set?.phase === 'switching';
    return answer;
  });
}

describe('a cut that another session changes, as the switch sees', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {any} split */
  async function writeUndone(split) {
    const record = await split.read();
    await undoByHand(client, record);
    await split.from.insertOne(LATER, MAJORITY);
    await split.from.rename(record.from.renamedTo);
  }

  /** The data that was cut off takes a write under a name of which no event is read. @param {any} split */
  async function writeUnseen(split) {
    const { from } = await split.read();
    const named = (/** @type {string} */ name) => client.db('app').collection(name);
    await named(from.renamedTo).rename(`${split.name}_x`);
    await named(`${split.name}_x`).insertOne(LATER, MAJORITY);
    await named(`${split.name}_x`).rename(from.renamedTo);
  }

  /** @param {any} split */
  async function copiedAgain(split) {
    await assert.rejects(splitCutover(ctx, split.id, ALONE), { code: 'TUNE-35005' });
    await splitResume(ctx, split.id, { ...RESUME, restart: true });
    await splitCutover(ctx, split.id, ALONE);
  }

  /** @param {any} split */
  async function comparedFirst(split) {
    await splitCutover(ctx, split.id, ALONE);
    assert.equal((await split.read()).phase, 'switched');
  }

  for (const indexes of /** @type {[object, object?][][]} */ ([
    [[{ a: 1 }]],
    [[{ at: 1 }, { expireAfterSeconds: 1e6 }]],
  ]))
    it(`written to elsewhere, and the copy has its name: it is compared (${JSON.stringify(indexes[0])})`, async () => {
      const split = await beginSplit(client, ctx, { indexes });
      const mine = actedOn(client, {
        act: async () => {
          await writeUnseen(split);
          await finishByHand(client, await split.read());
        },
      });
      await assert.rejects(splitCutover(mine, split.id, ALONE), {
        code: 'TUNE-35004',
        message: /1 document of .*; which is newer is not known/,
      });
      assert.equal((await split.read()).phase, 'switching');
    });

  for (const [what, code, change, then] of /** @type {const} */ ([
    ['undone, written and done again', 'TUNE-35005', writeUndone, copiedAgain],
    ['written under another name', 'TUNE-35015', writeUnseen, comparedFirst],
  ]))
    it(`${what} right before the step: nothing is switched`, async () => {
      const split = await beginSplit(client, ctx);
      const mine = actedOn(client, {
        at: ({ insert }) => insert === 'fences',
        act: () => change(split),
      });
      await assert.rejects(splitCutover(mine, split.id, ALONE), { code });
      assert.deepEqual(await takesWrites(client, split.name), ['app']);
      assert.equal(await split.from.countDocuments(LATER), 1);
      await then(split);
      assert.equal(await split.into.countDocuments(LATER), 1);
    });

  for (const [what, code, isOf] of /** @type {[string, string, (stream: any) => boolean][]} */ ([
    ['is', 'TUNE-35007', ({ resumeAfter }) => resumeAfter !== undefined],
    ['stays', 'TUNE-35007', () => true],
  ]))
    it(`undone, written and done again once the oplog ${what} lost and all is compared: nothing is switched`, async () => {
      const split = await beginSplit(client, ctx);
      const mine = actedOn(client, { act: () => writeUndone(split) });
      withoutOplog(
        mine,
        async (stream) => isOf(stream) && /^(draining|switching)$/.test((await split.read()).phase),
      );
      await assert.rejects(splitCutover(mine, split.id, ALONE), { code });
      assert.deepEqual(await takesWrites(client, split.name), ['app']);
      assert.notEqual((await split.read()).phase, 'switched');
    });

  for (const phase of ['draining', 'switching'])
    it(`renamed after a shell died in its cut: an abort names the way back (${phase})`, async () => {
      const split = await beginSplit(client, ctx);
      await assert.rejects(splitCutover(diesAfter(client, phase), split.id, ALONE));
      await endLease(client, split.id);
      const elsewhere = client.db('app').collection(`${split.name}_x`);
      await (await split.renamedTo()).rename(elsewhere.collectionName);
      const { renamedTo } = (await split.read()).from;
      const refused = { code: 'TUNE-35005', message: new RegExp(`"${renamedTo}"\\), then retry`) };
      await assert.rejects(splitAbort(ctx, split.id, ALONE), refused);
      assert.equal((await split.read()).phase, phase);
      await elsewhere.insertOne(LATER, MAJORITY);
      await elsewhere.rename(renamedTo);
      await splitAbort(ctx, split.id, ALONE);
      assert.equal(await split.from.countDocuments(LATER), 1);
    });

  it('renamed after a shell died behind its cut: the next one gives the cut no new name', async () => {
    const split = await beginSplit(client, ctx);
    const dies = mortalContext(client, (spec) => spec.update?.$set?.phase === 'draining');
    await assert.rejects(splitCutover(dies, split.id, ALONE));
    await endLease(client, split.id);
    const { phase, from } = await split.read();
    assert.equal(phase, 'cutting');
    const elsewhere = client.db('app').collection(`${split.name}_x`);
    await (await split.renamedTo()).rename(elsewhere.collectionName);
    await assert.rejects(splitResume(ctx, split.id, RESUME), { code: 'TUNE-35005' });
    assert.equal((await split.read()).from.renamedTo, from.renamedTo);
    await elsewhere.rename(from.renamedTo);
    await assert.rejects(splitResume(ctx, split.id, RESUME), { code: 'TUNE-35015' });
    await splitCutover(ctx, split.id, ALONE);
    assert.deepEqual(await takesWrites(client, split.name), ['app2']);
  });

  it('a document of the copy that is repaired while the last writes take long: it is switched', async () => {
    const split = await beginSplit(client, ctx);
    await split.from.updateOne({ _id: 5 }, { $set: { a: 'new' } }, MAJORITY);
    let isDone = false;
    const mine = throughHands(contextOf(client), async (send, spec) => {
      const record =
        isDone || spec.update?.$set?.undoneCuts === undefined ? null : await split.read();
      if (record?.phase === 'draining') {
        isDone = true;
        const copy = client.db('app2').collection(record.into.stagingName);
        await copy.updateOne({ _id: 5 }, { $set: { a: 'altered' } });
        await sleep(1_200, new AbortController().signal);
      }
      return send();
    });
    await splitCutover(mine, split.id, ALONE);
    assert.ok(isDone);
    assert.equal((await split.into.findOne({ _id: 5 })).a, 'new');
  });

  it('renamed, then written and renamed back: the next cutover compares everything', async () => {
    const split = await beginSplit(client, ctx);
    const elsewhere = client.db('app').collection(`${split.name}_x`);
    const mine = actedOn(client, {
      act: async () => (await split.renamedTo()).rename(elsewhere.collectionName),
    });
    await assert.rejects(splitCutover(mine, split.id, ALONE), {
      code: 'TUNE-35005',
      message: new RegExp(
        `to app.${elsewhere.collectionName}, where it may take writes.*renameCollection.*all documents`,
      ),
    });
    const { renamedTo } = (await split.read()).from;
    await assert.rejects(splitResume(ctx, split.id, RESUME), {
      code: 'TUNE-35005',
      message: new RegExp(`renameCollection\\("${renamedTo}"\\)`),
    });
    assert.equal((await split.read()).from.renamedTo, renamedTo);
    await elsewhere.insertOne(LATER, MAJORITY);
    await elsewhere.rename((await split.read()).from.renamedTo);
    await assert.rejects(splitResume(ctx, split.id, RESUME), { code: 'TUNE-35015' });
    assert.equal(await split.from.countDocuments(LATER), 1);
    await splitCutover(ctx, split.id, ALONE);
    assert.equal(await split.into.countDocuments(LATER), 1);
  });
});

describe('a cut on a standalone server that another session undoes, as the switch sees', function () {
  this.timeout(120_000);
  /** @type {Awaited<ReturnType<typeof startServer>>} */ let server;
  before(async () => {
    server = await startServer();
  });
  after(() => server?.stop());

  it('and does again by hand: everything is compared', async () => {
    const { client } = server;
    const [from, into] = ['app', 'app2'].map((db) => client.db(db).collection('c'));
    await from.insertMany(/** @type {any[]} */ (Array.from({ length: 50 }, (_, _id) => ({ _id }))));
    const plan = await planOf(client, {
      moves: [{ ns: 'app.c', into: 'app2.c' }],
      mode: 'offline',
    });
    await assert.rejects(splitRun(diesAfter(client, 'switching'), plan, { confirm: true }));
    await endLease(client, plan.id);
    const read = () => client.db('tune').collection('splits').findOne({ planId: plan.id });
    const mine = actedOn(client, {
      isAt: true,
      act: async () => {
        await undoByHand(client, await read());
        await from.insertOne(LATER);
      },
    });
    await assert.rejects(splitResume(mine, plan.id, RESUME), { code: 'TUNE-35005' });
    await from.rename((await read())?.from.renamedTo);
    await splitResume(contextOf(client), plan.id, RESUME);
    assert.equal(await into.countDocuments(LATER), 1);
  });
});
