'use strict';

const assert = require('node:assert/strict');
const { QUICK_STEPS, useServer } = require('../../support/one-server');
const { setExternally, cacheOf } = require('../../support/engine');
const { startWorkload } = require('../../support/workload');
const { run: benchSteps } = require('../../../lib/commands/bench-steps');
const { run: trial } = require('../../../lib/commands/trial');
const { run: history } = require('../../../lib/commands/history');

const CHANGE = Object.freeze({ evictionTarget: 75 });
const QUICK = Object.freeze({ confirm: true, blocks: 4, blockSeconds: 1, keep: 'never' });
const BACK = /Any further call sets cacheSizeGB to 0\.5/;

describe('a trial, or steps of a benchmark, where the cache is not as recorded', function () {
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
    const unforced = { ...QUICK_STEPS, force: undefined };
    await assert.rejects(trial(place.context(), CHANGE, QUICK), refusal);
    await assert.rejects(benchSteps(place.context(), [CHANGE], unforced), refusal);
    await assert.rejects(
      benchSteps(place.context(), [CHANGE, { cacheSizeGB: 1 }], unforced),
      refusal,
    );
    assert.deepEqual([await cacheMB(), await history(place.context())], [300, []]);
  });

  it('so is a threshold under a key in quotes, which any call would end', async () => {
    await setExternally(place.server, 'cache_size=512M');
    await setExternally(place.server, '"eviction_dirty_trigger"=30');
    const refusal = { code: 'TUNE-30006', message: /evictionDirtyTrigger: 20 \}\) or .*: 30 \}/ };
    await assert.rejects(trial(place.context(), CHANGE, QUICK), refusal);
    await assert.rejects(
      benchSteps(place.context(), [CHANGE], { ...QUICK_STEPS, force: undefined }),
      refusal,
    );
  });

  it('by force it is told', async () => {
    const { warnings: shown } = await benchSteps(place.context(), [CHANGE], {
      ...QUICK_STEPS,
      confirm: false,
    });
    const climbed = await benchSteps(place.context(), [CHANGE], QUICK_STEPS);
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
