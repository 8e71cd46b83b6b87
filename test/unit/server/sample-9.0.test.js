'use strict';

const assert = require('node:assert/strict');
const { readSample } = require('../../../lib/server/pure/sample');
const { makeWindow } = require('../../../lib/server/pure/window');
const { metricsOf } = require('../../../lib/server/pure/metrics');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { recordedConfig } = require('../../../lib/config/effective-config');
const { status902 } = require('../../support/status-9.0');

/** @param {Parameters<typeof status902>[0]} [what] */
const read = (what) => readSample(status902(what)).counters;
/** @param {Parameters<typeof status902>[0]} [what] */
const metrics = (what) => metricsOf(makeWindow([readSample(status902(what))]), NO_FACTS);

describe('server/sample, 9.0.2 (names of a real answer, values made)', () => {
  it('reads all six thresholds, two of them spelled with "cache"', () => {
    const counters = read();
    assert.deepEqual(
      [
        counters['eviction.targetPercent'],
        counters['eviction.triggerPercent'],
        counters['eviction.dirtyTargetPercent'],
        counters['eviction.dirtyTriggerPercent'],
        counters['eviction.updatesTargetPercent'],
        counters['eviction.updatesTriggerPercent'],
      ],
      [80, 95, 5, 20, 2.5, 10],
    );
  });
  it('a recording of it has a known configuration, and a trigger that someone set shows', () => {
    const live = read({
      thresholds: { 'eviction threshold dirty trigger multiplied by 100 for precision': 3000 },
    });
    const config = recordedConfig({
      startup: { opened: null, cacheSizeGB: 0.25, configString: null, syncPeriodSecs: null },
      engineStrings: [],
      memoryBytes: null,
      live,
    });
    assert.deepEqual(
      [config.evictionDirtyTrigger.value, config.evictionDirtyTrigger.from],
      [30, 'runtime'],
    );
    assert.deepEqual([config.evictionTarget.value, config.evictionTarget.from], [80, 'default']);
  });
  it('the section of throughput probing is there without probing', () => {
    assert.equal(metrics({ isProbing: true })['tickets.probing'], 1);
    assert.equal(metrics({ isProbing: false })['tickets.probing'], 0);
  });
  it('shows whether long operations wait behind short ones', () => {
    assert.equal(metrics()['tickets.prioritizing'], 0);
    const { queues } = status902();
    const of = (/** @type {object} */ execution) =>
      readSample({ ...status902(), queues: { execution } }).counters['tickets.gate'];
    assert.equal(of({ ...queues.execution, deprioritizationGate: true }), 1);
    assert.equal(of({ usesPrioritization: true }), 1);
    assert.equal(of({}), undefined);
  });
  it('counts those who wait in the pool of low priority, and shows how many they are', () => {
    const seen = metrics({
      read: { normal: { out: 1, queueLength: 2 }, low: { queueLength: 500 } },
      write: { low: { queueLength: 1 } },
    });
    assert.equal(seen['clients.queued'], 503);
    assert.equal(seen['clients.lowPriorityQueued'], 501);
    assert.equal(seen['tickets.readEmptyShare'], 0);
  });
  it('counts aggregations', () => {
    assert.equal(read()['ops.aggregates'], 12);
  });
  it('pages read and requested in parts, as WiredTiger after 9.0 has them (its source)', () => {
    const { wiredTiger, ...status } = status902();
    const {
      'pages read into cache': pagesRead,
      'pages requested from the cache': pagesRequested,
      ...cache
    } = wiredTiger.cache;
    const { counters } = readSample({ ...status, wiredTiger: { cache } });
    assert.equal(counters['cache.pagesRead'], pagesRead);
    assert.equal(counters['cache.pagesRequested'], pagesRequested);
    const half = { ...cache, 'leaf pages read into cache': undefined };
    assert.equal(
      readSample({ ...status, wiredTiger: { cache: half } }).counters['cache.pagesRead'],
      undefined,
    );
  });
});
