'use strict';

const assert = require('node:assert/strict');
const { Features } = require('../../../lib/incident/pure/features');
const { featureEvents } = require('../../../lib/incident/pure/feature-events');
const { memberEvents } = require('../../../lib/incident/pure/recorded-events');
const { comparedHours } = require('../../../lib/incident/pure/answer');
const { quantile } = require('../../../lib/base/pure/statistics');
const { blockOf } = require('../../../lib/series/columns');
const { chartDataOf } = require('../../../lib/series/chart-data');
const { NIGHT_MS } = require('../../support/incident-events');

/** @import { RecordedMember } from '../../../lib/incident/types' */

/**
 * A second of a server that does 100 operations in 2 ms each.
 * @param {number} i
 * @param {Record<string, number>} [more]
 */
const sample = (i, more = {}) => ({
  atMs: NIGHT_MS + i * 1000,
  uptimeMs: 1e6 + i * 1000,
  counters: {
    'latency.readOps': i * 50,
    'latency.writeOps': i * 50,
    'latency.readMicros': i * 100_000,
    'latency.writeMicros': i * 100_000,
    'eviction.appMicros': 0,
    'cache.maxBytes': 1000,
    'cache.usedBytes': 500,
    'cache.dirtyBytes': 10,
    'connections.current': 20,
    'connections.created': i,
    'queue.readers': 0,
    'queue.writers': 0,
    ...more,
  },
});

/** @param {ReturnType<typeof sample>[]} samples */
function rowsOf(samples) {
  const features = new Features();
  const block = blockOf(/** @type {any} */ (samples));
  for (let i = 0; i < samples.length; i++)
    features.add(block, i, i === 0 ? null : { block, i: i - 1 });
  return features.rows();
}
const seconds = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => i);
/** @param {(i: number) => Record<string, number>} more in seconds 60 to 80 */
const night = (more) =>
  rowsOf(seconds(120).map((i) => sample(i, i >= 60 && i <= 80 ? more(i) : {})));

