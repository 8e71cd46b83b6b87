'use strict';

/**
 * What holds a cutover up: writers are not refused for longer than a moment by it, and what could
 * be seen before is said before.
 */
const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { saves } = require('../../support/sent');
const { endLease, mortalContext, until, useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const DO = Object.freeze({ confirm: true });
/** As many changes as are made while nobody follows, in an hour of a small server. */
const BEHIND = 60_000;

describe('a cutover that is held up', function () {
  this.timeout(300_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });
  const pause = (ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
    });

  async function openTransaction(write) {
    await client.db('elsewhere').collection('x').insertOne({});
    const session = client.startSession();
    session.startTransaction();
    if (write) await client.db('elsewhere').collection('x').insertOne({}, { session });
    else await client.db('elsewhere').collection('x').findOne({}, { session });
    return async () => {
      await session.commitTransaction();
      await session.endSession();
    };
  }

  for (const [what, write] of [
    ['that writes elsewhere', true],
    ['that only read, elsewhere', false],
  ]) {
    it(`by a transaction ${what}: the dry run says so, and others write between its tries`, async () => {
      const { id, name, from, read, into } = await beginSplit(client, ctx);
      const end = await openTransaction(write);
      assert.match(
        (await splitCutover(ctx, id)).splits[0].does.join(' '),
        /1 transaction is open on this server: the cutover waits for each/,
      );
      const cutover = splitCutover(ctx, id, ALONE);
      await until(async () => (await read()).phase === 'cutting');
      let written = 0;
      let longestMs = 0;
      for (const stop = Date.now() + 4_000; Date.now() < stop;) {
        const began = Date.now();
        await from.insertOne({ _id: `w${written}` });
        longestMs = Math.max(longestMs, Date.now() - began);
        written += 1;
        await pause(20);
      }
      await end();
      assert.equal((await cutover).splits[0].phase, 'switched');
      assert.equal(await into.countDocuments({ _id: { $type: 'string' } }), written);
      // Held up all the time, it would be one or two.
      assert.ok(written > 5, `${written} writes, the longest took ${longestMs} ms`);
      assert.deepEqual(await takesWrites(client, name), ['app2']);
    });
  }

  it(
    "by its shell's death: whoever resumes brings everything over first, indexes too, and only " +
      'then is anything refused',
    async () => {
      const documents = Array.from({ length: BEHIND }, (_, i) => ({ _id: i, a: i % 7 }));
      const { id, name, from, into, read } = await beginSplit(client, ctx, { documents });
      const state = { gone: false };
      const dies = mortalContext(client, (spec) => {
        const was = state.gone;
        state.gone ||= saves(spec, 'cutting');
        return was;
      });
      await assert.rejects(splitCutover(dies, id, ALONE), /the shell is gone/);
      await endLease(client, id);
      assert.equal((await read()).phase, 'cutting');
      const { reconciled } = await read();
      await from.updateMany({}, { $set: { b: 1 } });
      await from.createIndex({ b: 1 });
      const refused = { firstAt: null, lastAt: null };
      let on = true;
      const writer = (async () => {
        for (let i = 0; on; i += 1) {
          const ok = await from.insertOne({ _id: `w${i}` }).then(
            () => true,
            () => false,
          );
          if (
            !ok &&
            (await into.insertOne({ _id: `w${i}` }).then(
              () => false,
              () => true,
            ))
          ) {
            refused.firstAt ??= Date.now();
            refused.lastAt = Date.now();
          }
          await pause(10);
        }
      })();
      const seen = { before: null };
      const spy = contextOf(client);
      const { command } = spy.port;
      spy.port.command = async (db, spec) => {
        if (saves(spec, 'draining')) seen.before = (await read()).reconciled;
        return command(db, spec);
      };
      await splitResume(spy, id, DO);
      on = false;
      await writer;
      assert.ok(
        seen.before - reconciled >= BEHIND,
        `${seen.before - reconciled} of ${BEHIND} changes were brought over before the cut`,
      );
      assert.ok(
        (await into.indexes()).some((index) => index.name === 'b_1'),
        'the index made meanwhile',
      );
      assert.equal(await into.countDocuments({ b: 1 }), BEHIND);
      assert.deepEqual(await takesWrites(client, name), ['app2']);
    },
  );

  it("a rollback by its shell's death: whoever resumes brings everything back first, indexes too", async () => {
    const { id, name, from, into, read } = await beginSplit(client, ctx, { switched: true });
    const state = { gone: false };
    const dies = mortalContext(client, (spec) => {
      const was = state.gone;
      state.gone ||= saves(spec, 'cutting-back');
      return was;
    });
    await assert.rejects(splitRollback(dies, id, ALONE), /the shell is gone/);
    await endLease(client, id);
    await into.updateMany({}, { $set: { b: 1 } });
    await into.createIndex({ b: 1 });
    const { reconciled } = await read();
    const seen = { before: null };
    const spy = contextOf(client);
    const { command } = spy.port;
    spy.port.command = async (db, spec) => {
      if (saves(spec, 'draining-back')) seen.before = (await read()).reconciled;
      return command(db, spec);
    };
    await splitResume(spy, id, DO);
    assert.ok(
      seen.before - reconciled >= BEFORE,
      `${seen.before - reconciled} of ${BEFORE} changes were brought back before the cut`,
    );
    assert.ok(
      (await from.indexes()).some((index) => index.name === 'b_1'),
      'the index made meanwhile',
    );
    assert.deepEqual(
      [await from.countDocuments({ b: 1 }), await takesWrites(client, name)],
      [BEFORE, ['app']],
    );
  });

  it('by an index that is being built: the dry run names it, and it is refused while the source answers', async () => {
    const { id, name, status } = await beginSplit(client, ctx);
    const spy = contextOf(client);
    const { command } = spy.port;
    // As a server answers while it builds one; the real one is in attacks.test.js.
    spy.port.command = async (db, spec) => {
      const answer = await command(db, spec);
      if (spec.listIndexes === name && spec.includeBuildUUIDs)
        answer.cursor.firstBatch.push({ spec: { name: 'n_1', key: { n: 1 } }, buildUUID: 'x' });
      return answer;
    };
    spy.port.adminCommand = (spec) => spy.port.command('admin', spec);
    assert.match(
      (await splitCutover(spy, id)).splits[0].does.join(' '),
      /Blocked now: An index of app\.\w+ is being built/,
    );
    await assert.rejects(splitCutover(spy, id, ALONE), { code: 'TUNE-35016' });
    assert.deepEqual(
      [(await status()).phase, await takesWrites(client, name)],
      ['following', ['app']],
    );
  });
});
