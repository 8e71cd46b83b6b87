'use strict';

/**
 * What another session dropped, or made under one of a split's names: nothing is dropped over it,
 * and the message leads to an end.
 */
const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { mortalContext, endLease, useSet } = require('../../support/split');
const { saves } = require('../../support/sent');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const DO = Object.freeze({ confirm: true });

describe('a split whose collections another session dropped or made', function () {
  this.timeout(180_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  const names = async (name) =>
    (
      await Promise.all(
        ['app', 'app2'].map(async (db) =>
          (await client.db(db).listCollections().toArray())
            .filter((one) => one.name.split('__')[0] === name)
            .map((one) => `${db}.${one.name}`),
        ),
      )
    )
      .flat()
      .sort();
  /** Types what the message says. */
  async function type(error, verb) {
    const [, id, options] =
      new RegExp(`tune\\.split\\.${verb}\\(("[^"]+"), (\\{[^}]*\\})\\)`).exec(error.message) ?? [];
    assert.ok(id, `${verb} is not named: ${error.message}`);
    const commands = { rollback: splitRollback, abort: splitAbort };
    return commands[verb](ctx, JSON.parse(id), new Function(`return ${options}`)());
  }

  it('finish after the new place was dropped drops nothing; the old data comes back, and then it ends', async () => {
    const { id, name, from, into, renamedTo } = await beginSplit(client, ctx, { switched: true });
    await into.drop();
    const error = await splitFinish(ctx, id, DO).then(
      () => null,
      (one) => one,
    );
    assert.equal(error?.code, 'TUNE-35017');
    assert.equal(await (await renamedTo()).countDocuments(), BEFORE);
    assert.equal((await type(error, 'rollback')).splits[0].phase, 'rolled-back');
    assert.equal(await from.countDocuments(), BEFORE);
    assert.equal((await splitFinish(ctx, id, DO)).splits[0].phase, 'finished');
    assert.deepEqual(await names(name), [`app.${name}`]);
    assert.equal(await from.countDocuments(), BEFORE);
  });

  it('abort after the source was dropped keeps the copy, and with { keepCopy: true } it ends', async () => {
    const { id, name, from } = await beginSplit(client, ctx);
    await from.drop();
    const error = await splitAbort(ctx, id, DO).then(
      () => null,
      (one) => one,
    );
    assert.equal(error?.code, 'TUNE-35017');
    const {
      splits: [{ phase, stagingName }],
    } = await type(error, 'abort');
    assert.equal(phase, 'aborted');
    assert.deepEqual(await names(name), [stagingName]);
    assert.equal(await client.db('app2').collection(stagingName.slice(5)).countDocuments(), BEFORE);
  });

  it('abort after the source was dropped and made anew by an application leaves both', async () => {
    const { id, name, from } = await beginSplit(client, ctx);
    await from.drop();
    await from.insertOne({ _id: 'new' });
    const error = await splitAbort(ctx, id, DO).then(
      () => null,
      (one) => one,
    );
    assert.equal(error?.code, 'TUNE-35017');
    // One way on, and not also the command that has just failed.
    assert.match(error.message, /keepCopy: true.*takes writes into a new collection/);
    assert.doesNotMatch(error.message, /Then type/);
    const {
      splits: [{ stagingName }],
    } = await type(error, 'abort');
    assert.deepEqual(await names(name), [`app.${name}`, stagingName]);
    assert.equal(await from.countDocuments(), 1);
  });

  it('abort after the source was dropped between its cut and the switch keeps the copy', async () => {
    const { id, name, renamedTo } = await beginSplit(client, ctx);
    let gone = false;
    const dies = mortalContext(client, (spec) => {
      const was = gone;
      gone ||= saves(spec, 'draining');
      return was;
    });
    await assert.rejects(splitCutover(dies, id, ALONE));
    await endLease(client, id);
    await (await renamedTo()).drop();
    const error = await splitAbort(ctx, id, DO).then(
      () => null,
      (one) => one,
    );
    assert.equal(error?.code, 'TUNE-35017');
    const {
      splits: [{ stagingName }],
    } = await type(error, 'abort');
    assert.equal(await client.db('app2').collection(stagingName.slice(5)).countDocuments(), BEFORE);
    assert.ok((await names(name)).includes(stagingName));
  });

  it(
    'a rollback after the old data was dropped is refused while the new place answers, and ' +
      'status leads to an end',
    async () => {
      const { id, name, into, renamedTo, status } = await beginSplit(client, ctx, {
        switched: true,
      });
      await (await renamedTo()).drop();
      await into.insertOne({ _id: 'since' });
      await assert.rejects(splitRollback(ctx, id, ALONE), {
        code: 'TUNE-35005',
        message: /stays active/,
      });
      assert.deepEqual(await takesWrites(client, name), ['app2']);
      const { phase, next } = await status();
      assert.deepEqual(
        [phase, next],
        ['switched', `tune.split.finish("${id}", { confirm: true })`],
      );
      // Whoever brings changes back must not make it anew, with those alone in it.
      await splitResume(ctx, id, DO).catch(() => undefined);
      await splitFinish(ctx, id, DO);
      assert.deepEqual(await names(name), [`app.${name}`, `app2.${name}`]);
      assert.equal(await into.countDocuments(), BEFORE + 1);
    },
  );

  it(
    'a rollback after an application made its own collection at the old name is refused while ' +
      'the new place answers; status says it',
    async () => {
      const { id, name, from, into, status } = await beginSplit(client, ctx, { switched: true });
      assert.equal((await status()).viewInPlace, true);
      await from.drop();
      assert.equal((await status()).viewInPlace, false);
      await from.insertOne({ _id: 'its own' });
      assert.match(
        String(await require('../../../lib/commands/split-status').run(ctx, id)),
        new RegExp(`Another session created a collection\\s+app\\.${name}`),
      );
      await into.insertOne({ _id: 'since' });
      await assert.rejects(splitRollback(ctx, id, ALONE), {
        code: 'TUNE-35004',
        message: /stays active/,
      });
      assert.deepEqual(await takesWrites(client, name), ['app', 'app2']);
      // As the message has it: renamed or dropped.
      await from.rename(`${name}_own`);
      assert.equal((await splitRollback(ctx, id, ALONE)).splits[0].phase, 'rolled-back');
      assert.equal(await from.countDocuments(), BEFORE + 1);
      assert.equal(await client.db('app').collection(`${name}_own`).countDocuments(), 1);
    },
  );

  it(
    'finish after a rollback, and the source was dropped since, drops nothing; with the copy ' +
      'under a name of its own it ends',
    async () => {
      const { id, name, from } = await beginSplit(client, ctx, { switched: true });
      await splitRollback(ctx, id, ALONE);
      await from.drop();
      const error = await splitFinish(ctx, id, DO).then(
        () => null,
        (one) => one,
      );
      assert.equal(error?.code, 'TUNE-35017');
      const [, db, copy, to] =
        /getSiblingDB\("([^"]+)"\)\.getCollection\("([^"]+)"\)\.renameCollection\("([^"]+)"\)/.exec(
          error.message,
        ) ?? assert.fail(error.message);
      await client.db(db).collection(copy).rename(to);
      assert.equal((await splitFinish(ctx, id, DO)).splits[0].phase, 'finished');
      assert.equal(await client.db(db).collection(to).countDocuments(), BEFORE);
      assert.deepEqual(await names(name), []);
    },
  );

  it('finish after both the new place and the old data were dropped ends: nothing is left to be dropped', async () => {
    const { id, name, into, renamedTo } = await beginSplit(client, ctx, { switched: true });
    await into.drop();
    await (await renamedTo()).drop();
    assert.equal((await splitFinish(ctx, id, DO)).splits[0].phase, 'finished');
    assert.deepEqual(await names(name), [`app.${name}`]);
  });

  it(
    'a cutover after an application made its own collection at the new name is refused while ' +
      'the source answers; once it is renamed it passes',
    async () => {
      const { id, name, into } = await beginSplit(client, ctx);
      await into.drop();
      await into.insertOne({ _id: 'its own' });
      assert.match(
        (await splitCutover(ctx, id)).splits[0].does.join(' '),
        /Blocked now: app2\.\w+ already exists/,
      );
      await assert.rejects(splitCutover(ctx, id, ALONE), {
        code: 'TUNE-35004',
        message: /stays active/,
      });
      assert.deepEqual(await takesWrites(client, name), ['app', 'app2']);
      await into.rename(`${name}_own`);
      assert.equal((await splitCutover(ctx, id, ALONE)).splits[0].phase, 'switched');
      assert.equal(await into.countDocuments(), BEFORE);
    },
  );

  it(
    'finish leaves a collection alone that an application made at the old name, also with { ' +
      'open: true }',
    async () => {
      const { id, name, from, into } = await beginSplit(client, ctx, { switched: true });
      await from.drop();
      await from.insertOne({ _id: 'its own' });
      await splitFinish(ctx, id, { ...DO, open: true });
      assert.deepEqual(await names(name), [`app.${name}`, `app2.${name}`]);
      assert.deepEqual([await from.countDocuments(), await into.countDocuments()], [1, BEFORE]);
    },
  );

  it(
    'finish and resume without an id do nothing while two plans wait, and without confirm ' +
      'nothing is written',
    async () => {
      const both = [
        await beginSplit(client, ctx, { switched: true }),
        await beginSplit(client, ctx, { switched: true }),
      ];
      for (const verb of [splitFinish, splitResume, splitRollback])
        await assert.rejects(
          verb(ctx, DO),
          (error) =>
            error.code === 'TUNE-10004' && both.every(({ id }) => error.message.includes(id)),
        );
      assert.deepEqual(await Promise.all(both.map(async ({ read }) => (await read()).phase)), [
        'switched',
        'switched',
      ]);
      const written = [];
      const command = ctx.port.command;
      const spy = {
        ...ctx,
        port: {
          ...ctx.port,
          command: (db, spec) => {
            if (
              !['find', 'hello', 'listCollections', 'serverStatus'].includes(Object.keys(spec)[0])
            )
              written.push(spec);
            return command(db, spec);
          },
        },
      };
      spy.port.adminCommand = (spec) => spy.port.command('admin', spec);
      for (const [verb, options] of [
        [splitResume, {}],
        [splitResume, { restart: true }],
        [splitResume, { follow: true }],
      ]) {
        const shown = await verb(spy, both[0].id, options);
        assert.equal(shown.dryRun, true);
        assert.match(shown.confirm, /confirm: true/);
      }
      assert.deepEqual(written, []);
      for (const { id } of both) await splitFinish(ctx, id, DO);
    },
  );
});
