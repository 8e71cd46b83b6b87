'use strict';

const { checkOptions, number } = require('../base/pure/options');
const { statusOf } = require('../server/pure/status');
const { attachSeries, windowSeries } = require('../series/chart-data');
const { report } = require('../text/report');
const { observe, everyFor } = require('../observe/observe');

/**
 * @import { Context } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Status } from '../server/pure/status'
 * @import { Report } from '../text/report'
 */

const OPTIONS = { seconds: number({ min: 0.1, max: 3600 }) };
/** A long look needs no more samples than this for its means. */
const MAX_SAMPLES = 60;

/**
 * One look at cache, eviction, checkpoint, tickets and operations. Ratios are 0 to 1; what is not
 * known is null.
 * @param {Context} ctx
 * @param {{ seconds?: number }} [options] how long to look; rates are per second over that time
 * @returns {Promise<Status & { notes: string[] } &
 *   Report>}
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   can not be examined
 */
async function status(ctx, options) {
  const { seconds = 1 } = checkOptions('tune.status', OPTIONS, options);
  const { window, facts, notes } = await observe(ctx, {
    seconds,
    every: everyFor(seconds, MAX_SAMPLES),
  });
  const { renderStatus } = require('../server/pure/status-text');
  const data = { ...statusOf(window, facts), notes };
  return attachSeries(
    report(data, (ink) => renderStatus(data, ink)),
    windowSeries(window, facts),
  );
}

module.exports = { status, OPTIONS };
