'use strict';

const assert = require('node:assert/strict');
const { proposalOf } = require('../../../lib/diagnose/proposal');
const { changeWords } = require('../../../lib/config/change');

const GIB = 2 ** 30;
const setting = (/** @type {number | null} */ value) => ({ value });

/** @param {any} change @param {any} metrics @param {any} [config] @param {any} [bottleneck] */
const of = (change, metrics, config = null, bottleneck = 'cache-dirty') =>
  proposalOf(change, { bottleneck, metrics, config });

describe('diagnose/proposal', () => {
  it('the values now come from the settings, the size of the cache else from its counter', () => {
    const config = {
      cacheSizeGB: setting(0.25),
      evictionDirtyTarget: setting(null),
      evictionDirtyTrigger: setting(5),
    };
    assert.deepEqual(of({ cacheSizeGB: 1 }, { 'cache.maxBytes': GIB / 2 }, config).before, {
      cacheSizeGB: 0.25,
    });
    assert.deepEqual(of({ cacheSizeGB: 1 }, { 'cache.maxBytes': GIB / 2 }).before, {
      cacheSizeGB: 0.5,
    });
    assert.deepEqual(of({ cacheSizeGB: 1 }, {}).before, {});
    assert.deepEqual(
      of({ evictionDirtyTarget: 5, evictionDirtyTrigger: 20 }, { 'cache.maxBytes': GIB }, config)
        .before,
      { evictionDirtyTrigger: 5 },
    );
  });

  it('the reason has the RAM that is free, where that is known of this server', () => {
    const memory = { 'host.memoryBytes': 16 * GIB };
    const { reason } = of({ cacheSizeGB: 4 }, { ...memory, 'memory.availableBytes': 10 * GIB });
    assert.match(reason, /\. 4 GiB is 25\.0% of RAM; 10 GiB is available\.$/);
    assert.match(
      of({ cacheSizeGB: 4 }, { ...memory, 'memory.availableBytes': 64 * GIB }).reason,
      /of RAM \(16 GiB\)\.$/,
    );
    assert.doesNotMatch(of({ cacheSizeGB: 4 }, {}).reason, /RAM/);
  });

  it('each kind of change has its own reason', () => {
    const reasons = [
      of({ cacheSizeGB: 4 }, {}, null, 'cache-read'),
      of({ cacheSizeGB: 4 }, {}),
      of({ evictionThreadsMin: 4, evictionThreadsMax: 4 }, {}, null, 'eviction-threads'),
      of({ evictionDirtyTarget: 10, evictionDirtyTrigger: 40 }, {}),
      of({ evictionDirtyTarget: 5, evictionDirtyTrigger: 20 }, {}),
    ].map(({ reason }) => reason);
    assert.equal(new Set(reasons).size, 5);
  });

  it('a change in words: old and new value, the old one where it is known', () => {
    assert.equal(
      changeWords(
        { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 },
        { evictionDirtyTrigger: 5 },
      ),
      'evictionDirtyTarget: 5%, evictionDirtyTrigger: 5% → 20%',
    );
    assert.equal(
      changeWords({ cacheSizeGB: 1 }, { cacheSizeGB: 0.25 }),
      'cacheSizeGB: 0.25 GiB → 1 GiB',
    );
    assert.equal(changeWords({ cacheSizeGB: 1 }, null), 'cacheSizeGB: 1 GiB');
  });
});
