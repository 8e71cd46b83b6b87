'use strict';

/**
 * After the cutover another collection has the name of the target: an application rebuilt it, a
 * dump was restored, another session renamed it. What takes the writes stays where it is.
 */
const assert = require('node:assert/strict');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { run: splitVerify } = require('../../../lib/commands/split-verify');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { printedCalls } = require('../../support/printed');
const { useSet } = require('../../support/split');
const { typedIn } = require('../../support/typed');

const DO = Object.freeze({ confirm: true });

describe('after the cutover another collection has the name of the target', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  const typed = (/** @type {string} */ call) => typedIn(client, call, ctx);
  const words = (/** @type {unknown} */ answer) => String(answer).replace(/\s+/g, ' ');
  /** With another UUID, as mongorestore --drop makes it. */
  async function madeAnew(/** @type {any} */ collection) {
    const documents = await collection.find().toArray();
    await collection.drop();
    await collection.insertMany(documents);
  }

  /** @type {[string, (split: any) => Promise<unknown>][]} */
  const REPLACED = [
    [
      'rebuilt with $out',
      async ({ name }) => {
        const etl = client.db('app2').collection('etl');
        await etl.insertMany([{ a: 1 }, { a: 2 }]);
        await etl.aggregate([{ $out: name }]).toArray();
      },
    ],
    [
      'restored from a dump, with the old data',
      async ({ into, renamedTo }) => {
        await madeAnew(into);
        await madeAnew(await renamedTo());
      },
    ],
    [
      'renamed, and a new one made',
      async ({ name, into }) => {
        await client.db('app2').collection(name).rename(`${name}_away`);
        await into.insertOne({ _id: 'new' });
      },
    ],
  ];

  for (const [what, replace] of REPLACED)
    for (const reads of /** @type {const} */ (['refused', 'view']))
      it(`${what} (reads: ${reads}): the printed calls end the split, and keep both`, async () => {
        const split = await beginSplit(client, ctx);
        const { id, name, from, into } = split;
        await splitCutover(ctx, id, { ...ALONE, reads });
        await replace(split);
        const live = await into.countDocuments();
        await assert.rejects(splitResume(ctx, id, ALONE), { code: 'TUNE-35005' });
        const answer = await splitStatus(ctx, id);
        assert.match(words(answer), new RegExp(`app2\\.${name},? (now |and )?takes the writes`));
        assert.doesNotMatch(words(answer), /was dropped|lost: true|are in the old data/);
        assert.equal(answer.splits[0].nextBack, null);
        for (const call of printedCalls(answer)) {
          const done = await typed(call);
          if (done?.confirm) await typed(done.confirm);
          assert.deepEqual(await takesWrites(client, name), ['app2']);
          await assertRefusesOrAnswers(from);
        }
        assert.equal((await split.read()).phase, 'finished');
        assert.equal(await into.countDocuments(), live);
        assert.equal(await client.db('app').collection(`${name}_kept`).countDocuments(), BEFORE);
      });

  /** Over nothing a view would answer as if there had never been anything. */
  async function assertRefusesOrAnswers(/** @type {any} */ from) {
    assert.notEqual(await from.findOne().catch((/** @type {any} */ { code }) => code), null);
  }

  it('the errors of the commands do not lead to a rollback that is refused', async () => {
    const { id, into, name, read, renamedTo } = await beginSplit(client, ctx, { switched: true });
    await client.db('app').collection(`${name}_kept`).insertOne({ _id: 'taken' });
    await madeAnew(into);
    for (const fails of [
      () => splitResume(ctx, id, { ...ALONE, restart: false }),
      () => splitResume(ctx, id, { ...ALONE, restart: true }),
      () => splitRollback(ctx, id, ALONE),
      () => splitVerify(ctx, id, {}),
    ])
      await assert.rejects(
        fails,
        ({ code, message }) => code === 'TUNE-35005' && !/lost: true|dropped app2/.test(message),
      );
    const refused = await splitFinish(ctx, id, DO).catch((error) => error);
    assert.equal(refused.code, 'TUNE-35017');
    const calls = printedCalls(refused.message);
    assert.doesNotMatch(refused.message, /lost: true/);
    for (const call of calls.filter((one) => one.startsWith('db.'))) await typed(call);
    assert.equal(await (await renamedTo()).countDocuments(), 0);
    await splitFinish(ctx, id, { ...DO, open: true });
    assert.equal((await read()).phase, 'finished');
    assert.deepEqual(await client.db('app').listCollections({ name }).toArray(), []);
    assert.equal(await into.countDocuments(), BEFORE);
  });

  it('the way back: once that collection has another name, status prints it', async () => {
    const { id, name, from, into } = await beginSplit(client, ctx, { switched: true });
    await into.drop();
    await into.insertOne({ _id: 'new' });
    assert.match(words(await splitStatus(ctx, id)), /rename app2\.\w+: status then shows/);
    await into.rename(`${name}_since`);
    const [call] = printedCalls(await splitStatus(ctx, id)).filter((one) => /lost/.test(one));
    await typed((await typed(call)).confirm);
    assert.equal(await from.countDocuments(), BEFORE);
    assert.deepEqual(await takesWrites(client, name), ['app']);
  });

  it('the target renamed: its name comes back by the printed call alone', async () => {
    const { id, name, from, into } = await beginSplit(client, ctx, { switched: true });
    await client.db('app2').collection(name).rename(`${name}_away`);
    const refused = await splitFinish(ctx, id, DO).catch((error) => error);
    assert.doesNotMatch(refused.message, /lost: true/);
    const calls = printedCalls(await splitStatus(ctx, id));
    assert.ok(printedCalls(refused.message).includes(calls[0]));
    await client.db('app2').collection(`${name}_away`).insertOne({ _id: 'since' });
    for (const call of calls) await typed(call);
    assert.equal(await into.countDocuments(), BEFORE + 1);
    await splitRollback(ctx, id, ALONE);
    assert.equal(await from.countDocuments(), BEFORE + 1);
  });

  it('after a rollback the source is made anew: the printed calls end it, and keep both', async () => {
    const { id, name, from, read } = await beginSplit(client, ctx, { switched: true });
    await splitRollback(ctx, id, ALONE);
    await madeAnew(from);
    const answer = await splitStatus(ctx, id);
    assert.match(words(answer), /takes the writes/);
    for (const call of printedCalls(answer)) {
      const done = await typed(call);
      if (done?.confirm) await typed(done.confirm);
    }
    assert.equal((await read()).phase, 'finished');
    assert.equal(await client.db('app2').collection(`${name}_kept`).countDocuments(), BEFORE);
    assert.equal(await from.countDocuments(), BEFORE);
  });
});
