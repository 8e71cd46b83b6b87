'use strict';

const assert = require('node:assert/strict');
const { useServer } = require('../../support/one-server');
const { setExternally } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: config } = require('../../../lib/commands/settings');

describe('a cache that another session sets while a change is made', function () {
  this.timeout(60_000);
  const place = useServer();

  it('does not leave a trigger in bytes below its target', async () => {
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    let calls = 0;
    ctx.port.adminCommand = async (command) => {
      const answer = await adminCommand(command);
      if (command.setParameter && (calls += 1) === 1)
        await setExternally(place.server, 'cache_size=1024M');
      return answer;
    };
    // 40 MB: 15.6% of 256 MB, and 3.9% of 1 GB.
    const done = await apply(
      ctx,
      { evictionTarget: 75, evictionDirtyTrigger: 40 * 2 ** 20 },
      { confirm: true },
    ).catch((error) => error);
    const { evictionDirtyTarget, evictionDirtyTrigger } = await config(ctx);
    assert.ok(
      Number(evictionDirtyTarget.value) < Number(evictionDirtyTrigger.value) ||
        done.verified === false,
      `target ${evictionDirtyTarget.value}, trigger ${evictionDirtyTrigger.value}; ${done.message ?? done}`,
    );
    assert.equal(done.code, 'TUNE-30002');
  });

  it('smaller, while a level is waited for: the limit is of the smaller one', async () => {
    const MB = 2 ** 20;
    await setExternally(place.server, 'cache_size=1024M');
    await setExternally(place.server, 'eviction_dirty_target=5,eviction_dirty_trigger=20');
    const ctx = place.context();
    const { adminCommand } = ctx.port;
    /** What is dirty as time goes by: 10% are 102 MB of 1 GB, and 51 MB of 512 MB. */
    let beganMs = Infinity;
    const level = () => {
      const ms = performance.now() - beganMs;
      if (ms > 4000) return 30 * MB;
      return (ms > 500 ? 80 : 150) * MB;
    };
    /** @type {number[]} */ const levelsAtCall = [];
    ctx.port.adminCommand = async (command) => {
      if (/trigger=10\b/.test(command.wiredTigerEngineRuntimeConfig)) levelsAtCall.push(level());
      const answer = await adminCommand(command);
      const cache = answer.wiredTiger?.cache;
      for (const name of Object.keys(cache ?? {}))
        if (/^tracked dirty (leaf page )?bytes in the cache$/.test(name)) cache[name] = level();
      return answer;
    };
    ctx.progress = (text) => {
      if (beganMs < Infinity || !/waiting before/.test(text ?? '')) return;
      beganMs = performance.now();
      void setExternally(place.server, 'cache_size=512M');
    };
    await apply(ctx, { evictionDirtyTrigger: 10 }, { confirm: true });
    assert.deepEqual(levelsAtCall, [30 * MB]);
  });
});
