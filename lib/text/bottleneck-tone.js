'use strict';

/**
 * @import { Tone } from './report'
 */

/**
 * The colour of a bottleneck: good where nothing holds the server back.
 * @param {string | null} bottleneck
 * @returns {Tone}
 */
function bottleneckTone(bottleneck) {
  if (bottleneck === 'none' || bottleneck === 'idle') return 'good';
  return bottleneck === 'unknown' ? 'faint' : 'bad';
}

module.exports = { bottleneckTone };
