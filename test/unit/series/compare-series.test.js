'use strict';

const assert = require('node:assert/strict');
const { comparePlots } = require('../../../lib/series/plot');

/** @param {Record<string, (number | null)[]>} series @returns {any} */
const plot = (series) => ({ series });

describe('series/plot', () => {
  it('compares the middle and the most of each series', () =>
    assert.deepEqual(
      comparePlots(plot({ opsPerSec: [1, null, 3, 100] }), plot({ opsPerSec: [6, 9, 3] })),
      [
        {
          series: 'opsPerSec',
          usual: { before: 3, now: 6, ratio: 2 },
          max: { before: 100, now: 9, ratio: 0.09 },
        },
      ],
    ));
  it('knows no ratio to nothing, nor to what is not known', () =>
    assert.deepEqual(
      comparePlots(
        plot({ queued: [0], cpuCores: [null] }),
        plot({ queued: [1], cpuCores: [2] }),
      ).map(({ usual }) => usual),
      [
        { before: 0, now: 1, ratio: null },
        { before: null, now: 2, ratio: null },
      ],
    ));
  it('leaves out what neither knows', () =>
    assert.deepEqual(comparePlots(plot({ queued: [null] }), plot({ queued: [] })), []));
});