describe('events in the figures of a server', () => {
  it('an even night has none', () => assert.deepEqual(featureEvents(night(() => ({}))), []));
  it('a handful of samples has none', () =>
    assert.deepEqual(featureEvents(rowsOf([sample(0, { 'queue.writers': 99 })])), []));
  for (const [code, more] of /** @type {[string, (i: number) => Record<string, number>][]} */ ([
    ['clients-blocked', () => ({ 'queue.writers': 6 })],
    ['connections-up', () => ({ 'connections.current': 400 })],
    ['dirty-high', () => ({ 'cache.dirtyBytes': 210 })],
    ['dirty-high', () => ({ 'cache.dirtyLeafBytes': 210 })],
    ['cache-full', () => ({ 'cache.usedBytes': 960 })],
  ]))
    it(`${code}: from when to when, and how far`, () => {
      const [found, ...others] = featureEvents(night(more));
      assert.deepEqual(others, []);
      assert.equal(found.code, code);
      assert.ok(Math.abs(found.fromMs - NIGHT_MS - 60_000) <= 1000);
      assert.ok(Math.abs(Number(found.toMs) - NIGHT_MS - 80_000) <= 1000);
    });
  /** @param {Record<string, (i: number) => number>} series */
  const rows = (series) => ({
    everyMs: 0,
    length: 120,
    atMs: Float64Array.from(seconds(120), (i) => NIGHT_MS + i * 1000),
    columns: {
      pinnedIds: new Float64Array(120),
      openTransactions: new Float64Array(120),
      ...Object.fromEntries(
        Object.entries(series).map(([name, of]) => [name, Float64Array.from(seconds(120), of)]),
      ),
    },
  });
  const burst =
    (/** @type {number} */ high, /** @type {number} */ low) => (/** @type {number} */ i) =>
      i >= 60 && i <= 80 ? high : low;
  for (const [code, series] of /** @type {[string, Record<string, (i: number) => number>][]} */ ([
    ['latency-up', { latencyMs: burst(500, 3) }],
    ['ttl-burst', { ttlPerSec: burst(9000, 0) }],
    ['load-up', { opsPerSec: burst(9000, 500) }],
    ['load-down', { opsPerSec: burst(1, 500) }],
    ['majority-lag', { majorityLagSeconds: burst(20, 0.1) }],
    ['flow-control', { flowControlled: burst(1, 0) }],
    ['swapping', { swappedPerSec: burst(900, 0) }],
    ['memory-low', { memoryUsedRatio: burst(0.99, 0.6) }],
    ['cpu-saturated', { cpuBusyRatio: burst(1, 0.4) }],
    ['journal-slow', { journalSyncMs: burst(4000, 8) }],
    ['disk-saturated', { 'disk.sda': burst(1, 0.2) }],
    ['history-pinned', { pinnedIds: burst(90_000, 10), openTransactions: () => 1 }],
  ]))
    it(`${code} by its own series`, () =>
      assert.deepEqual(
        featureEvents(rows(series)).map((one) => one.code),
        [code],
      ));
  it('a disk that is always busy is no event, nor is a series that is not known', () => {
    assert.deepEqual(featureEvents(rows({ 'disk.sda': () => 0.95, latencyMs: () => NaN })), []);
  });
  it('CPUs that are always busy are no event', () =>
    assert.deepEqual(featureEvents(rows({ cpuBusyRatio: burst(1, 0.9) })), []));
  it('a load that begins with the first samples did not rise, nor fall', () => {
    const first =
      (/** @type {number} */ high, /** @type {number} */ low) =>
      (i = 0) =>
        i < 40 && i > 5 ? high : low;
    assert.deepEqual(featureEvents(rows({ opsPerSec: first(9000, 500) })), []);
    assert.deepEqual(featureEvents(rows({ opsPerSec: first(1, 500) })), []);
  });
  it('what is counted at its end began before', () => {
    assert.deepEqual(featureEvents(rows({ journalSyncMs: burst(299, 8) })), []);
    const [slow] = featureEvents(rows({ journalSyncMs: burst(4000, 8) }));
    assert.equal(slow.fromMs, NIGHT_MS + 60_000 - 4000);
    const [lag] = featureEvents(rows({ majorityLagSeconds: burst(20, 0.1) }));
    assert.equal(lag.fromMs, NIGHT_MS + 60_000 - 20_000);
  });
  it('a pause within an event does not part it, a long one does', () => {
    const twice = (/** @type {number} */ i) =>
      (i > 20 && i < 30) || (i > 35 && i < 45) || i > 90 ? 500 : 3;
    assert.equal(featureEvents(rows({ latencyMs: twice })).length, 2);
  });
});

describe('features in bounded memory', () => {
  it('a week is merged by twos, and no peak is lost', function () {
    this.timeout(60_000);
    const features = new Features();
    const block = blockOf(/** @type {any} */ (seconds(2).map((i) => sample(i))));
    const column = block.columns['connections.current'];
    for (let i = 0; i < 250_000; i++) {
      block.atMs[1] = NIGHT_MS + i * 1000;
      if (column) column[1] = i === 123_456 ? 999 : 20;
      features.add(block, 1, { block, i: 0 });
    }
    const rows = features.rows();
    assert.ok(rows.length <= 100_000 && rows.everyMs >= 2000);
    assert.equal(Math.max(...[...rows.columns.connections].filter((value) => value > 100)), 999);
  });
  it('CPUs and the journal, from their counters', () => {
    const rows = rowsOf(
      seconds(12).map((i) =>
        sample(i, {
          'cpu.userMs': i * 300,
          'cpu.systemMs': i * 100,
          'cpu.idleMs': i * 500,
          'cpu.iowaitMs': i * 100,
          'log.syncMicros': i * 60_000,
          'log.syncOps': i * 4,
        }),
      ),
    );
    assert.equal(rows.columns.cpuBusyRatio[5], 0.4);
    assert.equal(rows.columns.journalSyncMs[5], 15);
    assert.ok(Number.isNaN(rowsOf(seconds(12).map((i) => sample(i))).columns.cpuBusyRatio[5]));
  });
  it('each disk has its own row', () => {
    const rows = rowsOf(
      seconds(12).map((i) => sample(i, { 'disk.busyMs@sda': i * 500, 'disk.busyMs@sdb': 0 })),
    );
    assert.equal(rows.columns['disk.sda'][5], 0.5);
    assert.equal(rows.columns['disk.sdb'][5], 0);
  });
});

