'use strict';

/** Keeps an hour of watching as small as ten minutes of it. */
const MOST_SAMPLES = 600;

/**
 * Drops every other sample when there are too many. Counters stay exact (only the ends matter), gauges are seen less often,
 * the first and the last sample stay. A sample next to a restart stays too, so that no restart goes unnoticed.
 * @param {import('../../model/sample').Sample[]} samples changed in place
 */
function thin(samples) {
  if (samples.length <= MOST_SAMPLES) return;
  const kept = samples.filter((sample, i) => i % 2 === 0 || i === samples.length - 1 || (samples[i + 1].uptimeMs ?? 0) < (sample.uptimeMs ?? 0));
  samples.splice(0, samples.length, ...kept);
}

module.exports = { thin, MOST_SAMPLES };
