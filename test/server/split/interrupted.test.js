'use strict';

/**
 * Ctrl-C in every phase of a cutover and a rollback: exactly one name takes writes afterwards, and
 * the message says which, and what to type.
 */
const assert = require('node:assert/strict');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { contextOf } = require('../../support/context');
const { saves } = require('../../support/sent');
const { saysPhase, until, useSet } = require('../../support/split');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');

const VERBS = { cutover: splitCutover, rollback: splitRollback };

/** A step that renames, not the look whether the lock is free. @param {any} spec */
const isPermitted = (spec) => Boolean(spec.applyOps && JSON.stringify(spec).includes(' begins'));

describe('Ctrl-C in a split', function () {
  this.timeout(180_000);
  let client;
  let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /**
   * A shell whose user types Ctrl-C as soon as it says, or sends, that.
   * @param {{ phase?: string, sends?: (spec: any) => boolean }} when
   */
  function interruptedAt({ phase, sends = () => false }) {
    const stop = new AbortController();
    const own = contextOf(client, { signal: stop.signal });
    own.progress = (text) => {
      if (phase && saysPhase(text, phase)) stop.abort();
    };
    const { command } = own.port;
    own.port.command = (db, spec) => {
      if (sends(spec)) stop.abort();
      return command(db, spec);
    };
    own.port.adminCommand = (spec) => own.port.command('admin', spec);
    return own;
  }
  const permit = (count) => {
    let seen = 0;
    return (spec) =>
      Boolean(spec.findAndModify && spec.update?.$set?.permit) && (seen += 1) === count;
  };

  const MOMENTS = [
    ['cutover', 'following', { phase: 'following' }],
    ['cutover', 'cutting', { phase: 'cutting' }],
    ['cutover', 'the step of its cut', { sends: permit(1) }],
    ['cutover', 'draining', { phase: 'draining' }],
    ['cutover', 'switching', { phase: 'switching' }],
    ['cutover', 'the step of its switch', { sends: permit(2) }],
    ['cutover', 'writing its end down', { sends: (spec) => saves(spec, 'switched') }],
    ['rollback', 'switched', { phase: 'switched' }],
    ['rollback', 'cutting-back', { phase: 'cutting-back' }],
    ['rollback', 'the step of its cut', { sends: permit(1) }],
    ['rollback', 'draining-back', { phase: 'draining-back' }],
    ['rollback', 'switching-back', { phase: 'switching-back' }],
    ['rollback', 'the step of its switch', { sends: permit(2) }],
    ['rollback', 'writing its end down', { sends: (spec) => saves(spec, 'rolled-back') }],
  ];
  for (const [verb, moment, when] of MOMENTS) {
    it(`of a ${verb} at ${moment}: one name takes writes, and what the message says to type ends it`, async () => {
      const { id, name, read, status } = await beginSplit(client, ctx, {
        switched: verb === 'rollback',
      });
      const [before, after] = verb === 'cutover' ? ['app', 'app2'] : ['app2', 'app'];
      const shell = interruptedAt(when);
      const error = await VERBS[verb](shell, id, ALONE).then(
        () => null,
        (one) => one,
      );
      assert.ok(shell.signal.aborted, 'never interrupted');
      const takes = await takesWrites(client, name);
      assert.equal(takes.length, 1, `${takes} takes writes; ${error?.message}`);
      const { phase, blocked } = await status();
      assert.equal(blocked, false);
      if (error) {
        assert.equal(error.code, 'TUNE-30009', error.message);
        assert.match(error.message, new RegExp(`${takes[0]}\\.${name} is active`));
        assert.match(
          error.message,
          takes[0] === before
            ? new RegExp(`tune\\.split\\.${verb}\\("${id}(:app\\.${name})?", { confirm: true }\\)`)
            : /tune\.split\./,
          phase,
        );
        await until(async () => (await read()).lease === null);
        await VERBS[verb](ctx, id, ALONE).catch((again) => {
          if (takes[0] === before) throw again;
        });
      }
      assert.deepEqual(await takesWrites(client, name), [after]);
      assert.equal(await client.db(after).collection(name).countDocuments(), BEFORE);
    });
  }

  /** As if its shell had died. @param {string} id */
  const leaveLease = (id) =>
    client
      .db('tune')
      .collection('splits')
      .updateOne(
        { planId: id },
        {
          $set: {
            lease: { owner: 'of one that died', who: 'test', process: null, until: new Date(0) },
          },
        },
      );

  it(
    'while it takes over from a shell that died: whoever is next takes over, too, and all that ' +
      'was written is in the copy',
    async () => {
      const { id, name, from, into, read } = await beginSplit(client, ctx);
      await leaveLease(id);
      const stop = new AbortController();
      const own = contextOf(client, { signal: stop.signal });
      const { command } = own.port;
      own.port.command = async (db, spec) => {
        if (!isPermitted(spec)) return command(db, spec);
        stop.abort();
        throw Object.assign(new Error('the lock was not free in time'), { code: 50 });
      };
      own.port.adminCommand = (spec) => own.port.command('admin', spec);
      await assert.rejects(splitResume(own, id, { confirm: true }), { code: 'TUNE-30009' });
      await from.insertOne({ _id: 'meanwhile', a: 1 });
      await splitResume(ctx, id, { confirm: true });
      assert.deepEqual(
        (
          await client
            .db('app2')
            .listCollections({ name: new RegExp(`^${name}__tune`) })
            .toArray()
        ).map((one) => one.name),
        [(await read()).into.stagingName],
      );
      await leaveLease(id);
      await splitResume(ctx, id, { confirm: true });
      await splitCutover(ctx, id, ALONE);
      assert.equal(await into.countDocuments({ _id: 'meanwhile' }), 1);
      assert.equal(await into.countDocuments(), BEFORE + 1);
    },
  );

  it(
    'what was written to a staging copy that another one took the place of does not count as ' +
      'brought over',
    async () => {
      const { id, from, into, read } = await beginSplit(client, ctx);
      const stagingName = (await read()).into.stagingName;
      await client.db('app2').collection(stagingName).rename('away');
      await from.insertOne({ _id: 'meanwhile', a: 1 });
      await assert.rejects(splitResume(ctx, id, { confirm: true }), { code: 'TUNE-35005' });
      await client.db('app2').collection(stagingName).drop();
      await client.db('app2').collection('away').rename(stagingName);
      await splitResume(ctx, id, { confirm: true });
      await splitCutover(ctx, id, ALONE);
      assert.equal(await into.countDocuments(), BEFORE + 1);
    },
  );
});
