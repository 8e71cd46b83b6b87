'use strict';

const assert = require('node:assert/strict');
const { run: apply } = require('../../../lib/commands/apply');
const { run: benchSteps } = require('../../../lib/commands/bench-steps');
const { run: undo } = require('../../../lib/commands/undo');
const { askedStrings, setExternally } = require('../../support/engine');
const { QUICK_STEPS, useServer } = require('../../support/one-server');
const { typeWords, valuesOf } = require('../../support/printed-calls');

const DO = Object.freeze({ confirm: true });
const FORCE = Object.freeze({ confirm: true, force: true });
const THEIRS = 'eviction_dirty_trigger=400000000';
const BEFORE = Object.freeze({ cacheSizeGB: 0.25, evictionDirtyTrigger: 20 });

describe('bytes of another session that a smaller cache cannot hold', function () {
  this.timeout(240_000);
  const place = useServer();
  afterEach(async () => {
    await setExternally(place.server, 'eviction_dirty_trigger=20');
    await setExternally(place.server, 'cache_size=256M,eviction_dirty_target=5');
  });

  /** @param {(spec: any, done: boolean) => boolean} when they set it */
  function beside(when) {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    ctx.port.adminCommand = async (spec) => {
      if (when(spec, false)) await setExternally(place.server, THEIRS);
      const answer = await adminCommand(spec);
      if (when(spec, true)) await setExternally(place.server, THEIRS);
      return answer;
    };
    return ctx;
  }

  const afterThePlan = () => {
    let reads = 0;
    return beside(
      (spec, isDone) =>
        !isDone && spec.getParameter && spec.wiredTigerEngineRuntimeConfig && ++reads === 2,
    );
  };

  const lastAsked = async () => (await askedStrings(place.server)).at(-1);

  it('a change is not sent', async () => {
    await setExternally(place.server, 'cache_size=512M');
    await assert.rejects(apply(afterThePlan(), { cacheSizeGB: 0.25 }, DO), {
      code: 'TUNE-30002',
      message: /evictionDirtyTrigger is 381 MiB, more than a cache of 256 MiB/,
    });
    assert.equal(await lastAsked(), THEIRS);
  });

  it('an undo says what comes first', async () => {
    const { id } = await apply(place.context(), { cacheSizeGB: 0.5 }, DO);
    await setExternally(place.server, THEIRS);
    const error = await undo(place.context(), String(id), DO).catch((cause) => cause);
    assert.equal(error.code, 'TUNE-30002', error.message);
    assert.equal(await lastAsked(), THEIRS);
    assert.equal(await typeWords(place.context(), error.message), 2, error.message);
    assert.deepEqual(await valuesOf(place.context(), BEFORE), BEFORE);
  });

  it('force does not send it either: WiredTiger rejects it after the cache was made smaller', async () => {
    const { id } = await apply(place.context(), { cacheSizeGB: 0.5 }, DO);
    await setExternally(place.server, THEIRS);
    const error = await undo(place.context(), String(id), FORCE).catch((cause) => cause);
    assert.equal(error.code, 'TUNE-30002', error.message);
    assert.equal(await lastAsked(), THEIRS);
    assert.equal(await typeWords(place.context(), error.message), 2, error.message);
    assert.deepEqual(await valuesOf(place.context(), BEFORE), BEFORE);
  });

  it('… of a change', async () => {
    await setExternally(place.server, 'cache_size=512M');
    await setExternally(place.server, THEIRS);
    const error = await apply(place.context(), { cacheSizeGB: 0.25 }, FORCE).catch(
      (cause) => cause,
    );
    assert.equal(error.code, 'TUNE-30002', error.message);
    assert.equal(await lastAsked(), THEIRS);
    await typeWords(place.context(), 'tune.apply({ evictionDirtyTrigger: 20 }, { confirm: true })');
  });

  it('the steps of a sequence restore the rest, and say what comes first', async () => {
    let sets = 0;
    const ctx = beside((spec, isDone) => isDone && spec.setParameter && ++sets === 1);
    const steps = [{ cacheSizeGB: 0.5 }, { evictionThreadsMax: 6 }];
    const seen = await benchSteps(ctx, steps, { ...QUICK_STEPS });
    assert.equal(await lastAsked(), 'eviction=(threads_max=4)');
    assert.equal(await typeWords(place.context(), String(seen.because)), 2, String(seen));
    assert.deepEqual(await valuesOf(place.context(), BEFORE), BEFORE);
  });

  it('beside another pair in a wrong order the threshold goes first', async () => {
    await setExternally(place.server, 'cache_size=512M');
    await setExternally(place.server, 'eviction_dirty_trigger=300000000');
    await setExternally(place.server, 'eviction_dirty_target=60');
    const change = { cacheSizeGB: 0.25, evictionDirtyTarget: 5, evictionDirtyTrigger: 100_000_000 };
    const done = await apply(place.context(), change, DO);
    assert.equal(done.verified, true, String(done));
    assert.match(String(done.commands[0].wiredTigerEngineRuntimeConfig), /^eviction_dirty/);
  });
});
