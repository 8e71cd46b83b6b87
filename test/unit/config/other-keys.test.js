'use strict';

const assert = require('node:assert/strict');
const { otherKeysOf } = require('../../../lib/config/engine-config');

describe('config/engine-config', () => {
  it('lists what is no setting of tune, the last value of each', () => {
    assert.deepEqual(
      otherKeysOf('cache_size=1G,eviction=(threads_max=8,evict_sample_inmem=true)', [
        'cache_eviction_controls=(incremental_app_eviction,cache_tolerance_for_app_eviction=10)',
        'eviction_target=70,cache_eviction_controls=(cache_tolerance_for_app_eviction=20)',
      ]),
      [
        { key: 'eviction.evict_sample_inmem', value: 'true', from: 'startup' },
        { key: 'cache_eviction_controls.incremental_app_eviction', value: 'true', from: 'runtime' },
        {
          key: 'cache_eviction_controls.cache_tolerance_for_app_eviction',
          value: '20',
          from: 'runtime',
        },
      ],
    );
  });
  it('shows no secret, and takes broken text as far as it goes', () => {
    assert.deepEqual(otherKeysOf('encryption=(name=x,secretkey=abc)', ['a=(b', '']), [
      { key: 'encryption.name', value: null, from: 'startup' },
      { key: 'encryption.secretkey', value: null, from: 'startup' },
    ]);
    assert.deepEqual(otherKeysOf(null, []), []);
  });
});
