'use strict';

const assert = require('node:assert/strict');
const { momentOf, costOf, switchCostOf } = require('../../../lib/trial/pure/switch-cost');

const MS = 1000;
/**
 * A sample each 100 ms: of each, the threads that are blocked and the operations that end until it.
 * @param {{ blocked?: number, ops?: number }[]} tenths
 */
function moments(tenths) {
  let [waited, ops] = [0, 0];
  const first = momentOf(sample(0, waited, ops));
  return [
    first,
    ...tenths.map(({ blocked = 0, ops: more = 100 }, i) => {
      [waited, ops] = [waited + blocked * 100 * MS, ops + more];
      return momentOf(sample((i + 1) * 100, waited, ops));
    }),
  ];
}
/** @param {number} atMs @param {number} waited @param {number} ops */
const sample = (atMs, waited, ops) => ({
  atMs: 9e9,
  uptimeMs: atMs,
  counters: {
    'eviction.waitMicros': waited,
    'eviction.appMicros': waited / 2,
    'latency.readOps': ops,
    'latency.writeOps': 7,
  },
});
/** @template T @param {number} times @param {T} one @returns {T[]} */
const repeat = (times, one) => Array.from({ length: times }, () => one);
const NONE = {
  worstSecondBlockedThreads: null,
  worstSecondOpsPerSec: null,
  longestStallSeconds: null,
  readP99Ms: null,
  writeP99Ms: null,
  slowestMs: null,
};

describe('what a switch of a trial costs', () => {
  it('the worst second, wherever it begins, and the longest time in which nothing ended', () => {
    const cost = costOf(
      moments([...repeat(13, {}), ...repeat(6, { blocked: 36, ops: 0 }), ...repeat(14, {})]),
      null,
      null,
    );
    assert.deepEqual(
      [
        Number(cost.worstSecondBlockedThreads?.toFixed(2)),
        Math.round(Number(cost.worstSecondOpsPerSec)),
        cost.longestStallSeconds,
      ],
      [21.6, 400, 0.6],
    );
    assert.deepEqual([cost.readP99Ms, cost.writeP99Ms, cost.slowestMs], [null, null, null]);
  });
  it('counts each operation of a bulk, as the throughput of the blocks does', () => {
    const bulks = [0, 500, 1000].map((atMs) =>
      momentOf({
        atMs,
        uptimeMs: atMs,
        counters: { 'latency.writeOps': atMs, 'ops.updates': atMs * 20, 'ops.queries': 3 },
      }),
    );
    assert.equal(costOf(bulks, null, null).worstSecondOpsPerSec, 20_000);
  });
  it('a stall that a block could not see counts for neither', () => {
    assert.equal(
      costOf(moments([...repeat(9, {}), ...repeat(4, { ops: 0 }), ...repeat(9, {})]), null, null)
        .longestStallSeconds,
      0,
    );
    assert.equal(costOf(moments(repeat(9, { ops: 0 })), null, null).longestStallSeconds, 0.9);
  });
  it('percentiles and the slowest class come from the histograms', () => {
    const [before, after] = [0, 1000].map((count) => ({
      reads: new Map([[64, count]]),
      writes: new Map([
        [64, count],
        [65_536, count / 100],
      ]),
    }));
    const cost = costOf(moments([]), before, after);
    assert.ok(
      Number(cost.readP99Ms) < 0.13 && Number(cost.writeP99Ms) < 0.13,
      JSON.stringify(cost),
    );
    assert.equal(cost.slowestMs, 98.304);
  });
  it('what is not known is not nothing', () => {
    assert.deepEqual(costOf([], null, null), NONE);
    assert.deepEqual(costOf(moments(repeat(3, {})), null, null), {
      ...NONE,
      longestStallSeconds: 0,
    });
    const silent = [0, 1000, 2000].map((atMs) => momentOf({ atMs, uptimeMs: null, counters: {} }));
    assert.deepEqual(
      costOf(silent, { reads: null, writes: null }, { reads: null, writes: null }),
      NONE,
    );
    const onlyEvicting = [0, 1000].map((atMs) =>
      momentOf({ atMs, uptimeMs: null, counters: { 'eviction.appMicros': atMs * 2 * MS } }),
    );
    assert.equal(costOf(onlyEvicting, null, null).worstSecondBlockedThreads, 2);
  });
});

describe('the line on all switches', () => {
  const way = {
    to: /** @type {const} */ ('A'),
    at: new Date(0),
    isDown: true,
    calls: 9,
    seconds: 4.2,
    settlingSeconds: 4,
  };
  const up = { ...way, to: /** @type {const} */ ('B'), isDown: false, calls: 1, seconds: 0.1 };
  const cost = {
    ...NONE,
    worstSecondBlockedThreads: 0.8,
    worstSecondOpsPerSec: 2900,
    slowestMs: 90,
    longestStallSeconds: 0,
  };
  const block = {
    ...NONE,
    worstSecondBlockedThreads: 0.1,
    worstSecondOpsPerSec: 3600,
    slowestMs: 60,
    longestStallSeconds: 0,
  };

  it('tells of those that go down, beside the worst of the blocks', () => {
    const { say, measured } = switchCostOf(
      [
        { ...up, ...NONE },
        { ...way, ...cost },
        { ...way, ...cost, seconds: 5 },
      ],
      [block, { ...block, slowestMs: 20, worstSecondOpsPerSec: 5000 }],
    );
    assert.deepEqual(measured, block);
    assert.equal(
      say,
      '3 switches, 2 down in steps, at most 5 s each. Worst while switching: 0.8 application threads ' +
        'blocked by the cache in one second (in the blocks 0.1), 2,900 operations/s (in the blocks ' +
        '3,600), slowest operation 90 ms (in the blocks 60 ms).',
    );
  });
  it('or of all, where none does, and a stall where there was one', () => {
    assert.equal(
      switchCostOf([{ ...up, ...NONE, longestStallSeconds: 1.5 }], []).say,
      '1 switch. Worst while switching: longest stall 1.5 s.',
    );
    assert.equal(
      switchCostOf([{ ...way, ...NONE, seconds: null }], []).say,
      '1 switch, 1 down in steps.',
    );
    assert.deepEqual(switchCostOf([], [block]), { switches: [], measured: block, say: null });
  });
});
