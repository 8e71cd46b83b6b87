'use strict';

const assert = require('node:assert/strict');
const { sizeDirty, sizeUpdates } = require('../../../lib/sizing/eviction');
const { recommendationFor } = require('../../../lib/diagnose/recommendation');
const { dirtyLimit, areUpdatesAlone } = require('../../../lib/signals/dirty-limit');
const { WRITE_BOUND, HEALTHY, GiB } = require('../../support/readings');

/** @param {any} [more] */
const size = (more = {}) => sizeDirty({ ...WRITE_BOUND, ...more });
const LOWERED = {
  'cache.dirtyRatio': 0.0565,
  'cache.dirtyRatioMax': 0.135,
  'clients.waitingThreads': 9,
  'cache.dirtyHardShare': 0.5,
};

describe('sizing/eviction', () => {
  it('10/40 where the disk can write that much within a minute', () => {
    const { change, explain } = size();
    assert.deepEqual(change, { evictionDirtyTarget: 10, evictionDirtyTrigger: 40 });
    assert.match(
      explain.join(' '),
      /40%, up to 102 MiB may be dirty: 13\.3 s to write \(limit: 60 s\)/,
    );
  });
  it('3/25 where it cannot', () => {
    assert.deepEqual(size({ 'cache.maxBytes': 1.14 * GiB }).change, {
      evictionDirtyTarget: 3,
      evictionDirtyTrigger: 25,
    });
    assert.deepEqual(size({ 'cache.maxBytes': 1.13 * GiB }).change, {
      evictionDirtyTarget: 10,
      evictionDirtyTrigger: 40,
    });
  });
  it('nothing where five minutes are too short for that', () => {
    assert.deepEqual(size({ 'cache.maxBytes': 9 * GiB }).change, {
      evictionDirtyTarget: 3,
      evictionDirtyTrigger: 25,
    });
    const { change, explain } = size({ 'cache.maxBytes': 9.1 * GiB });
    assert.equal(change, null);
    assert.match(explain.join(' '), /the disk is the limit/);
  });
  it('never lowers: from 25 only up, from 40 nothing', () => {
    assert.deepEqual(size({ 'config.dirtyTriggerRatio': 0.25, 'cache.maxBytes': GiB }).change, {
      evictionDirtyTarget: 10,
      evictionDirtyTrigger: 40,
    });
    assert.equal(
      size({ 'config.dirtyTriggerRatio': 0.25, 'cache.maxBytes': 2 * GiB }).change,
      null,
    );
    assert.equal(size({ 'config.dirtyTriggerRatio': 0.4 }).change, null);
  });
  it('a trigger that was raised to nobody knows what is left alone', () => {
    const { change, explain } = size({ 'cache.dirtyRatio': 0.4, 'cache.dirtyRatioMax': 0.41 });
    assert.equal(change, null);
    assert.match(explain.join(' '), /already raised/);
  });
  it('a lowered one returns to the default, known or suspected', () => {
    for (const more of [LOWERED, { 'config.dirtyTriggerRatio': 0.05 }])
      assert.deepEqual(size(more).change, { evictionDirtyTarget: 5, evictionDirtyTrigger: 20 });
    assert.match(size(LOWERED).explain.join(' '), /Application threads evict at 5\.7% dirty/);
    assert.match(size({ 'config.dirtyTriggerRatio': 0.05 }).explain.join(' '), /The trigger is 5%/);
  });
  it('without the cache size or the write rate: nothing', () => {
    assert.equal(size({ 'cache.maxBytes': undefined }).change, null);
    assert.equal(size({ 'cache.writtenBytesPerSec': 0 }).change, null);
  });
});

