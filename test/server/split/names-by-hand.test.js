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
const { diesAfter, endLease, useSet, withoutOplog } = require('../../support/split');
const { resumeSplit } = require('../../../lib/split/resume');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const MAJORITY = Object.freeze({ writeConcern: { w: /** @type {const} */ ('majority') } });
const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });
/** @type {any} */ const LATER = Object.freeze({ _id: 'later' });
const FIRST = /** @type {any} */ ({ _id: 5 });

/** Another session renames source or copy by hand while no shell, or one that fails, has the split. */
describe('a split whose names another session changes by hand', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {string} db @param {string} name */
  const collection = (db, name) => client.db(db).collection(name);

  /** The shell dies once it has saved this phase. @param {any} split @param {any} command @param {string} phase */
  async function endsAt(split, command, phase) {
    await assert.rejects(command(diesAfter(client, phase), split.id, ALONE));
    await endLease(client, split.id);
    const record = await split.read();
    assert.equal(record.phase, phase);
    return record;
  }

  const RUNS = Object.freeze({
    forward: { command: splitCutover, phase: 'cutting', drains: 'draining', switches: 'switching' },
    back: {
      command: splitRollback,
      phase: 'cutting-back',
      drains: 'draining-back',
      switches: 'switching-back',
    },
  });

  for (const way of /** @type {const} */ (['forward', 'back']))
    it(`writes at the name of a cut that is undone later arrive (${way})`, async () => {
      const { command, phase, drains } = RUNS[way];
      const split = await beginSplit(client, ctx, { switched: way === 'back' });
      const stop = new AbortController();
      const shell = contextOf(client, { signal: stop.signal });
      let isRenamed = false;
      const mine = throughHands(shell, async (send, spec) => {
        const isNext = !isRenamed && JSON.stringify(spec).includes('mongosh_tune_asks');
        const record = isNext ? await split.read() : null;
        if (record?.phase === phase) {
          isRenamed = true;
          const { db } = way === 'forward' ? record.from : record.into;
          const aside = way === 'forward' ? record.from.renamedTo : record.into.stagingName;
          await collection(db, split.name).rename(aside);
          await collection(db, aside).insertOne(LATER, MAJORITY);
          await collection(db, aside).updateOne(FIRST, { $set: { a: 'newer' } }, MAJORITY);
        }
        const answer = await send();
        if (spec.update?.$set?.phase === drains) stop.abort();
        return answer;
      });
      await assert.rejects(command(mine, split.id, ALONE), { code: 'TUNE-30009' });
      assert.ok(isRenamed);
      await command(ctx, split.id, ALONE);
      const to = way === 'forward' ? split.into : split.from;
      assert.equal(await to.countDocuments(LATER), 1);
      assert.equal((await to.findOne(FIRST)).a, 'newer');
      assert.deepEqual((await split.read()).undoneCuts, []);
    });

  for (const way of /** @type {const} */ (['forward', 'back']))
    it(`a cut that was undone and done again behind the drain is read again (${way})`, async () => {
      const { command, switches } = RUNS[way];
      const split = await beginSplit(client, ctx, { switched: way === 'back' });
      const record = await endsAt(split, command, switches);
      await undoByHand(client, record);
      const active = way === 'forward' ? split.from : split.into;
      await active.insertOne(LATER, MAJORITY);
      await active.rename(way === 'forward' ? record.from.renamedTo : record.into.stagingName);
      const again =
        way === 'forward' ? splitResume(ctx, split.id, RESUME) : command(ctx, split.id, ALONE);
      await assert.rejects(again, { code: 'TUNE-35005' });
      // It was undone: what was written is there.
      assert.equal(await active.countDocuments(LATER), 1);
      assert.deepEqual(await takesWrites(client, split.name), [way === 'forward' ? 'app' : 'app2']);
    });

  for (const way of /** @type {const} */ (['forward', 'back']))
    it(`a cut that was undone, and done again by way of another name, is not passed over (${way})`, async () => {
      const { command, drains } = RUNS[way];
      const split = await beginSplit(client, ctx, { switched: way === 'back' });
      const record = await endsAt(split, command, drains);
      const active = way === 'forward' ? split.from : split.into;
      await undoByHand(client, record);
      await active.insertOne(LATER, MAJORITY);
      await active.rename('elsewhere');
      await collection(active.dbName, 'elsewhere').rename(
        way === 'forward' ? record.from.renamedTo : record.into.stagingName,
      );
      await assert.rejects(command(ctx, split.id, ALONE), { code: 'TUNE-35005' });
      assert.equal(await active.countDocuments(LATER), 1);
      assert.deepEqual(await takesWrites(client, split.name), [way === 'forward' ? 'app' : 'app2']);
    });

  it('a write at the name of the cut behind the drain of a shell that died arrives', async () => {
    const split = await beginSplit(client, ctx);
    const { from } = await endsAt(split, splitCutover, 'switching');
    await collection('app', from.renamedTo).insertOne(LATER, MAJORITY);
    await splitResume(ctx, split.id, RESUME);
    assert.equal(await split.into.countDocuments(LATER), 1);
  });

  for (const way of /** @type {const} */ (['forward', 'back']))
    it(`a document deleted while a cut was undone, then switched by hand: it does not count as done (${way})`, async () => {
      const { command, switches } = RUNS[way];
      const split = await beginSplit(client, ctx, { switched: way === 'back' });
      const record = await endsAt(split, command, switches);
      const [active, other] =
        way === 'forward' ? [split.from, split.into] : [split.into, split.from];
      await undoByHand(client, record);
      await active.deleteOne(FIRST, MAJORITY);
      await active.rename(`${split.name}_elsewhere`);
      await finishByHand(client, record);
      const again = () =>
        way === 'forward' ? splitResume(ctx, split.id, RESUME) : command(ctx, split.id, ALONE);
      await assert.rejects(again(), { code: 'TUNE-35004', message: /1 document of .*_elsewhere/ });
      assert.equal((await split.read()).phase, switches);
      await other.deleteOne(FIRST, MAJORITY);
      await again();
      assert.equal((await split.read()).phase, way === 'forward' ? 'switched' : 'rolled-back');
    });

  it('where both names take writes, no command says that the data was moved', async () => {
    const split = await beginSplit(client, ctx);
    const record = await endsAt(split, splitCutover, 'switching');
    await undoByHand(client, record);
    await split.from.insertOne(LATER, MAJORITY);
    await finishByHand(client, record);
    await assert.rejects(splitResume(ctx, split.id, RESUME), (/** @type {any} */ error) => {
      assert.equal(error.code, 'TUNE-35004');
      assert.match(error.message, /both take writes\. Stop its writers\. What was written to app2/);
      assert.doesNotMatch(error.message, /drop it/);
      return true;
    });
    assert.equal((await split.read()).phase, 'switching');
  });

  /**
   * A cut is undone and done again by hand behind the drain; then the copy gets its name by hand.
   * @param {'forward' | 'back'} way @param {boolean} isWritten @param {string} [other] name meanwhile
   */
  async function switchedByHand(way, isWritten, other) {
    const { command, switches } = RUNS[way];
    const split = await beginSplit(client, ctx, { switched: way === 'back' });
    const record = await endsAt(split, command, switches);
    const { db, name, aside, copy, to } =
      way === 'forward'
        ? {
            ...record.from,
            aside: record.from.renamedTo,
            to: record.into,
            copy: record.into.stagingName,
          }
        : {
            ...record.into,
            aside: record.into.stagingName,
            to: record.from,
            copy: record.from.renamedTo,
          };
    if (other) await collection(db, aside).rename(other);
    else await undoByHand(client, record);
    const active = collection(db, other ?? name);
    if (isWritten) await active.updateOne(FIRST, { $set: { a: 'newer' } }, MAJORITY);
    await active.rename(aside);
    await finishByHand(client, record);
    return {
      split,
      switches,
      again: () => splitResume(ctx, split.id, RESUME),
      back: () => collection(to.db, to.name).rename(copy),
    };
  }

  for (const way of /** @type {const} */ (['forward', 'back']))
    for (const other of [undefined, 'elsewhere']) {
      it(`a write before a cut and a switch by hand is not lost (${way}, ${other ?? 'its name'})`, async () => {
        const { split, switches, again, back } = await switchedByHand(way, true, other);
        const abort = () => splitAbort(ctx, split.id, ALONE);
        for (const run of way === 'forward' ? [again, abort] : [again]) {
          await assert.rejects(run(), (/** @type {any} */ error) => {
            assert.equal(error.code, 'TUNE-35004', error.message);
            assert.match(error.message, / 1 document (that|of) .* is not the same in /);
            assert.ok(error.waitsForPerson);
            return true;
          });
          assert.equal((await split.read()).phase, switches);
        }
        // What is printed leads to the data with that write.
        await back();
        await again().catch(({ code }) => assert.equal(code, 'TUNE-35005'));
        const [db] = await takesWrites(client, split.name);
        assert.equal((await collection(db, split.name).findOne(FIRST))?.a, 'newer');
      });

      it(`without a write it was moved (${way}, ${other ?? 'its name'})`, async () => {
        const { split, again } = await switchedByHand(way, false, other);
        await again();
        assert.equal((await split.read()).phase, way === 'forward' ? 'switched' : 'rolled-back');
      });
    }

  for (const isWritten of [true, false])
    it(`where the oplog has lost it, everything is compared (${isWritten ? 'a' : 'no'} write)`, async () => {
      const { split } = await switchedByHand('forward', isWritten);
      const mine = withoutOplog(contextOf(client));
      await split.into.insertOne(LATER);
      const resumed = splitResume(mine, split.id, RESUME);
      if (!isWritten) await resumed;
      else {
        await assert.rejects(resumed, / is not the same in .*; which is newer is not/);
        assert.equal((await split.read()).phase, 'switching');
        const whole = [{ $merge: { into: { db: 'app2', coll: split.name } } }];
        await (await split.renamedTo()).aggregate(whole).toArray();
        await splitResume(mine, split.id, RESUME);
      }
      assert.equal((await split.read()).phase, 'switched');
    });

  it('an abort does not complete a switch once an abort had reopened the source', async () => {
    const split = await beginSplit(client, ctx);
    await endsAt(split, splitCutover, 'switching');
    let isGone = false;
    const mine = throughHands(contextOf(client), async (send, spec, db) => {
      isGone ||=
        db === 'app2' &&
        spec.listCollections &&
        (await takesWrites(client, split.name))[0] === 'app';
      if (isGone) throw new Error('the shell is gone');
      return send();
    });
    await assert.rejects(splitAbort(mine, split.id, ALONE));
    await endLease(client, split.id);
    const record = await split.read();
    assert.equal(record.phase, 'aborting');
    await split.from.insertOne(LATER, MAJORITY);
    await split.from.rename(record.from.renamedTo);
    await finishByHand(client, record);
    await assert.rejects(splitAbort(ctx, split.id, ALONE), { code: 'TUNE-35004' });
    await assert.rejects(splitFinish(ctx, split.id, { confirm: true, open: false }));
    assert.equal(await collection('app', record.from.renamedTo).countDocuments(LATER), 1);
  });

  it('an abort gives TTL indexes their times back where the cut was undone by hand', async () => {
    const indexes = [[{ t: 1 }, { expireAfterSeconds: 7200 }]];
    const split = await beginSplit(client, ctx, { indexes });
    await undoByHand(client, await endsAt(split, splitCutover, 'draining'));
    await splitAbort(ctx, split.id, ALONE);
    const found = await split.from.indexes();
    assert.deepEqual(
      found.map((/** @type {any} */ one) => one.expireAfterSeconds),
      [undefined, 7200],
    );
  });

  it('an abort without the source frees its name', async () => {
    const split = await beginSplit(client, ctx);
    const { from } = await endsAt(split, splitCutover, 'draining');
    await collection('app', from.renamedTo).drop();
    await splitAbort(ctx, split.id, { ...ALONE, keepCopy: true });
    assert.deepEqual(await client.db('app').listCollections({ name: split.name }).toArray(), []);
  });

  it('a rollback without the data of the target leaves no second name that takes writes', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    const { from } = await split.read();
    await split.into.drop();
    await split.into.insertOne(LATER, MAJORITY);
    await split.from.drop();
    await collection('app', from.renamedTo).rename(split.name);
    await assert.rejects(splitRollback(ctx, split.id, { ...ALONE, lost: true }), {
      code: 'TUNE-35004',
    });
    assert.equal((await split.read()).phase, 'switched');
  });

  it('what waits for a person is not gone on with by a guardian', async () => {
    const split = await beginSplit(client, ctx);
    const record = await endsAt(split, splitCutover, 'draining');
    await finishByHand(client, record);
    await assert.rejects(resumeSplit(ctx, split.id, new Set([record.lease?.owner])), {
      waitsForPerson: true,
    });
  });
});
