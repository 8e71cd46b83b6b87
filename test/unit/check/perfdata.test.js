'use strict';

const assert = require('node:assert/strict');
const { perfdataOf } = require('../../../lib/check/pure/check-text');

const LIMITS = {
  'dirty-ratio': { nearTriggerRatio: 0.75 },
  'updates-ratio': { nearTriggerRatio: 0.5 },
  'checkpoint-duration': { longMs: 60_000, veryLongMs: 300_000 },
  tickets: { minQueued: 1 },
};
/** @param {any} [more] @returns {any} */
const status = (more) => ({
  cache: {
    usedRatio: 0.8,
    dirtyRatio: 0.05,
    updatesRatio: null,
    readBytesPerSec: 10,
    writtenBytesPerSec: 20,
  },
  eviction: { pagesPerSec: 1, appPagesPerSec: 0 },
  checkpoint: { lastMs: 86 },
  clients: { readingThreads: 0.1, evictingThreads: 0, waitingThreads: 0 },
  tickets: { readInUse: 1, readTotal: 128, writeInUse: 2, writeTotal: null },
  ops: { readsPerSec: 5, writesPerSec: 6, readLatencyMs: null, writeLatencyMs: 1.5 },
  thresholds: { dirtyTriggerRatio: 0.2, updatesTriggerRatio: 0.1 },
  ...more,
});
/** @param {any} [more] */
const byLabel = (more) =>
  Object.fromEntries(
    perfdataOf(status(more), { queued: 3, ofRules: LIMITS }).map((one) => [one.label, one]),
  );

describe('check/pure/check-text', () => {
  it('ratios are percent, and what is not known is null', () => {
    assert.deepEqual(byLabel().cache_used, {
      label: 'cache_used',
      value: 80,
      unit: '%',
      warn: null,
      crit: null,
      min: 0,
      max: 100,
    });
    assert.equal(byLabel().cache_updates.value, null);
  });
  it('limits come from the settings in effect and from the rules', () => {
    const {
      cache_dirty: dirty,
      cache_updates: updates,
      checkpoint_last: checkpoint,
      queued_operations: queued,
    } = byLabel();
    assert.deepEqual(
      [dirty, updates, checkpoint, queued].map(({ warn, crit }) => [
        Number(warn?.toFixed(6)),
        crit,
      ]),
      [
        [15, 20],
        [5, 10],
        [60_000, 300_000],
        [1, null],
      ],
    );
  });
  it('a trigger that is not known is none', () =>
    assert.deepEqual(
      [
        byLabel({ thresholds: { dirtyTriggerRatio: null, updatesTriggerRatio: null } }).cache_dirty
          .warn,
        byLabel().tickets_read.max,
        byLabel().tickets_write.max,
      ],
      [null, 128, null],
    ));
  it('the labels are the same whatever is known, and once each', () => {
    const labels = perfdataOf(status(), { queued: null, ofRules: LIMITS }).map(
      ({ label }) => label,
    );
    assert.equal(new Set(labels).size, labels.length);
    assert.ok(labels.every((label) => /^[a-z_]+$/.test(label)));
  });
});
