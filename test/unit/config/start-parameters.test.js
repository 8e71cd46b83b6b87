'use strict';

const assert = require('node:assert/strict');
const { thresholdsIn, sessionMaxIn } = require('../../../lib/config/setting-table');
const { fromOptions } = require('../../../lib/server/engine-history');

describe('config/setting-table', () => {
  it('sizes in GB become the bytes that WiredTiger is given, whole megabytes', () =>
    assert.deepEqual(
      thresholdsIn({
        wiredTigerEvictionDirtyTargetGB: 0.5,
        wiredTigerEvictionDirtyMaxGB: '2',
        wiredTigerEvictionUpdatesTargetGB: 0.01,
        wiredTigerEvictionUpdatesMaxGB: 1,
      }),
      {
        evictionDirtyTarget: 2 ** 29,
        evictionDirtyTrigger: 2 ** 31,
        evictionUpdatesTarget: 10 * 2 ** 20,
        evictionUpdatesTrigger: 2 ** 30,
      },
    ));
  it('what is not given, or no number, sets nothing', () => {
    for (const given of [
      undefined,
      null,
      {},
      { wiredTigerEvictionDirtyMaxGB: 0 },
      { wiredTigerEvictionDirtyMaxGB: '' },
      { wiredTigerEvictionDirtyMaxGB: 'x' },
    ])
      assert.deepEqual(thresholdsIn(given), {});
    assert.equal(sessionMaxIn({}), null);
    assert.equal(sessionMaxIn({ wiredTigerSessionMax: '20000' }), 20_000);
  });
  it('are read where getCmdLineOpts has them (made after its form)', () =>
    assert.deepEqual(
      fromOptions({
        storage: { wiredTiger: { engineConfig: { cacheSizePct: 40 } } },
        setParameter: { wiredTigerEvictionDirtyMaxGB: 2, wiredTigerSessionMax: 500 },
      }).engineConfig,
      {
        cacheSizeGB: null,
        cacheSizePct: 40,
        configString: null,
        thresholds: { evictionDirtyTrigger: 2 ** 31 },
        sessionMax: 500,
      },
    ));
});
