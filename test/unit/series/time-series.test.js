'use strict';

const assert = require('node:assert/strict');
const { lineThrough } = require('../../support/drawn');
const { windowOf } = require('../../support/samples');
const { timeSeriesOf } = require('../../../lib/series/time-series');
const {
  chartDataOf,
  attachSeries,
  attachedSeries,
  windowSeries,
} = require('../../../lib/series/chart-data');
const { Buckets, downsampled } = require('../../../lib/series/buckets');
const { NO_FACTS } = require('../../../lib/server/pure/facts');
const { makeWindow } = require('../../../lib/server/pure/window');

const sampleCount = (n, counters) =>
  Array.from({ length: n }, (_, i) => ({
    atMs: i * 1000,
    uptimeMs: 5000 + i * 1000,
    counters: counters(i),
  }));
const drawn = (list, max = 1000) => lineThrough(list).chartData(max, {}, []);

describe('the line of a server', () => {
  it('has levels at each sample, and rates from the second on', () => {
    const {
      at,
      series,
      summary,
      sampleCount: number,
      downsampledTo,
    } = drawn(
      sampleCount(3, (i) => ({
        'cache.maxBytes': 100,
        'cache.usedBytes': 10 * i,
        'cache.readBytes': i * i * 5,
      })),
    );
    assert.deepEqual(at, [0, 1000, 2000]);
    assert.deepEqual(series, {
      usedRatio: [0, 0.1, 0.2],
      readBytesPerSec: [null, 5, 15],
      cacheBytes: [0, 10, 20],
    });
    assert.deepEqual(summary.readBytesPerSec, { min: 5, mean: 10, max: 15 });
    assert.deepEqual([number, downsampledTo], [3, null]);
  });
  it('has the memory of mongod, for what ended by the kernel', () => {
    const { series } = drawn(sampleCount(2, (i) => ({ 'process.residentBytes': 100 + i })));
    assert.deepEqual(series, { residentBytes: [100, 101] });
  });
  it('takes operations from whichever counter saw more, and has no latency without operations', () => {
    const { series } = drawn(
      sampleCount(3, (i) => ({
        'ops.queries': i * 2,
        'latency.readOps': [0, 10, 10][i],
        'latency.readMicros': [0, 50_000, 50_000][i],
        'ops.inserts': i * 7,
      })),
    );
    assert.deepEqual(series.readsPerSec, [null, 10, 2]);
    assert.deepEqual(series.readLatencyMs, [null, 5, null]);
    assert.deepEqual(series.writesPerSec, [null, 7, 7]);
  });
  it('takes leaf pages for dirty where they are told, and all dirty pages else', () => {
    assert.deepEqual(
      drawn(
        sampleCount(1, () => ({
          'cache.maxBytes': 10,
          'cache.dirtyBytes': 4,
          'cache.dirtyLeafBytes': 3,
        })),
      ).series.dirtyRatio,
      [0.3],
    );
    assert.deepEqual(
      drawn(sampleCount(1, () => ({ 'cache.maxBytes': 10, 'cache.dirtyBytes': 4 }))).series
        .dirtyRatio,
      [0.4],
    );
  });
  it(
    "counts seconds by the server's own clock, by the wall clock without it, and by none that " +
      'stalls',
    () => {
      const at = (atMs, uptimeMs, read) => ({
        atMs,
        uptimeMs,
        counters: { 'cache.readBytes': read },
      });
      assert.deepEqual(drawn([at(0, 0, 0), at(1000, 2000, 10)]).series.readBytesPerSec, [null, 5]);
      assert.deepEqual(drawn([at(0, null, 0), at(1000, null, 10)]).series.readBytesPerSec, [
        null,
        10,
      ]);
      assert.equal(drawn([at(0, null, 0), at(0, null, 10)]).series.readBytesPerSec, undefined);
    },
  );
  it('says nothing of a counter that began anew', () => {
    assert.deepEqual(
      drawn(sampleCount(3, (i) => ({ 'cache.readBytes': [10, 5, 8][i] }))).series.readBytesPerSec,
      [null, null, 3],
    );
  });
  it('is broken at a gap', () => {
    const [a, b, c] = sampleCount(3, (i) => ({ 'tickets.readInUse': i }));
    assert.deepEqual(drawn([a, b, 'gap', c]), {
      ...drawn([a, b, 'gap', c]),
      at: [0, 1000, 1999, 2000],
      series: { readTickets: [0, 1, null, 2] },
    });
  });
  it('keeps the least and the most of what it puts together, in their order, and the true mean', () => {
    const n = 1000;
    const extremes = new Map([
      [333, -1],
      [777, 5000],
    ]);
    const value = (i) => extremes.get(i) ?? 100;
    const {
      series,
      summary,
      downsampledTo,
      at,
      sampleCount: number,
    } = drawn(
      sampleCount(n, (i) => ({ 'tickets.readInUse': value(i) + 1 })),
      10,
    );
    assert.ok(downsampledTo <= 10 && at.length <= 2 * downsampledTo, `${downsampledTo}`);
    assert.deepEqual([Math.min(...series.readTickets), Math.max(...series.readTickets)], [0, 5001]);
    assert.deepEqual([summary.readTickets.min, summary.readTickets.max], [0, 5001]);
    assert.ok(Math.abs(summary.readTickets.mean - (101 * 998 + 5001 + 0) / n) < 1e-9);
    assert.equal(number, n);
  });
  it('stays bounded however long it is, and loses no extreme', () => {
    const n = 40_000;
    const { series, at, downsampledTo } = drawn(
      sampleCount(n, (i) => ({ 'tickets.readInUse': i === 12_345 ? 999 : i % 7 })),
      500,
    );
    assert.ok(downsampledTo <= 500);
    assert.equal(Math.max(...series.readTickets), 999);
    const where = at[series.readTickets.indexOf(999)] / 1000;
    assert.ok(Math.abs(where - 12_345) < (2 * n) / downsampledTo, `${where}`);
    assert.ok(at.every((ms, i) => i === 0 || ms >= at[i - 1]));
  });
  it('rises always, whatever the clock did', () => {
    const list = [0, 1000, 2000, 500, 1500, 2500].map((atMs, i) => ({
      atMs,
      uptimeMs: i * 1000,
      counters: { 'tickets.readInUse': i },
    }));
    const { at } = drawn(list);
    assert.ok(
      at.every((ms, i) => i === 0 || ms >= at[i - 1]),
      at.join(),
    );
  });
  it('of a window is the same, and empty where nothing was seen', () => {
    const window = windowOf({ 'cache.maxBytes': 100, 'cache.usedBytes': [50, 60] });
    assert.deepEqual(timeSeriesOf(window).chartData(10, { triggerRatio: 0.95 }, []).series, {
      usedRatio: [0.5, 0.6],
      cacheBytes: [50, 60],
    });
    assert.deepEqual(
      lineThrough([]).chartData(10, {}, [{ fromMs: 1, toMs: 2, kind: 'gap' }]).breaks,
      [{ fromMs: 1, toMs: 2, kind: 'gap' }],
    );
  });
});

