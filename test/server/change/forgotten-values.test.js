'use strict';

const assert = require('node:assert/strict');
const { run: apply } = require('../../../lib/commands/apply');
const { run: history } = require('../../../lib/commands/history');
const { run: settings } = require('../../../lib/commands/settings');
const { run: undo } = require('../../../lib/commands/undo');
const {
  askedStrings,
  cacheOf,
  floodLog,
  makeDirty,
  onSlowDisk,
  setExternally,
} = require('../../support/engine');
const { useServer } = require('../../support/one-server');

const DO = Object.freeze({ confirm: true });
const EARLIER =
  'cache_size=512M,eviction_dirty_target=35,eviction_dirty_trigger=40,' +
  'eviction_updates_target=35,eviction_updates_trigger=40';
const LATER = 'eviction_checkpoint_target=3';

describe('another session set something that the log has lost', function () {
  this.timeout(240_000);
  const place = useServer();
  beforeEach(async () => {
    await setExternally(place.server, EARLIER);
    await setExternally(place.server, LATER);
    await floodLog(place.server);
  });

  it('a lower trigger than the level is reached in steps all the same', async () => {
    await makeDirty(place.server, 0.12);
    const change = { evictionDirtyTarget: 2, evictionDirtyTrigger: 4 };
    const shown = await apply(place.context(), change);
    const [dirty] = shown.steps.flatMap((step) => (step.kind === 'wait' ? step.limits : []));
    assert.deepEqual(dirty, {
      kind: 'dirty',
      trigger: 'evictionDirtyTrigger',
      belowBytes: Math.floor(0.04 * 512 * 2 ** 20 * 0.95),
    });
    const done = await apply(place.context(), change, DO);
    assert.equal(done.verified, true);
    assert.equal(
      (await askedStrings(place.server)).at(-1),
      done.commands.at(-1)?.wiredTigerEngineRuntimeConfig.trimEnd(),
    );
  });

  it('a smaller cache than what it holds is reached in steps', async () => {
    await makeDirty(place.server, 0.3);
    const shown = await apply(place.context(), { cacheSizeGB: 0.25 });
    assert.ok(
      shown.steps.some(({ kind }) => kind === 'wait'),
      JSON.stringify([shown.steps, await cacheOf(place.server)]),
    );
    assert.equal((await apply(place.context(), { cacheSizeGB: 0.25 }, DO)).verified, true);
  });

  it('a trigger alone: it is said that nobody knows whether it is above its target', async () => {
    const change = { evictionDirtyTrigger: 45 };
    assert.match(
      (await apply(place.context(), change)).warnings.join(),
      /evictionDirtyTarget is not known, so its order with evictionDirtyTrigger is not checked/,
    );
    const both = await apply(place.context(), { ...change, evictionDirtyTarget: 40 });
    assert.doesNotMatch(both.warnings.join(), /is not checked/);
  });
});

describe('of a target and its trigger only one is known', function () {
  this.timeout(240_000);
  const place = useServer();
  const BOTH = { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 };
  beforeEach(async () => {
    await setExternally(place.server, 'eviction=(threads_min=1,threads_max=3)');
    await setExternally(place.server, 'eviction_dirty_target=35,eviction_dirty_trigger=40');
    await floodLog(place.server);
    await setExternally(place.server, 'eviction_dirty_target=30');
  });

  it('an undo leaves both where the known one would be above the other, and says so', async () => {
    const shown = await apply(place.context(), BOTH);
    assert.match(
      shown.warnings.join(),
      /cannot restore it: evictionDirtyTrigger, evictionDirtyTarget/,
    );
    assert.equal((await apply(place.context(), BOTH, DO)).verified, true);
    const back = await undo(place.context(), DO);
    assert.deepEqual(back.commands, []);
    assert.match(back.warnings.join(), /its value before contradicts the one that stays/);
    const { evictionDirtyTarget, evictionDirtyTrigger } = await settings(place.context());
    assert.deepEqual([evictionDirtyTarget.value, evictionDirtyTrigger.value], [5, 20]);
  });

  it('the way back after a refusal does so, too', async () => {
    /** @type {any} */
    const error = await apply(place.context(), { ...BOTH, evictionThreadsMin: 6 }, DO).then(
      () => assert.fail('it must not succeed'),
      (one) => one,
    );
    assert.equal(error.code, 'TUNE-20008', error.message);
    const { evictionDirtyTarget, evictionDirtyTrigger } = await settings(place.context());
    assert.deepEqual([evictionDirtyTarget.value, evictionDirtyTrigger.value], [5, 20]);
    assert.deepEqual(error.sent, BOTH);
    assert.match(error.message, /an undo cannot restore them/);
  });
});

describe('nothing of what is lowered is known', function () {
  this.timeout(240_000);
  const place = useServer();

  it('the updates trigger, half of the dirty one by default, holds a change up as if it were known', async () => {
    await setExternally(
      place.server,
      'cache_size=512M,eviction_dirty_target=35,eviction_dirty_trigger=40,' +
        'eviction_updates_target=0,eviction_updates_trigger=0',
    );
    await setExternally(place.server, LATER);
    await makeDirty(place.server, 0.15);
    const change = { evictionDirtyTarget: 12, evictionDirtyTrigger: 20 };
    const limits = async () =>
      (await apply(place.context(), change)).steps.flatMap((step) =>
        step.kind === 'wait' ? step.limits.map(({ kind }) => kind) : [],
      );
    assert.ok((await limits()).includes('updates'));
    await floodLog(place.server);
    assert.ok((await limits()).includes('updates'));
  });

  it('on the way down the target goes first', async () => {
    await setExternally(place.server, EARLIER);
    await setExternally(place.server, LATER);
    await floodLog(place.server);
    const asked = (await askedStrings(place.server)).length;
    const ctx = onSlowDisk(place.context(), { dirtyTrigger: 40 });
    await apply(ctx, { evictionDirtyTarget: 20, evictionDirtyTrigger: 25 }, DO);
    const [first] = (await askedStrings(place.server)).slice(asked);
    assert.equal(first, 'eviction_dirty_target=20');
  });

  it('a call that is refused has changed nothing, and stays not open', async () => {
    await setExternally(place.server, 'eviction=(threads_min=1,threads_max=3)');
    await setExternally(place.server, 'file_manager=(close_idle_time=600)');
    await floodLog(place.server);
    await assert.rejects(apply(place.context(), { evictionThreadsMin: 6 }, DO), {
      code: 'TUNE-20008',
    });
    assert.equal((await history(place.context()))[0].outcome, 'refused');
  });
});
