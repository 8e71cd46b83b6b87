'use strict';

const { defineCommand } = require('../base/pure/command');
const { number } = require('../base/pure/options');
const { checkpointsOf } = require('../server/pure/checkpoints');
const { attachSeries, windowSeries } = require('../series/chart-data');
const { report } = require('../text/report');
const { observe } = require('../observe/observe');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Observation } from '../observe/types'
 * @import { Sample } from '../server/pure/sample'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'checkpoints',
  group: 'Look',
  order: 7,
  takes: ['options'],
  usage: 'tune.checkpoints({ seconds })',
  summary: 'Shows each checkpoint and the stalls during it',
  options: {
    seconds: {
      check: number({ min: 1, max: 7200 }),
      default: 130,
      defaultText: '130, enough for two',
      description: 'how long to watch',
    },
  },
  examples: ['tune.checkpoints({ seconds: 130 })', 'tune checkpoints --seconds 130'],
  changes: 'nothing',
  onMongos: 'connect to the primary of a shard: each writes its own checkpoints',
  run: checkpoints,
});

/**
 * Watches checkpoints: of each when it began, how long it took, what was written and what
 * operations did meanwhile; and the seconds in which next to nothing was completed, with whether
 * they fell into checkpoints. One sample a second.
 * @param {Context} ctx
 * @param {{ seconds: number }} options
 * @returns {Promise<Checkpoints & Report>} after Ctrl-C or a lost
 *   connection: over what was seen.
 *   Dates are those of the server, beginnings good to a second; null is what the server does not
 *   tell
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   cannot be examined
 */
async function checkpoints(ctx, { seconds }) {
  const observation = await observe(ctx, {
    seconds,
    machineLevel: 'none',
    onSample: (sample, all) => ctx.progress(progress(sample, all, seconds)),
  }).finally(() => ctx.progress(null));
  const { renderCheckpoints } = require('./pure/checkpoints-text');
  const data = dataOf(observation);
  const chartData = windowSeries(observation.window, observation.facts);
  return attachSeries(
    report(data, (ink) => renderCheckpoints(data, ink, chartData)),
    chartData,
  );
}

/**
 * The progress that is shown meanwhile.
 * @param {Sample} sample
 * @param {readonly unknown[]} all
 * @param {number} seconds
 */
const progress = ({ counters }, all, seconds) =>
  `tune.checkpoints: ${all.length} of ${Math.floor(seconds) + 1} ` +
  `samples${(counters['checkpoint.running'] ?? 0) > 0 ? ', a checkpoint runs' : ''}; Ctrl-C ends it`;

/** @typedef {ReturnType<typeof dataOf>} Checkpoints */

/** Makes the answer's data. @param {Observation} observation */
function dataOf({ facts, window, notes, ended }) {
  const { checkpoints, stalls, opsPerSec, timeline } = checkpointsOf(window);
  const total = (/** @type {typeof stalls} */ some) =>
    some && some.reduce((sum, { seconds }) => sum + seconds, 0);
  return {
    at: window.to,
    host: facts.host,
    version: facts.version,
    seconds: window.seconds,
    everySeconds: facts.config?.syncdelaySeconds.value ?? null,
    checkpoints,
    opsPerSec,
    stalls,
    stalledSeconds: total(stalls),
    stalledInCheckpointSeconds: total(stalls && stalls.filter(({ inCheckpoint }) => inCheckpoint)),
    timeline,
    ended,
    notes,
  };
}
