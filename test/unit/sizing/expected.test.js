'use strict';

const assert = require('node:assert/strict');
const { expectedOf } = require('../../../lib/sizing/expected');

const GIB = 2 ** 30;
const READING = {
  'cache.maxBytes': 0.25 * GIB,
  'cache.pagesReadPerSec': 600,
  'cache.usedRatioMax': 0.8,
  'data.bytes': 1.17 * 1e9,
  'config.targetRatio': 0.8,
  'clients.readingThreads': 7,
  'clients.evictingThreads': 0,
  'clients.waitingThreads': 0,
  'clients.busyThreads': 7.1,
  'process.cpuRatio': 0.05,
};
const EVICTING = {
  ...READING,
  'clients.readingThreads': 0.5,
  'clients.evictingThreads': 4,
  'clients.busyThreads': 10,
  'config.threadsMax': 2,
};
/** @param {any} change @param {any} metrics */
const of = (change, metrics) => expectedOf(change, metrics);
/** @param {any} expected @param {number} ratio */
function holds(expected, ratio) {
  assert.ok(expected !== null && expected.low <= expected.ratio && expected.ratio <= expected.high);
  assert.ok(
    expected.low <= ratio && ratio <= expected.high,
    `${ratio} is not in ${JSON.stringify(expected)}`,
  );
}

describe('sizing/expected', () => {
  it('of a larger cache for readers holds what was measured (docs/evidence/cache-size.md)', () => {
    holds(of({ cacheSizeGB: 0.5 }, READING), 1.24);
    holds(of({ cacheSizeGB: 1 }, READING), 2.65);
    holds(of({ cacheSizeGB: 1.5 }, READING), 8.6);
  });

  it('of a larger cache for writers, and of thresholds, holds what was measured', () => {
    holds(of({ cacheSizeGB: 0.5 }, EVICTING), 1.26);
    holds(of({ cacheSizeGB: 1 }, EVICTING), 1.56);
    holds(of({ evictionDirtyTarget: 10, evictionDirtyTrigger: 40 }, EVICTING), 1.28);
    const lowered = { ...EVICTING, 'config.dirtyTriggerRatio': 0.05, 'cache.dirtyRatio': 0.055 };
    holds(of({ evictionDirtyTarget: 5, evictionDirtyTrigger: 20 }, lowered), 1.41);
  });

  it('of threads is at most the time that clients spend on eviction, and may be nothing', () => {
    const expected = of({ evictionThreadsMin: 4, evictionThreadsMax: 4 }, EVICTING);
    holds(expected, 1);
    assert.ok(Math.abs(Number(expected?.ratio) - 1.25) < 0.01);
    assert.ok(Math.abs(Number(expected?.high) - 1 / 0.6) < 0.01);
  });

  it('is not known of what goes the other way', () => {
    assert.equal(of({ evictionDirtyTarget: 1, evictionDirtyTrigger: 3 }, EVICTING), null);
    assert.equal(of({ evictionThreadsMin: 1, evictionThreadsMax: 1 }, EVICTING), null);
  });

  it('of a larger cache at a disk at its limit leaves room for what is written', () => {
    const limited = {
      ...READING,
      'eviction.pageReadMs': 12,
      'eviction.appReadsPerSec': 600,
      'eviction.modifiedPagesPerSec': 330,
    };
    const expected = of({ cacheSizeGB: 1.5 }, limited);
    assert.ok(Math.abs(Number(expected?.ratio) - 930 / 330) < 0.01);
    holds(expected, 2.99);
    assert.equal(expected?.high, of({ cacheSizeGB: 1.5 }, READING)?.high);
    const fast = of({ cacheSizeGB: 1.5 }, { ...limited, 'eviction.pageReadMs': 0.3 });
    assert.equal(fast?.ratio, of({ cacheSizeGB: 1.5 }, READING)?.ratio);
    const readOnly = of(
      { cacheSizeGB: 1.5 },
      { ...limited, 'eviction.modifiedPagesPerSec': undefined },
    );
    assert.equal(readOnly?.ratio, of({ cacheSizeGB: 1.5 }, READING)?.ratio);
  });

  it('… and less is written, the more data may be dirty in it (docs/evidence/advice.md)', () => {
    const limited = {
      ...READING,
      'cache.maxBytes': 0.0625 * GIB,
      'cache.pagesReadPerSec': 593,
      'data.bytes': 229 * 2 ** 20,
      'eviction.pageReadMs': 12,
      'eviction.appReadsPerSec': 593,
      'eviction.modifiedPagesPerSec': 275,
    };
    holds(of({ cacheSizeGB: 0.5 }, limited), 3.03);
    holds(of({ cacheSizeGB: 0.75 }, limited), 4.18);
    holds(of({ cacheSizeGB: 1 }, limited), 4.3);
    holds(of({ cacheSizeGB: 1.5 }, limited), 6.54);
    holds(of({ cacheSizeGB: 2 }, limited), 8.16);
    assert.ok(Number(of({ cacheSizeGB: 2 }, limited)?.ratio) > 8);
  });

  it('is never more than the CPUs leave', () => {
    assert.equal(of({ cacheSizeGB: 1.5 }, { ...READING, 'process.cpuRatio': 0.5 })?.high, 2);
    const paging = { ...READING, 'process.cpuRatio': 0.5, 'process.cpuCores': 1 };
    const costly = { ...paging, 'cache.pagesReadPerSec': 5000, 'eviction.pageReadMs': 0.3 };
    assert.equal(of({ cacheSizeGB: 1.5 }, costly)?.ratio, 2);
    assert.ok(Math.abs(Number(of({ cacheSizeGB: 1.5 }, costly)?.high) - 2 / (1 - 0.35)) < 0.01);
    assert.equal(of({ cacheSizeGB: 1.5 }, { ...READING, 'process.cpuRatio': 1 })?.ratio, 1);
  });

  it('is not known without a change, without the counters, and of what was never measured', () => {
    assert.equal(of(null, READING), null);
    assert.equal(of({ cacheSizeGB: 1 }, {}), null);
    assert.equal(of({ cacheSizeGB: 1 }, { ...READING, 'data.bytes': undefined }), null);
    assert.equal(of({ evictionTarget: 80, evictionTrigger: 95 }, EVICTING), null);
  });
});
