'use strict';

/** What status says of steps of a split that are half done, or under way in another shell. */
const assert = require('node:assert/strict');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitFinish } = require('../../../lib/commands/split-finish');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitStatus } = require('../../../lib/commands/split-status');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { throughHands } = require('../../support/beside');
const { contextOf } = require('../../support/context');
const { printedCalls } = require('../../support/printed');
const { saves } = require('../../support/sent');
const { endLease, mortalContext, useSet } = require('../../support/split');
const { typedIn } = require('../../support/typed');

const RESUME = Object.freeze({ ...ALONE, restart: false, follow: false });
const UNKNOWN = /not known whether both namespaces are blocked/;

describe('what status says of the own steps of a split', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });
  const words = (/** @type {unknown} */ answer) => String(answer).replace(/\s+/g, ' ');
  const namesOf = (/** @type {string} */ name) => ({ name: { $regex: `^${name}(_|$)` } });
  const setLease = (/** @type {string} */ planId, /** @type {Date} */ until) =>
    client
      .db('tune')
      .collection('splits')
      .updateOne(
        { planId },
        { $set: { lease: { owner: 'x', who: 'y', until, process: null, after: null } } },
      );

  /** Interrupted in its drain; the shell is killed before the name is open again. */
  async function undoing(/** @type {boolean} */ isBack) {
    const split = await beginSplit(client, ctx, { switched: isBack });
    const stop = new AbortController();
    let isSaved = false;
    const dies = mortalContext(client, (spec) => {
      const changes = spec.findAndModify && spec.update?.$set;
      if (String(changes?.phase).startsWith('draining')) stop.abort();
      const isOver = isSaved && !spec.find && !spec.findAndModify && !spec.listCollections;
      isSaved ||= Boolean(changes?.reopened);
      return isOver;
    });
    const mine = { ...dies, signal: stop.signal };
    await assert.rejects((isBack ? splitRollback : splitCutover)(mine, split.id, ALONE));
    await endLease(client, split.id);
    assert.ok((await split.read()).reopened, 'nothing is to be undone');
    return split;
  }

  for (const isBack of [false, true]) {
    it(`a ${isBack ? 'rollback' : 'cutover'} that is being undone: resume, and nothing else`, async () => {
      const split = await undoing(isBack);
      const answer = await splitStatus(ctx, split.id);
      assert.match(words(answer), /BLOCKED: neither namespace takes writes; .* is being undone/);
      assert.doesNotMatch(words(answer), /Another session|drop the view|was renamed|connect/);
      const calls = printedCalls(answer);
      assert.deepEqual(calls, [`tune.split.resume("${split.id}", { confirm: true })`]);
      assert.equal(answer.splits[0].next, calls[0]);
      await typedIn(client, calls[0], ctx);
      assert.deepEqual(await takesWrites(client, split.name), [isBack ? 'app2' : 'app']);
    });

    it(`a ${isBack ? 'rollback' : 'cutover'} that is being undone, and the data renamed: the printed calls`, async () => {
      const split = await undoing(isBack);
      const db = client.db(isBack ? 'app2' : 'app');
      await db.collection((await split.read()).reopened.name).rename(`${split.name}_theirs`);
      const answer = await splitStatus(ctx, split.id);
      assert.match(words(answer), /Another session renamed/);
      for (const call of printedCalls(answer)) await typedIn(client, call, ctx);
      assert.deepEqual(await takesWrites(client, split.name), [isBack ? 'app2' : 'app']);
      assert.equal(await db.collection(split.name).countDocuments(), BEFORE);
    });

    it(`the copy under a former name, ${isBack ? 'after' : 'before'} the cutover: recovery renames it`, async () => {
      const split = await beginSplit(client, ctx, { switched: isBack });
      await setLease(split.id, new Date(0));
      let isSaved = false;
      const dies = mortalContext(client, (spec) => {
        const isOver = isSaved && Boolean(spec.applyOps || spec.createRole || spec.insert);
        isSaved ||= Boolean(spec.findAndModify && spec.update?.$set?.formerNames);
        return isOver;
      });
      await assert.rejects(splitResume(dies, split.id, RESUME));
      await endLease(client, split.id);
      const answer = await splitStatus(ctx, split.id);
      assert.doesNotMatch(words(answer), /Another session|was renamed|Copy again|Renew/);
      const [{ kept }] = answer.splits;
      if (isBack) {
        const there = await client.db('app').listCollections(namesOf(split.name)).toArray();
        assert.ok(there.some((/** @type {any} */ { name }) => `app.${name}` === kept));
      }
      await (isBack ? splitRollback : splitCutover)(ctx, split.id, ALONE);
      assert.deepEqual(await takesWrites(client, split.name), [isBack ? 'app' : 'app2']);
    });
  }

  it('a name that a former one was is of another session where no shell left it', async () => {
    const split = await beginSplit(client, ctx);
    await setLease(split.id, new Date(0));
    await splitResume(ctx, split.id, RESUME);
    const { into, formerNames } = await split.read();
    await client.db('app2').collection(into.stagingName).rename(formerNames[0]);
    assert.match(words(await splitStatus(ctx, split.id)), /Another session renamed/);
  });

  it('a finish that is under way: what it dropped, no other session did', async () => {
    for (const isBack of [false, true]) {
      const split = await beginSplit(client, ctx, { switched: true });
      if (isBack) await splitRollback(ctx, split.id, ALONE);
      /** @type {any} */ let seen = null;
      const mine = throughHands(contextOf(client), async (send, spec) => {
        if (saves(spec, 'finished')) seen = await splitStatus(ctx, split.id);
        return send();
      });
      await splitFinish(mine, split.id, { confirm: true });
      assert.doesNotMatch(words(seen), /Another session|was dropped|was renamed/);
    }
  });

  it('a shell that follows has no part in a view that another session drops', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    await setLease(split.id, new Date(Date.now() + 30_000));
    await split.from.drop();
    const answer = await splitStatus(ctx, split.id);
    assert.equal(answer.splits[0].viewInPlace, false);
    assert.match(words(answer), new RegExp(`app.${split.name} is not blocked`));
    assert.doesNotMatch(words(answer), /Another session/);
    await setLease(split.id, new Date(0));
    assert.match(words(await splitStatus(ctx, split.id)), /Another session dropped the view/);
  });

  describe('in a cut', () => {
    /** @param {string} phase whose saving the shell does not see */
    async function cutUntil(phase) {
      const split = await beginSplit(client, ctx);
      const dies = mortalContext(client, (spec) => saves(spec, phase));
      await assert.rejects(splitCutover(dies, split.id, ALONE));
      await endLease(client, split.id);
      return split;
    }
    const blind = () =>
      throughHands(contextOf(client), async (send, spec, db) => {
        if (spec.listCollections && db.startsWith('app'))
          throw Object.assign(new Error('not authorized on app'), { code: 13 });
        return send();
      });

    it('whose step is done, the old data renamed: both are blocked, and the printed calls undo it', async () => {
      const split = await cutUntil('draining');
      await (await split.renamedTo()).rename(`${split.name}_theirs`);
      assert.deepEqual(await takesWrites(client, split.name), []);
      const answer = await splitStatus(ctx, split.id);
      assert.match(words(answer), /BLOCKED: neither namespace/);
      const [rename, resume] = printedCalls(answer);
      await typedIn(client, rename, ctx);
      // It may have been written to under that name: no event shows it.
      await assert.rejects(typedIn(client, resume, ctx), { code: 'TUNE-35015' });
      assert.deepEqual(await takesWrites(client, split.name), ['app']);
      await splitCutover(ctx, split.id, ALONE);
      assert.deepEqual(await takesWrites(client, split.name), ['app2']);
      assert.equal(await split.into.countDocuments(), BEFORE);
    });

    it('whose names this user may not read: it is not known whether they are blocked', async () => {
      const split = await cutUntil('draining');
      const answer = await splitStatus(blind(), split.id);
      assert.match(words(answer), UNKNOWN);
      assert.equal(answer.splits[0].blocked, false);
      assert.doesNotMatch(words(await splitStatus(ctx, split.id)), UNKNOWN);
    });

    it('that is being aborted, and not readable: the same; not in an abort without a cut', async () => {
      const abortOf = async (/** @type {any} */ { id }) => {
        let isSaved = false;
        const dies = mortalContext(client, (spec) => {
          const isOver = isSaved && Boolean(spec.applyOps || spec.insert);
          isSaved ||= saves(spec, 'aborting');
          return isOver;
        });
        await assert.rejects(splitAbort(dies, id, ALONE));
        await endLease(client, id);
        return words(await splitStatus(blind(), id));
      };
      assert.match(await abortOf(await cutUntil('switching')), UNKNOWN);
      assert.doesNotMatch(await abortOf(await beginSplit(client, ctx)), UNKNOWN);
    });

    it('the source dropped before its step: the printed abort keeps the copy', async () => {
      const split = await beginSplit(client, ctx);
      let isSaved = false;
      const dies = mortalContext(client, (spec) => {
        const isOver = isSaved && Boolean(spec.applyOps || spec.insert);
        isSaved ||= saves(spec, 'cutting');
        return isOver;
      });
      await assert.rejects(splitCutover(dies, split.id, ALONE));
      await endLease(client, split.id);
      await split.from.drop();
      const check = async () => {
        const answer = await splitStatus(ctx, split.id);
        const calls = printedCalls(answer);
        assert.deepEqual(calls, [`tune.split.abort("${split.id}", { keepCopy: true })`]);
        return calls[0];
      };
      await check();
      await assert.rejects(splitAbort(ctx, split.id, ALONE), { code: 'TUNE-35017' });
      const { confirm } = await typedIn(client, await check(), ctx);
      await typedIn(client, confirm, ctx);
      const { phase, into } = await split.read();
      assert.equal(phase, 'aborted');
      assert.equal(await client.db('app2').collection(into.stagingName).countDocuments(), BEFORE);
    });
  });
});
