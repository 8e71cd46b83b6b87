'use strict';

const { defineCommand } = require('../base/pure/command');
const { number, flag } = require('../base/pure/options');
const { metricsOf } = require('../server/pure/metrics');
const { attachSeries, rollingSeriesOf } = require('../series/chart-data');
const { report } = require('../text/report');

/**
 * @import { Terminal } from '../base/context'
 * @import { TuneError } from '../base/pure/errors'
 * @import { Observation } from '../observe/types'
 * @import { Report } from '../text/report'
 * @import { Seen } from '../watch/lines'
 * @import { Context } from '../base/types'
 */

/** "Until Ctrl-C" as a number: longer than any shell lives. */
const FOR_EVER_SECONDS = 7 * 86_400;

module.exports = defineCommand({
  name: 'watch',
  group: 'Look',
  order: 2,
  takes: ['options'],
  usage: 'tune.watch({ everySeconds, seconds, … })',
  summary: 'Shows status live: one screen, or one line a second',
  details:
    'On the screen: q quits, space freezes the screen, tab goes to the next area, m ' +
    'to the next member of the replica set, ? helps. Ctrl-C ends every mode; the ' +
    'value has all samples',
  options: {
    everySeconds: {
      check: number({ min: 0.1, max: 3600 }),
      default: 1,
      description: 'sampling interval',
    },
    seconds: {
      check: number({ min: 0.1, max: FOR_EVER_SECONDS }),
      default: FOR_EVER_SECONDS,
      defaultText: 'until q or Ctrl-C',
      description: 'how long',
    },
    json: {
      check: flag(),
      default: false,
      description: 'one JSON object a line, the summary last',
    },
    screen: {
      check: flag(),
      default: true,
      description: 'the live screen, where there is a terminal of 60 × 12 or more',
    },
  },
  examples: [
    'tune.watch({ seconds: 60 })',
    'const seen = tune.watch({ everySeconds: 0.5, seconds: 60 })',
    'tune watch --seconds 60 --json',
  ],
  changes: 'nothing',
  onMongos:
    'tune.members() shows each member of each shard; watch the slow one over a direct connection',
  endsByInterrupt: true,
  run: watch,
});

/**
 * A live screen on a terminal, else one line for each sample, until the time is over, `q` or Ctrl-C.
 * @param {Context} ctx
 * @param {{ everySeconds: number, seconds: number, json: boolean, screen: boolean }} options
 * @returns {Promise<Watched & Report>} the window it saw, of the member
 *   that was shown last; counters over all of it,
 *   and every extreme also after days
 * @throws {TuneError} TUNE-1xxxx for wrong options, TUNE-2xxxx where the server
 *   cannot be examined
 */
async function watch(ctx, { everySeconds, seconds, json, screen }) {
  const pace = { seconds, every: Math.min(everySeconds, seconds) };
  if (json) return watchedJson(await require('../watch/lines').watchJson(ctx, pace));
  const isLive = screen && isLargeEnough(ctx.terminal);
  return watched(
    await (isLive
      ? require('../watch/live').watchLive(ctx, pace)
      : require('../watch/lines').watchLines(ctx, pace)),
  );
}

/**
 * Whether the terminal is large enough for the live screen.
 * @param {Terminal} terminal
 * @returns {boolean}
 */
function isLargeEnough({ openScreen, columns, rows = 0 }) {
  if (openScreen === undefined) return false;
  const { MIN } = require('../report/pure/screen/layout');
  return columns >= MIN.columns && rows >= MIN.rows;
}

/** @typedef {ReturnType<typeof dataOf>} Watched */

/** Makes the answer, with the time series of what was shown. @param {Seen} sample */
function watched(sample) {
  const { renderWatched } = require('../watch/pure/watch-text');
  const data = dataOf(sample);
  return attachSeries(
    report(data, (ink) => renderWatched(data, ink)),
    rollingSeriesOf(sample.rolling, sample.facts),
  );
}

/**
 * Prints the answer as one object more, so that all printed lines are JSON.
 * @param {Pick<Observation, 'facts' | 'window' | 'ended' | 'notes'>} sample
 */
function watchedJson(sample) {
  const data = dataOf(sample);
  return report(data, () => JSON.stringify(data), { verbatim: true });
}

/**
 * Makes the answer's data.
 * @param {Pick<Observation, 'facts' | 'window' | 'ended' | 'notes'>} sample
 */
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
