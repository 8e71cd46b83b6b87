'use strict';

/**
 * A shell that was paused until its lease was over, and another operator ended its split and moved
 * the same collection by a new plan: what it says then must not touch that.
 */
const assert = require('node:assert/strict');
const { EventEmitter, once } = require('node:events');
const { run: splitAbort } = require('../../../lib/commands/split-abort');
const { run: splitCutover } = require('../../../lib/commands/split-cutover');
const { run: splitResume } = require('../../../lib/commands/split-resume');
const { run: splitRollback } = require('../../../lib/commands/split-rollback');
const { run: splitRun } = require('../../../lib/commands/split-run');
const { ALONE, BEFORE, beginSplit, takesWrites } = require('../../support/begun-split');
const { throughHands } = require('../../support/beside');
const { contextOf } = require('../../support/context');
const { saves } = require('../../support/sent');
const { endLease, planOf, useSet } = require('../../support/split');
const { stepsOf } = require('../../support/split-steps');
const { typedIn } = require('../../support/typed');

/** The view at the source is dropped, and the old data gets that name. */
const isSwitchBack = (/** @type {any} */ spec) =>
  stepsOf(spec).some(({ drop }) => drop && !String(drop).includes('_trial_'));

describe('a shell that wakes up after another one has ended its split', function () {
  this.timeout(120_000);
  /** @type {any} */ let client;
  /** @type {any} */ let ctx;
  useSet((set) => {
    ({ client, ctx } = set);
  });

  /** Paused just before it sends this. @param {(spec: any) => boolean} isIt */
  function pausable(isIt) {
    const events = new EventEmitter();
    const paused = once(events, 'paused');
    let isPaused = false;
    const mine = throughHands(contextOf(client), async (send, spec) => {
      if (!isPaused && isIt(spec)) {
        isPaused = true;
        const woken = once(events, 'woken');
        events.emit('paused');
        await woken;
      }
      return send();
    });
    return { mine, paused, wake: () => events.emit('woken') };
  }

  /**
   * @param {{ id: string }} split
   * @param {(ctx: any, id: string, options: any) => Promise<any>} verb
   * @param {(spec: any) => boolean} isIt
   * @param {() => Promise<unknown>} meanwhile
   */
  async function wokenAfter({ id }, verb, isIt, meanwhile) {
    const { mine, paused, wake } = pausable(isIt);
    const running = verb(mine, id, ALONE).then(
      () => assert.fail('it went on'),
      (error) => error,
    );
    await paused;
    await endLease(client, id);
    await meanwhile();
    wake();
    const error = await running;
    assert.doesNotMatch(error.message, /renam|blocked|new collection/);
    assert.equal(error.code, 'TUNE-35003');
    const call = error.message.match(/tune\.split\.status\("[^"]+"\)/)?.[0] ?? '';
    return { error, status: await typedIn(client, call, ctx) };
  }

  /** @param {string} name */
  async function movedAnew(name) {
    const moves = [{ ns: `app.${name}`, into: `app2.${name}` }];
    const plan = await planOf(client, { moves });
    await splitRun(ctx, plan, { confirm: true });
    await splitCutover(ctx, plan.id, ALONE);
  }

  it('a cutover that was aborted: it names status, and not the new target', async () => {
    const split = await beginSplit(client, ctx);
    const { status } = await wokenAfter(
      split,
      splitCutover,
      (spec) => saves(spec, 'switching'),
      async () => {
        await splitAbort(ctx, split.id, ALONE);
        await movedAnew(split.name);
      },
    );
    assert.equal(status.splits[0].phase, 'aborted');
    assert.equal(await split.into.countDocuments(), BEFORE);
    assert.deepEqual(await takesWrites(client, split.name), ['app2']);
  });

  it('a rollback that another shell has ended: no rename of the new target', async () => {
    const split = await beginSplit(client, ctx, { switched: true });
    const { status } = await wokenAfter(split, splitRollback, isSwitchBack, async () => {
      await splitRollback(ctx, split.id, ALONE);
      await movedAnew(split.name);
    });
    assert.equal(status.splits[0].phase, 'rolled-back');
    assert.deepEqual(await takesWrites(client, split.name), ['app2']);
  });

  it('a cutover that another shell has ended: nothing is said to be blocked', async () => {
    const split = await beginSplit(client, ctx);
    const { status } = await wokenAfter(
      split,
      splitCutover,
      (spec) => saves(spec, 'switched'),
      () => splitResume(ctx, split.id, ALONE),
    );
    assert.equal(status.splits[0].phase, 'switched');
    assert.deepEqual(await takesWrites(client, split.name), ['app2']);
  });

  it('a collection of another split at a blocked name: that split is named, and no rename', async () => {
    const split = await beginSplit(client, ctx);
    const other = await beginSplit(client, ctx);
    const { mine, paused, wake } = pausable((spec) => saves(spec, 'switching'));
    const running = splitCutover(mine, split.id, ALONE).then(
      () => assert.fail('it went on'),
      (error) => error,
    );
    await paused;
    await split.from.drop();
    await other.from.rename(split.name);
    const { stagingName } = (await split.read()).into;
    await client.db('app2').collection(stagingName).rename('elsewhere');
    wake();
    const error = await running;
    assert.match(error.message, new RegExp(`${other.id}:app\\.${other.name}`));
    assert.doesNotMatch(error.message, /renameCollection|rename that/);
    const [row] = (await typedIn(client, `tune.split.status("${split.id}")`, ctx)).splits;
    assert.doesNotMatch(String(row.open), /rename/);
  });
});
