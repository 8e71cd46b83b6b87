'use strict';

const assert = require('node:assert/strict');
const { run: apply } = require('../../../lib/commands/apply');
const {
  askedStrings,
  cacheOf,
  floodLog,
  makeDirty,
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
    assert.deepEqual(
      shown.steps.flatMap((step) => (step.kind === 'wait' ? step.limits : [])),
      [
        {
          kind: 'dirty',
          trigger: 'evictionDirtyTrigger',
          belowBytes: Math.floor(0.04 * 512 * 2 ** 20 * 0.95),
        },
      ],
    );
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

  it('a trigger alone is refused: nobody knows whether it is above its target', async () => {
    const asked = await askedStrings(place.server);
    await assert.rejects(apply(place.context(), { evictionDirtyTrigger: 10 }, DO), (error) => {
      assert.equal(error.code, 'TUNE-30003');
      assert.match(
        error.message,
        /evictionDirtyTarget is not known.*together with evictionDirtyTrigger/,
      );
      return true;
    });
    assert.deepEqual(await askedStrings(place.server), asked);
    const both = await apply(
      place.context(),
      { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 },
      DO,
    );
    assert.equal(both.verified, true);
    await apply(place.context(), { evictionTrigger: 96 }, { ...DO, force: true });
  });
});