describe('what the diagnostic data of a member shows', () => {
  const span = (/** @type {number} */ from, /** @type {number} */ to) => ({
    fromMs: NIGHT_MS + from * 1000,
    toMs: NIGHT_MS + to * 1000,
  });
  const state = Float64Array.of(NaN, 2, 2, 1, 42);
  /** @type {RecordedMember} */
  const member = {
    host: 'db1:27017',
    version: '6.0.5',
    samples: 5,
    fromMs: NIGHT_MS,
    toMs: NIGHT_MS + 4000,
    rows: {
      everyMs: 0,
      length: 5,
      atMs: Float64Array.from(seconds(5), (i) => NIGHT_MS + i * 1000),
      columns: { state, latencyMs: Float64Array.of(NaN, 2, 4, 2, 4) },
    },
    breaks: [
      { ...span(10, 25), kind: 'gap' },
      { ...span(30, 40), kind: 'restart' },
      { fromMs: NIGHT_MS + 90_000, toMs: NIGHT_MS + 50_000, kind: 'clock' },
      { ...span(30, 40), kind: 'order' },
      { fromMs: NIGHT_MS + 90_500, toMs: NIGHT_MS + 90_000, kind: 'clock' },
    ],
    chart: () =>
      chartDataOf(
        [],
        {},
        { checkpoints: [span(0, 40), span(50, 55)], stalls: [span(0, 3), span(5, 6)] },
      ),
  };
  it('gaps, restarts, clocks, checkpoints, stalls and states', () => {
    const events = memberEvents(member, 'data');
    assert.deepEqual(
      events.map(({ code }) => code),
      [
        'sample-gap',
        'process-restarted',
        'clock-jump',
        'checkpoint-long',
        'stall',
        'state-changed',
        'state-changed',
      ],
    );
    assert.equal(events[0].values.seconds, 15);
    assert.equal(events[2].values.seconds, 40);
    assert.deepEqual(events[5].values, { from: 'SECONDARY', to: 'PRIMARY' });
    assert.deepEqual(events[6].values, { from: 'PRIMARY', to: '42' });
    assert.equal(events[0].host, 'db1:27017');
  });
  it('stalls that are not known are none', () =>
    assert.ok(
      !memberEvents({ ...member, chart: () => chartDataOf([], {}) }, 'x').some(
        ({ code }) => code === 'stall',
      ),
    ));
  it('beside the same hour of another day', () => {
    const { rows } = comparedHours(member, {
      ...member,
      rows: { ...member.rows, columns: { latencyMs: Float64Array.of(1, 1) } },
    });
    const [, latency] = rows;
    assert.deepEqual(latency, {
      metric: 'latencyMs',
      now: 3,
      normal: 1,
      ratio: 3,
      maxNow: 4,
      maxNormal: 1,
    });
    assert.deepEqual([rows[0].now, rows[0].ratio], [null, null]);
  });
});

describe('a quantile', () => {
  it('passes over what is not known', () => {
    assert.equal(quantile([NaN, 3, 1, 2], 0.5), 2);
    assert.equal(quantile([3, 1, 2], 1), 3);
    assert.ok(Number.isNaN(quantile([NaN], 0.5)));
  });
});
