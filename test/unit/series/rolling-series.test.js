'use strict';

const assert = require('node:assert/strict');
const { RollingSeries, TrialSeries, timeSeriesOf } = require('../../../lib/series/time-series');
const { attachSeries, attachedSeries, rollingSeriesOf } = require('../../../lib/series/chart-data');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { makeWindow } = require('../../../lib/server/pure/window');

const takeSample = (/** @type {number} */ i, counters = {}) => ({
  atMs: i * 1000,
  uptimeMs: 5000 + i * 1000,
  counters: { 'ops.queries': i * i, 'tickets.readInUse': i % 7, ...counters },
});

describe('the line behind a server that is looked at now', () => {
  it('is the same as that of its window', () => {
    const samples = Array.from({ length: 40 }, (_, i) => takeSample(i));
    const rolling = new RollingSeries(1);
    samples.forEach((sample) => rolling.add(sample));
    assert.deepEqual(
      rolling.chartData(1000, {}),
      timeSeriesOf(makeWindow(samples)).chartData(1000, {}, []),
    );
  });
  it('of a week stays in its room, and has every extreme', () => {
    const rolling = new RollingSeries(10);
    const sampleCount = 60_480;
    const extremes = new Map([
      [777, 120],
      [50_000, -3],
    ]);
    for (let i = 0; i < sampleCount; i++)
      rolling.add({
        atMs: i * 10_000,
        uptimeMs: 5000 + i * 10_000,
        counters: { 'tickets.readInUse': extremes.get(i) ?? 5 },
      });
    assert.ok(rolling.series.kept.buckets.length <= 3600, `${rolling.series.kept.buckets.length}`);
    const { summary, sampleCount: counted, at } = rolling.chartData(7000, {});
    assert.deepEqual(
      [summary.readTickets.min, summary.readTickets.max, counted],
      [-3, 120, sampleCount],
    );
    assert.deepEqual([at[0], at[at.length - 1]], [0, (sampleCount - 1) * 10_000]);
  });
  it('is broken where the server restarted, and where nobody looked', () => {
    const rolling = new RollingSeries(1);
    [
      takeSample(0),
      takeSample(1),
      { ...takeSample(2), uptimeMs: 10 },
      { ...takeSample(3), uptimeMs: 1010 },
      { ...takeSample(60), uptimeMs: 58_010 },
    ].forEach((sample) => rolling.add(sample));
    const { breaks, series } = rolling.chartData(100, {});
    assert.deepEqual(
      breaks.map(({ kind }) => kind),
      ['restart', 'gap'],
    );
    assert.deepEqual(series.readTickets, [0, 1, null, 2, 3, null, 4]);
  });
  it('tells the levels of its last sample, and none before the first', () => {
    const rolling = new RollingSeries(1);
    const made = attachedSeries(attachSeries({}, rollingSeriesOf(rolling, NO_FACTS)));
    assert.deepEqual(made?.(10).at, []);
    rolling.add(takeSample(1, { 'tickets.readTotal': 128 }));
    assert.deepEqual(made?.(10).levels, { readTickets: 128 });
  });
});

describe('the line behind a trial', () => {
  it('knows what was in effect when, and the means of each block', () => {
    const rolling = new TrialSeries(0.5);
    const samples = [0, 1, 2, 3, 4].map((i) => takeSample(i));
    samples.forEach((sample) => rolling.add(sample));
    rolling.addBlock('A', samples.slice(0, 3));
    rolling.addBlock('B', samples.slice(3));
    assert.deepEqual(
      rolling
        .chartData(100, {})
        .blocks.map(({ fromMs, toMs, setting, means }) => [
          fromMs,
          toMs,
          setting,
          means?.readsPerSec,
          means?.readTickets,
        ]),
      [
        [0, 2000, 'A', 2, 1],
        [3000, 4000, 'B', 7, 3.5],
      ],
    );
  });
});
