'use strict';

const { secondsBetween } = require('../server/pure/growth');
const { makeWindow } = require('../server/pure/window');
const { metricsOf } = require('../server/pure/metrics');
const { NO_FACTS } = require('../server/pure/facts');
const { RollingSeries } = require('../series/time-series');
const { visible } = require('../base/pure/printable');
const { observe } = require('../observe/observe');
const { downsampleInPlace } = require('../server/sampler');

/**
 * @import { Observation } from '../observe/types'
 * @import { Metrics } from '../server/pure/metrics'
 * @import { Sample } from '../server/pure/sample'
 * @import { Context } from '../base/types'
 * @import { Facts } from '../server/pure/types'
 */

/**
 * @typedef {Pick<Observation, 'facts' | 'window' | 'ended' | 'notes'>} Watched
 * @typedef {Watched & { rolling: RollingSeries }} Seen `rolling`: every sample
 * @typedef {{ every: number, seconds: number }} Pace
 * @typedef {(sample: Sample, metrics:
 *   Metrics, seconds: number) => void} OnMetrics
 */

/**
 * Prints a row of a table for each sample.
 * @param {Context} ctx
 * @param {Pace} pace
 * @returns {Promise<Seen>}
 */
function watchLines(ctx, pace) {
  const { makeWatchLines } = require('./pure/watch-text');
  const lines = makeWatchLines(
    ctx.terminal.isTTY ? { rows: ctx.terminal.rows, width: ctx.terminal.columns } : {},
  );
  const print = (/** @type {string[]} */ text) =>
    text.forEach((line) => ctx.terminal.write(`${line}\n`));
  return watchOn(ctx, pace, {
    onFacts: (facts) => print(lines.title(facts)),
    onMetrics: (sample, metrics) => print(lines.next(sample, metrics)),
  });
}

/**
 * Prints one JSON object a line (NDJSON) for the time since the sample before.
 * @param {Context} ctx
 * @param {Pace} pace
 * @returns {Promise<Seen>}
 */
function watchJson(ctx, pace) {
  let host = /** @type {string | null} */ (null);
  return watchOn(ctx, pace, {
    onFacts: (facts) => {
      host = facts.host;
    },
    onMetrics: (sample, metrics, seconds) =>
      ctx.terminal.write(
        `${visible(JSON.stringify({ at: new Date(sample.atMs), host, seconds, metrics }))}\n`,
      ),
  });
}

/**
 * Samples until the time is over or Ctrl-C.
 * @param {Context} ctx
 * @param {Pace} pace
 * @param {{ onFacts(facts: Facts): void, onMetrics: OnMetrics }}
 *   on
 * @returns {Promise<Seen>}
 */
async function watchOn(ctx, { every, seconds }, { onFacts, onMetrics }) {
  const rolling = new RollingSeries(every);
  /** @type {Sample | undefined} */
  let before;
  const observation = await observe(ctx, {
    seconds,
    every,
    onFacts,
    onSample: (sample, all) => {
      const passed = before ? secondsBetween(before, sample) : 0;
      if (before && passed > 0)
        onMetrics(sample, metricsOf(makeWindow([before, sample]), NO_FACTS), passed);
      before = sample;
      rolling.add(sample);
      downsampleInPlace(all);
    },
  });
  return { ...observation, rolling };
}

module.exports = { watchLines, watchJson };
