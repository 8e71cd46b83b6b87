'use strict';

const { defineCommand } = require('../base/pure/command');
const { number } = require('../base/pure/options');
const { statusOf } = require('../server/pure/status');
const { releaseNotes } = require('../server/pure/tested-releases');
const { attachSeries, windowSeries } = require('../series/chart-data');
const { report } = require('../text/report');
const { observe, everyFor } = require('../observe/observe');

/**
 * @import { TuneError } from '../base/pure/errors'
 * @import { Status } from '../server/pure/status'
 * @import { Report } from '../text/report'
 * @import { Context } from '../base/types'
 */

module.exports = defineCommand({
  name: 'status',
  group: 'Look',
  order: 1,
  takes: ['options'],
  usage: 'tune.status({ seconds })',
  summary: 'Shows cache, eviction, checkpoints and operations',
  options: {
    seconds: {
      check: number({ min: 0.1, max: 3600 }),
      default: 1,
      description: 'how long to sample',
    },
  },
  examples: [
    'tune.status()',
    'tune.status({ seconds: 5 }).cache.usedRatio',
    'tune status --seconds 5',
  ],
  changes: 'nothing',
  onMongos: 'tune.members() shows each member of each shard',
  run: status,
});

/** Means over a long time need no more samples than this. */
const MAX_SAMPLES = 60;

/**
 * The state of cache, eviction, checkpoint, tickets and operations. Ratios are 0 to 1; what is not
 * known is null.
 * @param {Context} ctx
 * @param {{ seconds: number }} options
 * @returns {Promise<Status & { notes: string[] } &
 *   Report>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   cannot be examined
 */
async function status(ctx, { seconds }) {
  const { window, facts, notes } = await observe(ctx, {
    seconds,
    every: everyFor(seconds, MAX_SAMPLES),
  });
  const { renderStatus } = require('../server/pure/status-text');
  const data = { ...statusOf(window, facts), notes: [...notes, ...releaseNotes(facts.version)] };
  return attachSeries(
    report(data, (ink) => renderStatus(data, ink)),
    windowSeries(window, facts),
  );
}
