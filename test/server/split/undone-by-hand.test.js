'use strict';

const assert = require('node:assert/strict');
const { MongoNetworkError } = require('mongodb');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitVerify } = require('../../../lib/commands/split-verify');
const { ALONE, beginSplit, takesWrites, undoByHand } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { endLease, interruptedAt, mortalContext, useSet } = require('../../support/split');

const MAJORITY = Object.freeze({ writeConcern: { w: /** @type {const} */ ('majority') } });
const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });
const RESTART = Object.freeze({ ...RESUME, restart: true });
const AGAIN =
  /^\[TUNE-35005\] .* rename.* tune\.split\.resume\(".*", \{ restart: true, confirm: true \}\)/;
/** @type {any} */ const LATER = Object.freeze({ _id: 'later' });

/** Somebody undoes a cut while neither name takes writes; what is written then must not be missing. */
describe('a cut that another session undid by hand', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** @param {any} spec @param {string} phase */
  const saves = (spec, phase) => spec.update?.$set?.phase === phase;

  /** @param {any} split @param {any} command @param {string} phase that its shell dies saving */
  async function dies(split, command, phase, options = {}) {
    const mine = mortalContext(client, (spec) => saves(spec, phase));
    await assert.rejects(command(mine, split.id, { ...ALONE, ...options }));
    await endLease(client, split.id);
    assert.deepEqual(await takesWrites(client, split.name), []);
    await undoByHand(client, await split.read());
  }

  /** @param {any} collection */
  async function writeLater(collection) {
    await collection.insertOne(LATER, MAJORITY);
    await collection.updateOne({ _id: 5 }, { $set: { a: 'newer' } }, MAJORITY);
    await collection.deleteOne({ _id: 6 }, MAJORITY);
  }

  /** @param {any} collection */
  const hasAll = async (collection) =>
    assert.deepEqual(
      [
        await collection.countDocuments(LATER),
        (await collection.findOne({ _id: 5 })).a,
        await collection.countDocuments({ _id: 6 }),
      ],
      [1, 'newer', 0],
    );

  /**
   * A shell of which another session renames the source to the name of the cut, before it has the
   * lock.
   * @param {any} split
   * @param {{ phase: string, db: string }} when
   * @param {(renamed: any) => Promise<unknown>} act what it does then
   */
  function rightBeforeTheLock(split, { phase, db }, act) {
    const mine = contextOf(client);
    const { command: send } = mine.port;
    let isDone = false;
    mine.port.command = async (database, /** @type {any} */ spec, ...more) => {
      const isProbe = spec.applyOps && JSON.stringify(spec).includes('mongosh_tune_asks');
      const record = !isDone && isProbe ? await split.read() : null;
      if (record?.phase === phase) {
        isDone = true;
        const aside = db === 'app' ? record.from.renamedTo : record.into.stagingName;
        await client.db(db).collection(split.name).rename(aside);
        await act(client.db(db).collection(aside));
      }
      return send(database, spec, ...more);
    };
    mine.port.adminCommand = (spec) => mine.port.command('admin', spec);
    return mine;
  }

  for (const [phase, options] of /** @type {[string, object][]} */ ([
    ['draining', {}],
    ['switching', {}],
    ['switching', { reads: 'view' }],
  ]))
    it(`before ${phase} was saved ${JSON.stringify(options)}: the next command asks for a new copy`, async () => {
      const split = await beginSplit(client, ctx);
      await dies(split, splitCutover, phase, options);
      await writeLater(split.from);
      await assert.rejects(splitResume(ctx, split.id, RESUME), { message: AGAIN });
      assert.deepEqual(await takesWrites(client, split.name), ['app']);
      await assert.rejects(splitCutover(ctx, split.id, ALONE), { message: AGAIN });
      await splitResume(ctx, split.id, RESTART);
      await splitCutover(ctx, split.id, ALONE);
      assert.deepEqual(await takesWrites(client, split.name), ['app2']);
      await hasAll(split.into);
    });

  it('a rollback: the next command asks for a comparison of everything', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    await dies(split, splitRollback, 'switching-back');
    await writeLater(split.into);
    await assert.rejects(splitRollback(ctx, split.id, ALONE), { message: AGAIN });
    assert.deepEqual(await takesWrites(client, split.name), ['app2']);
    await splitResume(ctx, split.id, RESTART);
    await splitRollback(ctx, split.id, ALONE);
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
    await hasAll(split.from);
  });

  it('a guardian leaves it alone, and what is written then is not passed over by a repair', async () => {
    const split = await beginSplit(client, ctx);
    await dies(split, splitCutover, 'switching');
    await writeLater(split.from);
    await assert.rejects(splitResume(ctx, split.id, { ...RESUME, guardian: true }), {
      message: AGAIN,
    });
    await assert.rejects(splitVerify(ctx, split.id, { repair: true, confirm: true }), {
      message: AGAIN,
    });
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
  });

  it('while the shell that cut it off goes on', async () => {
    const split = await beginSplit(client, ctx);
    const mine = contextOf(client);
    const { command } = mine.port;
    let isDone = false;
    mine.port.command = async (database, spec) => {
      const answer = await command(database, spec);
      if (!isDone && saves(spec, 'draining')) {
        isDone = true;
        await undoByHand(client, await split.read());
        await writeLater(split.from);
      }
      return answer;
    };
    await assert.rejects(splitCutover(mine, split.id, ALONE), { message: AGAIN });
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
    await splitResume(ctx, split.id, RESTART);
    await splitCutover(ctx, split.id, ALONE);
    await hasAll(split.into);
  });

  it('the source had the name that a cut would give it, and has its own again', async () => {
    const split = await beginSplit(client, ctx);
    const aside = (await split.read())?.from.renamedTo;
    await split.from.rename(aside);
    await writeLater(client.db('app').collection(aside));
    await client.db('app').collection(aside).rename(split.name);
    await assert.rejects(splitResume(ctx, split.id, RESUME), { message: AGAIN });
    await assert.rejects(splitCutover(ctx, split.id, ALONE), { message: AGAIN });
  });

  for (const [phase, db, command] of /** @type {[string, string, any][]} */ ([
    ['cutting', 'app', splitCutover],
    ['cutting-back', 'app2', splitRollback],
  ]))
    for (const where of /** @type {const} */ (['there', 'afterwards']))
      it(`${phase}: the source has that name right before the cut, and its own again; written to ${where}`, async () => {
        const split = await beginSplit(client, ctx, { switched: db === 'app2' });
        const mine = rightBeforeTheLock(split, { phase, db }, async (renamed) => {
          if (where === 'there') await writeLater(renamed);
          await renamed.rename(split.name);
          if (where !== 'there') await writeLater(client.db(db).collection(split.name));
        });
        await assert.rejects(command(mine, split.id, ALONE), { message: AGAIN });
        assert.deepEqual(await takesWrites(client, split.name), [db]);
        await assert.rejects(command(ctx, split.id, ALONE), { message: AGAIN });
        await splitResume(ctx, split.id, RESTART);
        await command(ctx, split.id, ALONE);
        await hasAll(db === 'app' ? split.into : split.from);
      });

  for (const [phase, db, command] of /** @type {[string, string, any][]} */ ([
    ['cutting', 'app', splitCutover],
    ['cutting-back', 'app2', splitRollback],
  ]))
    it(`${phase}: the source keeps the name that it got right before the cut; what was written to it there arrives`, async () => {
      const split = await beginSplit(client, ctx, { switched: db === 'app2' });
      let isDone = false;
      const mine = rightBeforeTheLock(split, { phase, db }, async (renamed) => {
        isDone = true;
        await writeLater(renamed);
      });
      await command(mine, split.id, ALONE);
      assert.equal(isDone, true);
      await hasAll(db === 'app' ? split.into : split.from);
    });

  it('it had the name of a cut that tune undid, and has its own again', async () => {
    const split = await beginSplit(client, ctx);
    const mine = interruptedAt(client, 'draining');
    await assert.rejects(splitCutover(mine, split.id, ALONE), { code: 'TUNE-30009' });
    const [aside] = (await split.read())?.formerNames ?? [];
    await splitResume(ctx, split.id, RESUME);
    await split.from.rename(aside);
    await writeLater(client.db('app').collection(aside));
    await client.db('app').collection(aside).rename(split.name);
    await assert.rejects(splitCutover(ctx, split.id, ALONE), { message: AGAIN });
    await splitResume(ctx, split.id, RESTART);
    await splitCutover(ctx, split.id, ALONE);
    await hasAll(split.into);
  });

  it('a new collection had the name meanwhile, and was dropped: the restart is named', async () => {
    const split = await beginSplit(client, ctx);
    const mine = mortalContext(client, (spec) => saves(spec, 'switching'));
    await assert.rejects(splitCutover(mine, split.id, ALONE));
    await endLease(client, split.id);
    await split.from.drop();
    await split.from.insertOne(LATER);
    await split.from.drop();
    const interrupted = interruptedAt(client, 'switching');
    await assert.rejects(splitResume(interrupted, split.id, RESUME), { code: 'TUNE-30009' });
    assert.deepEqual(await takesWrites(client, split.name), ['app']);
    await assert.rejects(splitResume(ctx, split.id, RESUME), {
      message:
        /during the split: drop\. Once .* tune\.split\.resume\(".*", \{ restart: true, confirm: true \}\)/,
    });
    await splitResume(ctx, split.id, RESTART);
    await splitCutover(ctx, split.id, ALONE);
  });

  /**
   * The cut is done, and undone by hand between two looks at it: just before the second look is sent, or
   * behind it, while its answer is lost.
   * @param {any} split @param {string} db @param {'before' | 'lost'} when
   * @param {() => Promise<boolean>} isDue
   */
  function overtaken(split, db, when, isDue) {
    const mine = contextOf(client);
    const { command } = mine.port;
    let isOver = false;
    mine.port.command = async (database, /** @type {any} */ spec, ...more) => {
      const names = spec.listCollections && database === db ? spec.filter?.name?.$in : undefined;
      const isLook = names?.includes(`system.buckets.${split.name}`);
      if (isOver || !isLook || !(await isDue())) return command(database, spec, ...more);
      isOver = true;
      if (when === 'lost') await command(database, spec, ...more);
      await undoByHand(client, await split.read());
      await writeLater(client.db(db).collection(split.name));
      if (when === 'lost') throw new MongoNetworkError('the answer is lost');
      return command(database, spec, ...more);
    };
    mine.port.adminCommand = (spec) => mine.port.command('admin', spec);
    return mine;
  }

  for (const when of /** @type {const} */ (['before', 'lost'])) {
    for (const [phase, db, command] of /** @type {[string, string, any][]} */ ([
      ['draining', 'app', splitCutover],
      ['draining-back', 'app2', splitRollback],
    ]))
      it(`${phase}, ${when} the second look: the cut is not done again under its name`, async () => {
        const split = await beginSplit(client, ctx, { switched: db === 'app2' });
        const isDue = async () => (await split.read()).phase === phase;
        await command(overtaken(split, db, when, isDue), split.id, ALONE).catch(() => undefined);
        const [active] = await takesWrites(client, split.name);
        await hasAll(client.db(active).collection(split.name));
      });

    it(`a second shell in cutting, ${when} its look`, async () => {
      const split = await beginSplit(client, ctx);
      const first = mortalContext(client, (spec) => saves(spec, 'draining'));
      await assert.rejects(splitCutover(first, split.id, ALONE));
      await endLease(client, split.id);
      const mine = overtaken(split, 'app', when, async () => true);
      await splitResume(mine, split.id, RESUME).catch(() => undefined);
      const [active] = await takesWrites(client, split.name);
      await hasAll(client.db(active).collection(split.name));
    });
  }
});
