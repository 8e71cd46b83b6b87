'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, onProgress } = require('../../support/trial');
const { setExternally, cacheOf } = require('../../support/engine');
const { beforeCall } = require('../../support/beside');
const { run: config } = require('../../../lib/commands/settings');
const { run: apply } = require('../../../lib/commands/apply');
const { run: undo } = require('../../../lib/commands/undo');

const IN_B = /^block \d of \d+, B: 0 of/;
const DO = Object.freeze({ confirm: true });
/** The last look at the string before a call asks for nothing else. */
const LAST_LOOK = (/** @type {any} */ command) =>
  Boolean(command.getParameter && command.wiredTigerEngineRuntimeConfig && !command.syncdelay);

describe('what another session sets beside a change', () => {
  const place = useTrialServer('paced');
  const order = async () => {
    const { evictionTarget, evictionTrigger } = await config(place.context());
    return [evictionTarget.value, evictionTrigger.value];
  };

  it('while it is made does not leave a target above its trigger', async () => {
    await setExternally(place.server, 'eviction_target=70');
    const ctx = beforeCall(place.context(), LAST_LOOK, () =>
      setExternally(place.server, 'eviction_trigger=75'),
    );
    await apply(ctx, { evictionTarget: 80 }, DO).catch(() => undefined);
    const [target, trigger] = await order();
    assert.ok(Number(target) < Number(trigger), `${target} and ${trigger}`);
  });

  it('during a trial does not leave a target above its trigger', async () => {
    const ctx = onProgress(place.context(), IN_B, () => {
      void setExternally(place.server, 'eviction_trigger=78');
    });
    await place.run({ evictionTarget: 70 }, { blocks: 4, blockSeconds: 2 }, ctx);
    const [target, trigger] = await order();
    assert.ok(Number(target) < Number(trigger), `${target} and ${trigger}`);
  });

  it('and was refused half-way is not changed by a change of something else, but by force', async () => {
    await assert.rejects(setExternally(place.server, 'cache_size=1G,eviction_dirty_trigger=2G'));
    const cacheGB = async () => (await cacheOf(place.server)).maxBytes / 2 ** 30;
    for (const options of [{}, DO])
      await assert.rejects(
        apply(place.context(), { evictionCheckpointTarget: 9 }, options),
        (error) =>
          error.code === 'TUNE-30006' &&
          /would set the cache to 0\.25 GB at once/.test(error.message),
      );
    assert.equal(await cacheGB(), 1);
    const forced = { ...DO, force: true };
    const done = await apply(place.context(), { evictionCheckpointTarget: 9 }, forced);
    assert.match(done.warnings.join(), /Any further call sets cacheSizeGB to 0\.25/);
    assert.equal(await cacheGB(), 0.25);
    await undo(place.context(), DO);
  });
});
