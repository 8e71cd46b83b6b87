'use strict';

/**
 * The colour of a bottleneck: good where nothing holds the server back.
 * @param {string | null} bottleneck
 * @returns {import('./report').Tone}
 */
function bottleneckTone(bottleneck) {
  if (bottleneck === 'none' || bottleneck === 'idle') return 'good';
  return bottleneck === 'unknown' ? 'faint' : 'bad';
}

module.exports = { bottleneckTone };