describe('marks on the line', () => {
  it(
    'a checkpoint from when it was seen to run, or as long as it took, until it ended; one ' +
      'that runs is open',
    () => {
      const total = [0, 0, 0, 2500, 2500, 2600];
      const list = sampleCount(8, (i) => ({
        'checkpoint.totalMs': total[Math.min(i, 5)],
        'checkpoint.running': [0, 0, 1, 0, 0, 0, 1, 1][i],
      }));
      assert.deepEqual(drawn(list).checkpoints, [
        { fromMs: 500, toMs: 3000 },
        { fromMs: 4900, toMs: 5000 },
        { fromMs: 6000, toMs: 7000 },
      ]);
    },
  );
  it('is not known where the server does not report, though one may be seen to run', () => {
    assert.equal(drawn(sampleCount(2, () => ({ 'tickets.readInUse': 1 }))).checkpoints, null);
    assert.deepEqual(drawn(sampleCount(2, () => ({ 'checkpoint.running': 1 }))).checkpoints, [
      { fromMs: 0, toMs: 1000 },
    ]);
  });
  const done = (i) => Math.max(Math.min(i, 20), i - 3);
  const ops = (i) => ({
    'latency.readOps': done(i) * 1000,
    'latency.writeOps': 0,
    'latency.readMicros': (i <= 23 ? Math.min(i, 20) : i + 20) * 1e6,
    'latency.writeMicros': 0,
  });
  it('stalls, with clients that waited', () => {
    assert.deepEqual(drawn(sampleCount(40, ops)).stalls, [{ fromMs: 20_000, toMs: 23_000 }]);
  });
  it('are not known of few operations, and end at a gap', () => {
    assert.equal(drawn(sampleCount(40, () => ({ ...ops(0) }))).stalls, null);
    const list = sampleCount(40, ops);
    assert.deepEqual(
      drawn([...list.slice(0, 22), 'gap', ...list.slice(22)]).stalls,
      [{ fromMs: 22_000, toMs: 23_000 }],
      'what is before the gap was not waited for to its end',
    );
  });
  it('are judged over twenty minutes at a time, and the longest are kept of very many', () => {
    const n = 2500;
    const { checkpoints, stalls } = drawn(
      sampleCount(n, (i) => ({
        ...ops(20),
        'latency.readOps': i * 1000,
        'latency.readMicros': i * 1e6,
        'checkpoint.totalMs': i * 10 + (i >= 1800 ? 700 : 0),
      })),
    );
    assert.deepEqual(stalls, []);
    assert.ok(checkpoints.length <= 2000, `${checkpoints.length}`);
    assert.ok(
      checkpoints.some(({ fromMs, toMs }) => toMs - fromMs === 710),
      'the longest',
    );
    assert.ok(checkpoints.every(({ fromMs }, i) => i === 0 || fromMs >= checkpoints[i - 1].fromMs));
  });
});