describe('signals/dirty-limit', () => {
  const DEFAULT = { triggerRatio: 0.1, how: 'assumed' };
  const limit = (/** @type {any} */ more = {}) => dirtyLimit({ ...WRITE_BOUND, ...more });
  it('assumes the default where nothing contradicts it', () =>
    assert.deepEqual(limit(), {
      triggerRatio: 0.2,
      how: 'assumed',
      isLowered: false,
      isReached: true,
      by: 'dirty',
      updates: DEFAULT,
    }));
  it('knows what is configured', () =>
    assert.deepEqual(limit({ 'config.dirtyTriggerRatio': 0.1 }), {
      triggerRatio: 0.1,
      how: 'known',
      isLowered: true,
      isReached: true,
      by: 'dirty',
      updates: DEFAULT,
    }));
  it('suspects a lowered trigger from clients that evict for dirty data far below 20%', () => {
    assert.deepEqual(limit(LOWERED), {
      triggerRatio: null,
      how: 'suspected-lower',
      isLowered: true,
      isReached: true,
      by: 'dirty',
      updates: { ...DEFAULT, triggerRatio: null },
    });
    assert.equal(
      limit({ ...LOWERED, 'cache.dirtyHardShare': 0.04 }).how,
      'assumed',
      'the server must say so',
    );
    assert.equal(limit({ ...LOWERED, 'cache.dirtyRatio': 0.15 }).how, 'assumed', 'not far below');
    assert.equal(
      limit({ ...LOWERED, 'cache.dirtyRatioMax': 0.181 }).how,
      'assumed',
      'touched the default meanwhile',
    );
    assert.equal(
      limit({ ...LOWERED, 'clients.waitingThreads': 0.1, 'clients.evictingThreads': 0.1 }).how,
      'assumed',
      'costs nothing',
    );
  });
  it('or from the last looks at them, when it was lowered meanwhile', () => {
    // Measured: set to 1/5 in the middle of the window; 20.7% at its beginning, 5.7% in the end.
    const meanwhile = {
      ...LOWERED,
      'cache.dirtyRatio': 0.0569,
      'cache.dirtyRatioMax': 0.207,
      'cache.dirtyHardLevelRatio': 0.057,
    };
    assert.equal(limit(meanwhile).how, 'suspected-lower');
    assert.equal(
      limit({ ...meanwhile, 'cache.dirtyRatio': 0.4 }).how,
      'suspected-lower',
      'from a raised one',
    );
    assert.equal(
      limit({ ...meanwhile, 'cache.dirtyHardLevelRatio': 0.15 }).how,
      'assumed',
      'not far below',
    );
    assert.equal(
      limit({ ...meanwhile, 'cache.dirtyHardLevelRatio': undefined }).how,
      'assumed',
      'too few samples',
    );
    assert.deepEqual(sizeDirty({ ...HEALTHY, ...meanwhile }).change, {
      evictionDirtyTarget: 5,
      evictionDirtyTrigger: 20,
    });
  });
  it('sees a raised one', () => {
    assert.deepEqual(limit({ 'cache.dirtyRatio': 0.231 }), {
      triggerRatio: null,
      how: 'raised',
      isLowered: false,
      isReached: true,
      by: 'dirty',
      updates: { ...DEFAULT, triggerRatio: null },
    });
    assert.equal(limit({ 'cache.dirtyRatio': 0.23 }).how, 'assumed');
  });
  it('is reached within two points, or when the server says so', () => {
    const calm = { ...HEALTHY };
    assert.equal(dirtyLimit({ ...calm, 'cache.dirtyRatio': 0.181 }).isReached, true);
    assert.equal(dirtyLimit({ ...calm, 'cache.dirtyRatio': 0.179 }).isReached, false);
    assert.equal(dirtyLimit({ ...calm, 'cache.dirtyHardShare': 0.05 }).isReached, true);
    assert.equal(dirtyLimit({ ...calm, 'cache.dirtyHardShare': 0.04 }).isReached, false);
  });
  it('update data has a limit of its own', () => {
    assert.equal(dirtyLimit({ ...HEALTHY, 'cache.updatesHardShare': 0.05 }).isReached, true);
    assert.equal(
      dirtyLimit({ ...HEALTHY, 'cache.updatesRatio': 0.1, 'config.updatesTriggerRatio': 0.1 })
        .isReached,
      true,
    );
    assert.equal(
      dirtyLimit({ ...HEALTHY, 'cache.updatesRatio': 0.09, 'config.updatesTriggerRatio': 0.1 })
        .isReached,
      false,
    );
  });
  it('knows nothing of nothing', () =>
    assert.deepEqual(dirtyLimit({}), {
      triggerRatio: 0.2,
      how: 'assumed',
      isLowered: false,
      isReached: false,
      by: 'dirty',
      updates: DEFAULT,
    }));
});

