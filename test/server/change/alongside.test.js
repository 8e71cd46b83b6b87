'use strict';

const assert = require('node:assert/strict');
const { useTrialServer, onProgress } = require('../../support/trial');
const { setExternally, cacheOf } = require('../../support/engine');
const { beforeCall } = require('../../support/beside');
const { config } = require('../../../lib/commands/config');
const { apply } = require('../../../lib/commands/apply');
const { undo } = require('../../../lib/commands/undo');

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
    await place.run({ evictionTarget: 70 }, { blocks: 4, seconds: 2 }, ctx);
    const [target, trigger] = await order();
    assert.ok(Number(target) < Number(trigger), `${target} and ${trigger}`);
  });

  it('and was refused half-way is not changed by a change of something else, unsaid', async () => {
    await assert.rejects(setExternally(place.server, 'cache_size=1G,eviction_dirty_trigger=2G'));
    const before = (await cacheOf(place.server)).maxBytes;
    const shown = await apply(place.context(), { evictionCheckpointTarget: 9 });
    await apply(place.context(), { evictionCheckpointTarget: 9 }, DO);
    const after = (await cacheOf(place.server)).maxBytes;
    await undo(place.context(), DO);
    assert.ok(
      before === after || /cache/.test(shown.warnings.join()),
      `the cache went from ${before} to ${after} bytes`,
    );
  });
});
