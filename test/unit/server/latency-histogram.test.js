'use strict';

const assert = require('node:assert/strict');
const {
  readHistograms,
  between,
  percentileMs,
} = require('../../../lib/server/pure/latency-histogram');

describe('the histograms of latencies', () => {
  const status = (/** @type {any[]} */ reads) => ({
    opLatencies: {
      reads: { latency: 1, ops: 1, histogram: reads },
      writes: { latency: 1, ops: 1 },
    },
  });
  it('are read as drivers give them; who does not report them is not known', () => {
    const { reads, writes } = readHistograms(
      status([
        { micros: 64, count: 3 },
        { micros: { low: 128, high: 0 }, count: { $numberLong: '5' } },
        { micros: null, count: 1 },
      ]),
    );
    assert.deepEqual(
      [...(reads ?? [])],
      [
        [64, 3],
        [128, 5],
      ],
    );
    assert.equal(writes, null);
    assert.deepEqual(readHistograms({}), { reads: null, writes: null });
    assert.deepEqual(readHistograms(undefined), { reads: null, writes: null });
  });
  it('what came between two samples; nothing is known of a server that began anew', () => {
    const [before, after] = [
      new Map([
        [64, 3],
        [128, 5],
      ]),
      new Map([
        [64, 4],
        [128, 5],
        [256, 2],
      ]),
    ];
    assert.deepEqual(
      [...(between(before, after) ?? [])],
      [
        [64, 1],
        [128, 0],
        [256, 2],
      ],
    );
    assert.equal(between(after, before), null);
    assert.equal(between(null, after), null);
    assert.equal(between(before, null), null);
  });
  it('percentiles lie inside their class', () => {
    const histogram = new Map([
      [512, 10],
      [64, 80],
      [2048, 10],
    ]);
    assert.equal(percentileMs(histogram, 0.4), 0.096);
    assert.equal(percentileMs(histogram, 0.85), 0.768);
    assert.equal(percentileMs(histogram, 0.95), 2.56);
    assert.equal(percentileMs(new Map([[64, 0]]), 0.5), null);
    assert.equal(percentileMs(null, 0.5), null);
  });
  it('classes double, are cut in halves from 2 ms on, and double again', () => {
    const end = (/** @type {number} */ micros) =>
      Number(percentileMs(new Map([[micros, 1]]), 1)) * 1000;
    const ends = [0, 2, 1024, 2048, 3072, 4096, 6144, 1048576, 1572864, 2097152, 4194304];
    assert.deepEqual(
      ends.map((micros) => Math.round(end(micros))),
      [2, 4, 2048, 3072, 4096, 6144, 8192, 1572864, 2097152, 4194304, 8388608],
    );
  });
});