describe('the min/max series', () => {
  const bucketOf = (list, max = 4) => {
    const envelope = new Buckets(max);
    list.forEach(([atMs, value, follows = true]) => envelope.add(atMs, [value], follows));
    return envelope.buckets;
  };
  it('goes over gaps only where there is nothing else', () => {
    const apart = bucketOf(Array.from({ length: 9 }, (_, i) => [i * 1000, i, false]));
    assert.ok(apart.length <= 4);
    assert.equal(Math.max(...apart.map(({ max }) => max[0])), 8);
    const halves = bucketOf(
      Array.from({ length: 16 }, (_, i) => [i * 1000 + (i >= 8 ? 1e6 : 0), i, i !== 8]),
    );
    assert.equal(halves.filter(({ follows }) => !follows).length, 2);
    assert.ok(
      halves.every(({ min, max }) => min[0] < 8 === max[0] < 8),
      'none lies on both sides',
    );
  });
  it('knows which came first, and values that come late', () => {
    const falls = (...values) =>
      downsampled(
        bucketOf(
          values.map((value, i) => [i, value]),
          100,
        ),
        1,
      )[0];
    assert.deepEqual(
      [
        falls(1, 5).falls[0],
        falls(5, 1).falls[0],
        falls(NaN, 5).falls[0],
        falls(3, NaN).max[0],
        falls(5, 1, 2, 9).falls[0],
      ],
      [0, 1, 0, 3, 0],
    );
    assert.equal(falls(NaN, NaN, 4).min[0], 4);
    assert.equal(falls(4, 4.5, 9, 1).falls[0], 1, 'both at once');
  });
  it('thins a copy', () => {
    const buckets = bucketOf(
      [
        [0, 1],
        [1, 2],
      ],
      10,
    );
    downsampled(buckets, 1);
    assert.deepEqual(
      buckets.map(({ sampleCount: n, max }) => [n, max[0]]),
      [
        [1, 1],
        [1, 2],
      ],
    );
  });
});

describe('what is drawn', () => {
  it('of plain lists leaves out what nothing is known of', () => {
    const made = chartDataOf(
      [1, 2, 3],
      { a: [1, null, 4], b: [null, undefined, null] },
      { sampleCount: 7 },
    );
    assert.deepEqual(made.series, { a: [1, null, 4] });
    assert.deepEqual([made.summary, made.sampleCount], [{ a: { min: 1, mean: 2.5, max: 4 } }, 7]);
  });
});

describe('a series', () => {
  it('goes with the answer, not in it, and knows targets and triggers', () => {
    const window = windowOf({
      'cache.maxBytes': 100,
      'cache.usedBytes': [50, 60],
      'eviction.triggerPercent': 95,
    });
    const answer = attachSeries({ a: 1 }, windowSeries(window, NO_FACTS));
    assert.equal(JSON.stringify(answer), '{"a":1}');
    const made = attachedSeries(answer)(10);
    assert.equal(made.levels.triggerRatio, 0.95);
    assert.deepEqual(made.series.usedRatio, [0.5, 0.6]);
    assert.equal(attachedSeries({ a: 1 }), null);
  });
  it('has no level that is not known', () => {
    assert.deepEqual(
      Object.keys(
        windowSeries(makeWindow([{ atMs: 0, uptimeMs: 0, counters: {} }]), NO_FACTS)(10).levels,
      ),
      [],
    );
  });
});
