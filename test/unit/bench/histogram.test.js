'use strict';

const assert = require('node:assert/strict');
const fc = require('fast-check');
const hdr = require('hdr-histogram-js');
const { Histogram } = require('../../../lib/bench/pure/histogram');

const PERCENTS = [1, 50, 90, 95, 99, 99.9, 100];
const LONGEST = 3600e6;

/** @param {readonly number[]} values */
function both(values) {
  const own = new Histogram();
  const theirs = hdr.build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: LONGEST,
    numberOfSignificantValueDigits: 3,
  });
  for (const value of values) {
    own.record(value);
    theirs.recordValue(value);
  }
  return { own, theirs };
}

describe('a histogram', () => {
  it('has the percentiles of hdr-histogram-js, whatever was recorded', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: LONGEST }), { minLength: 1 }), (values) => {
        const { own, theirs } = both(values);
        const max = Math.max(...values);
        for (const percent of PERCENTS)
          assert.equal(
            own.percentile(percent),
            Math.min(max, theirs.getValueAtPercentile(percent)),
            `${percent}% of ${values}`,
          );
        assert.equal(own.max, max);
        assert.ok(Math.abs(own.mean / theirs.mean - 1) < 0.001);
      }),
    ));

  it('adds what other processes recorded, as if it were its own', () =>
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: LONGEST })),
        fc.array(fc.integer({ min: 0, max: LONGEST })),
        (a, b) => {
          const whole = new Histogram();
          for (const part of [a, b]) {
            const one = new Histogram();
            part.forEach((value) => one.record(value));
            whole.add(structuredClone(one.toCounts()));
          }
          const all = new Histogram();
          [...a, ...b].forEach((value) => all.record(value));
          assert.deepEqual(whole, all);
        },
      ),
    ));

  it('keeps the ends: both sides of each bucket, more than it holds, and nothing', () => {
    for (const value of [0, 1, 2047, 2048, 2049, 4095, 4096, 2 ** 31, 2 ** 32 - 1]) {
      const one = new Histogram();
      one.record(value, 3);
      assert.deepEqual([one.percentile(50), one.max, one.mean], [value, value, value]);
    }
    const long = new Histogram();
    long.record(1e12);
    assert.equal(long.max, 2 ** 32 - 1);
    assert.equal(new Histogram().percentile(99), 0);
    assert.ok(Number.isNaN(new Histogram().mean));
  });
});