describe('update data alone', () => {
  // Measured on 6.0.5: 8 clients that insert 600 kB each into a cache of 256 MiB.
  const INSERTS = {
    ...HEALTHY,
    'cache.maxBytes': GiB / 4,
    'cache.writtenBytesPerSec': 52e6,
    'cache.usedRatio': 0.66,
    'cache.usedRatioMax': 0.73,
    'cache.dirtyRatio': 0.053,
    'cache.dirtyRatioMax': 0.088,
    'cache.updatesRatio': 0.049,
    'cache.updatesRatioMax': 0.084,
    'clients.waitingThreads': 1.16,
  };
  const alone = (/** @type {any} */ more = {}) => areUpdatesAlone({ ...INSERTS, ...more });
  const size = (/** @type {any} */ more = {}) => sizeUpdates({ ...INSERTS, ...more });

  it('is the only reason left for which clients wait, on both sides of each boundary', () => {
    assert.equal(alone(), true);
    assert.equal(alone({ 'cache.updatesRatioMax': 0.07 }), true);
    assert.equal(alone({ 'cache.updatesRatioMax': 0.069 }), false, 'far from its trigger');
    assert.equal(alone({ 'cache.usedRatioMax': 0.819 }), true);
    assert.equal(alone({ 'cache.usedRatioMax': 0.821 }), false, 'a cache fuller than its target');
    assert.equal(alone({ 'cache.dirtyRatioMax': 0.139 }), true);
    assert.equal(alone({ 'cache.dirtyRatioMax': 0.14 }), false, 'dirty data may be why');
    assert.equal(alone({ 'clients.waitingThreads': 0.05 }), false, 'nobody waits');
    assert.equal(alone({ 'cache.usedRatioMax': undefined }), false);
    assert.equal(alone({ 'cache.updatesRatioMax': undefined }), false);
  });
  it('a lowered trigger, a raised one that is not known, and dirty data at its own are none', () => {
    assert.equal(alone({ 'config.updatesTriggerRatio': 0.05 }), false);
    assert.equal(alone({ 'cache.dirtyRatio': 0.24, 'cache.dirtyRatioMax': 0.24 }), false);
    const both = {
      'cache.updatesHardShare': 0.5,
      'cache.updatesRatio': 0.09,
      'cache.updatesRatioMax': 0.1,
      'cache.dirtyRatioMax': 0.19,
    };
    assert.equal(alone({ ...both, 'cache.dirtyRatio': 0.17 }), true);
    assert.equal(alone({ ...both, 'cache.dirtyRatio': 0.181 }), false);
    assert.equal(alone({ ...both, 'cache.dirtyHardShare': 0.5 }), false);
  });
  it('raises its trigger alone, before a larger cache', () => {
    assert.deepEqual(size()?.change, { evictionUpdatesTrigger: 20 });
    assert.match(String(size()?.explain[0]), /51\.2 MiB take 1\.03 s to write/);
    assert.deepEqual(recommendationFor('cache-dirty', INSERTS).change, {
      evictionUpdatesTrigger: 20,
    });
  });
  it('where the disk writes that much within a minute, and the dirty trigger is as high', () => {
    const perSec = (0.2 * GiB) / 4 / 60;
    assert.ok(size({ 'cache.writtenBytesPerSec': perSec + 1 }));
    assert.equal(size({ 'cache.writtenBytesPerSec': perSec - 1 }), null);
    assert.equal(size({ 'cache.writtenBytesPerSec': undefined }), null);
    assert.equal(size({ 'cache.maxBytes': undefined }), null);
    const raised = { 'config.dirtyTriggerRatio': 0.4, 'config.updatesTriggerRatio': 0.2 };
    assert.equal(size({ ...raised, 'cache.updatesHardShare': 0.5 }), null, 'it has been raised');
  });
});
