'use strict';

const assert = require('node:assert/strict');
const { jStat } = require('jstat');
const { mostFrequent, studentQuantile } = require('../../../lib/base/pure/statistics');

describe("the quantile of Student's distribution", () => {
  it('is that of a library, for every number of pairs a trial can have', () => {
    for (const confidence of [0.5, 0.9, 0.95, 0.99])
      for (let degrees = 1; degrees <= 200; degrees += 1) {
        const expected = jStat.studentt.inv(1 - (1 - confidence) / 2, degrees);
        const found = studentQuantile(confidence, degrees);
        assert.ok(
          Math.abs(found / expected - 1) < 1e-6,
          `${confidence}, ${degrees}: ${found}, not ${expected}`,
        );
      }
  });

  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2: critical values of t, 0.975.
  for (const [degrees, value] of [
    [1, 12.706],
    [2, 4.303],
    [5, 2.571],
    [10, 2.228],
    [30, 2.042],
    [100, 1.984],
  ])
    it(`is ${value} for 95% and ${degrees} degrees of freedom`, () =>
      assert.equal(studentQuantile(0.95, degrees).toFixed(3), value.toFixed(3)));
});

describe('base/pure/statistics: the most frequent value', () => {
  for (const [values, wanted] of /** @type {[string[], string | null][]} */ ([
    [[], null],
    [['a', 'b', 'b'], 'b'],
    [['b', 'a'], 'b'],
  ]))
    it(`of ${JSON.stringify(values)} is ${wanted}`, () =>
      assert.equal(mostFrequent(values), wanted));
});
