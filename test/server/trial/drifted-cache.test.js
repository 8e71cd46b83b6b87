'use strict';

const assert = require('node:assert/strict');
const { QUICK_LADDER, useServer } = require('../../support/one-server');
const { setExternally, cacheOf } = require('../../support/engine');
const { startWorkload } = require('../../support/workload');
const { run: ladder } = require('../../../lib/commands/ladder');
const { run: trial } = require('../../../lib/commands/trial');
const { run: history } = require('../../../lib/commands/history');

const CHANGE = Object.freeze({ evictionTarget: 75 });
const QUICK = Object.freeze({ confirm: true, blocks: 4, seconds: 1, keep: 'never' });
const BACK = /Whatever is set brings cacheSizeGB back to 0\.5/;

describe('a trial, or a ladder, where the cache is not as recorded', function () {
  this.timeout(120_000);
  const place = useServer({ config: 'cache_size=512M,eviction_target=80' });
  const cacheMB = async () => (await cacheOf(place.server)).maxBytes / 2 ** 20;

  beforeEach(async () => {
    // Refused, and taken by half: 300 MB with a record of 512 MB.
    await setExternally(place.server, 'cache_size=300M,eviction_dirty_trigger=900MB').catch(
      () => undefined,
    );
    assert.equal(await cacheMB(), 300);
  });

  it('is refused: its first call would change the cache, and nothing would change it back', async () => {
    const refusal = { code: 'TUNE-30006', message: /apply\(\{ cacheSizeGB: 0\.5 \}\) or .*apply/ };
    const { force: _, ...unforced } = QUICK_LADDER;
    await assert.rejects(trial(place.context(), CHANGE, QUICK), refusal);
    await assert.rejects(ladder(place.context(), [CHANGE], unforced), refusal);
    await assert.rejects(ladder(place.context(), [CHANGE, { cacheSizeGB: 1 }], unforced), refusal);
    assert.deepEqual([await cacheMB(), await history(place.context())], [300, []]);
  });

  it('by force it is told', async () => {
    const { warnings: shown } = await ladder(place.context(), [CHANGE], {
      ...QUICK_LADDER,
      confirm: false,
    });
    const climbed = await ladder(place.context(), [CHANGE], QUICK_LADDER);
    assert.match(shown.join(), BACK);
    assert.match(climbed.warnings.join(), BACK);
    assert.match(String(climbed).replace(/\s+/g, ' '), BACK);
    await setExternally(place.server, 'cache_size=300M,eviction_dirty_trigger=900MB').catch(
      () => undefined,
    );
    const load = await startWorkload(place.server.uri, 'touch');
    const tried = await trial(place.context(), CHANGE, { ...QUICK, force: true }).finally(() =>
      load.stop(),
    );
    assert.match(tried.warnings.join(), BACK);
  });
});
