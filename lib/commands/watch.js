'use strict';

const { checkOptions, number, flag } = require('../base/pure/options');
const { metricsOf } = require('../server/pure/metrics');
const { attachSeries, rollingSeriesOf } = require('../series/chart-data');
const { report } = require('../text/report');

/**
 * @import { Context, Terminal } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Observation } from '../observe/types'
 * @import { Report } from '../text/report'
 * @import { Seen } from '../watch/lines'
 */

const OPTIONS = {
  every: number({ min: 0.1, max: 3600 }),
  seconds: number({ min: 0.1, max: 7 * 86_400 }),
  json: flag(),
  screen: flag(),
};
/** "Until Ctrl-C" as a number: longer than any shell lives. */
const FOR_EVER_SECONDS = 7 * 86_400;

/**
 * A live screen on a terminal, else one line for each sample, until the time is over, `q` or Ctrl-C.
 * @param {Context} ctx
 * @param {{ every?: number, seconds?: number, json?: boolean, screen?: boolean }} [options] seconds
 *   between two samples; seconds in all; `json`: each sample
 *   as an object in a line of its own; `screen: false`: lines on a terminal too
 * @returns {Promise<Watched & Report>} the window it saw, of the member
 *   that was shown last; counters over all of it,
 *   and every extreme also after days
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   can not be examined
 */
async function watch(ctx, options) {
  const {
    every = 1,
    seconds = FOR_EVER_SECONDS,
    json = false,
    screen = true,
  } = checkOptions('tune.watch', OPTIONS, options);
  const pace = { seconds, every: Math.min(every, seconds) };
  if (json) return watchedJson(await require('../watch/lines').watchJson(ctx, pace));
  const isLive = screen && hasHeadroom(ctx.terminal);
  return watched(
    await (isLive
      ? require('../watch/live').watchLive(ctx, pace)
      : require('../watch/lines').watchLines(ctx, pace)),
  );
}

/** @param {Terminal} terminal @returns {boolean} */
function hasHeadroom({ openScreen, columns, rows = 0 }) {
  if (openScreen === undefined) return false;
  const { MIN } = require('../report/pure/screen/layout');
  return columns >= MIN.columns && rows >= MIN.rows;
}

/** @typedef {ReturnType<typeof dataOf>} Watched */

/** @param {Seen} sample */
function watched(sample) {
  const { renderWatched } = require('../watch/pure/watch-text');
  const data = dataOf(sample);
  return attachSeries(
    report(data, (ink) => renderWatched(data, ink)),
    rollingSeriesOf(sample.rolling, sample.facts),
  );
}

/**
 * Prints as one object more, so that all that is printed is JSON.
 * @param {Pick<Observation, 'facts' | 'window' | 'ended' | 'notes'>} sample
 */
function watchedJson(sample) {
  const data = dataOf(sample);
  return report(data, () => JSON.stringify(data), { verbatim: true });
}

/** @param {Pick<Observation, 'facts' | 'window' | 'ended' | 'notes'>} sample */
const dataOf = ({ facts, window, notes, ended }) => ({
  host: facts.host,
  version: facts.version,
  from: window.from,
  to: window.to,
  seconds: window.seconds,
  samples: window.samples.length,
  restarts: window.restarts,
  ended,
  metrics: metricsOf(window, facts),
  notes,
});

module.exports = { watch };
