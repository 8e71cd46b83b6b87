'use strict';

const { blockOf } = require('../../lib/series/columns');
const { TimeSeries } = require('../../lib/series/time-series');

/**
 * A line over looks as a recording gives them.
 * @param {readonly ({ atMs: number, uptimeMs?: number | null, counters: Record<string, number> } |
 *   'gap')[]} sampleCount 'gap': what follows does not follow on what was before
 * @returns {TimeSeries}
 */
function lineThrough(sampleCount) {
  const line = new TimeSeries();
  const samples = sampleCount
    .filter((takeSample) => takeSample !== 'gap')
    .map((takeSample) => ({ uptimeMs: null, ...takeSample }));
  const block = blockOf(samples);
  let i = 0;
  sampleCount.forEach((takeSample, k) => {
    if (takeSample === 'gap') return;
    line.add(block, i, i === 0 || sampleCount[k - 1] === 'gap' ? null : { block, i: i - 1 });
    i++;
  });
  return line;
}

module.exports = { lineThrough };
