'use strict';

const assert = require('node:assert/strict');
const { useServer } = require('../../support/one-server');
const { setExternally, cacheOf } = require('../../support/engine');
const { run: apply } = require('../../../lib/commands/apply');
const { run: config } = require('../../../lib/commands/settings');

describe('a cache that is not as recorded', function () {
  this.timeout(60_000);
  const place = useServer();

  it('does not hide that a change puts a target above its trigger', async () => {
    await setExternally(place.server, 'cache_size=1024M,eviction_dirty_target=6');
    // Refused, and taken by half: 300 MB with a record of 1 GB.
    await setExternally(place.server, 'cache_size=300M,eviction_dirty_trigger=900MB').catch(
      () => {},
    );
    assert.equal((await cacheOf(place.server)).maxBytes, 300 * 2 ** 20);
    const ctx = place.context();
    // 60 MB: 20% of 300 MB, and 5.9% of the 1 GB that the call itself brings back.
    await apply(ctx, { evictionDirtyTrigger: 60 * 2 ** 20 }, { confirm: true }).catch(() => {});
    const { evictionDirtyTarget, evictionDirtyTrigger, cacheSizeGB } = await config(ctx);
    assert.ok(
      Number(evictionDirtyTarget.value) < Number(evictionDirtyTrigger.value),
      `cache ${cacheSizeGB.value} GB, target ${evictionDirtyTarget.value}, trigger ${evictionDirtyTrigger.value}`,
    );
  });
});
