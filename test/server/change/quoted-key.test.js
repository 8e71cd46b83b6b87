'use strict';

const assert = require('node:assert/strict');
const { run: apply } = require('../../../lib/commands/apply');
const { run: settings } = require('../../../lib/commands/settings');
const { cacheOf, setExternally } = require('../../support/engine');
const { useServer } = require('../../support/one-server');

const DO = Object.freeze({ confirm: true });
const MB = 2 ** 20;

describe('a key in quotes, which WiredTiger obeys and does not record', function () {
  this.timeout(60_000);
  const place = useServer();

  for (const text of ['"cache_size"=600M', '{"cache_size":629145600}'])
    it(`${text}: the next call would shrink the cache at once, and is refused`, async () => {
      const { server, context } = place;
      await setExternally(server, 'cache_size=300M');
      await setExternally(server, text);
      await assert.rejects(apply(context(), { evictionCheckpointTarget: 7 }, DO), {
        code: 'TUNE-30006',
      });
      assert.equal((await cacheOf(server)).maxBytes, 600 * MB);
      assert.equal((await apply(context(), { cacheSizeGB: 300 / 1024 }, DO)).verified, true);
      await apply(context(), { evictionCheckpointTarget: text.length }, DO);
      assert.equal((await cacheOf(server)).maxBytes, 300 * MB);
    });

  it('a threshold: it is active until the next string, which is said', async () => {
    const { server, context } = place;
    await setExternally(server, 'eviction_target=78');
    await setExternally(server, '"eviction_target"=71');
    const seen = await settings(context());
    assert.equal(seen.evictionTarget.value, 71);
    assert.deepEqual(
      seen.drift.map(({ setting, recorded, value }) => [setting, recorded, value]),
      [['evictionTarget', 78, 71]],
    );
    const done = await apply(context(), { evictionCheckpointTarget: 7 }, DO);
    assert.match(done.warnings.join(), /evictionTarget to 78/);
    assert.equal((await settings(context())).evictionTarget.value, 78);
  });
});
