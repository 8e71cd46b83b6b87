'use strict';

const { stretchOf } = require('../../lib/series/stretch');
const { Line } = require('../../lib/series/line');

/**
 * A line over looks as a recording gives them.
 * @param {readonly ({ atMs: number, uptimeMs?: number | null, metrics: Record<string, number> } |
 *   'gap')[]} looks 'gap': what follows does not follow on what was before
 * @returns {Line}
 */
function lineThrough(looks) {
  const line = new Line();
  const samples = looks
    .filter((look) => look !== 'gap')
    .map((look) => ({ uptimeMs: null, ...look }));
  const stretch = stretchOf(samples);
  let i = 0;
  looks.forEach((look, k) => {
    if (look === 'gap') return;
    line.add(stretch, i, i === 0 || looks[k - 1] === 'gap' ? null : { stretch, i: i - 1 });
    i++;
  });
  return line;
}

module.exports = { lineThrough };
